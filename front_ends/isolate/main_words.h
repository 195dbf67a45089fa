// Which box main's words are about, before libc is started (client.h).
#pragma once

#include <sys/syscall.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "base/raw_call.h"
#include "front_ends/isolate/before_libc.h"
#include "front_ends/isolate/messages.h"

namespace tally::isolate::before_libc {

// Letters of options that have a value (options.cc).
inline constexpr const char* kValued = "bcdEfikmMnoqrtwx";

// Is a keeper asked for this, and that of which box? A guess: what it gets wrong the keeper sees. False: main knows better.
inline bool FindBox(int argc, char** argv, std::uint64_t* box, bool* runs) {
  *box = 0;
  *runs = false;
  bool is_asked = false;
  for (int i = 1; i < argc && !Same(argv[i], "--"); ++i) {
    const char* word = argv[i];
    const char* number = nullptr;
    if (Same(word, "--run")) {
      is_asked = *runs = true;
    } else if (Same(word, "--init") || Same(word, "--cleanup")) {
      is_asked = true;
    } else if (Behind(word, "--b") != nullptr) {
      number = Same(word, "--box-id") ? argv[++i] : Behind(word, "--box-id=");
      if (number == nullptr || !ToNumber(number, box)) return false;
    } else if (*word == '-' && word[1] != '-') {
      for (++word; *word != '\0' && !Contains(kValued, *word); ++word) {
      }
      const bool has_value = *word != '\0';
      if (has_value) number = word[1] != '\0' ? word + 1 : argv[++i];
      if (has_value && (number == nullptr || (*word == 'b' && !ToNumber(number, box)))) return false;
    }
  }
  return is_asked && *box <= 2'147'483'647;
}

inline const char* Variable(char** environment, const char* name_and_equals) {
  for (; *environment != nullptr; ++environment) {
    const char* const value = Behind(*environment, name_and_equals);
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

// ROOT/N, as box.cc has it. False: main knows better.
inline bool FindFolder(char** environment, std::uint64_t box, Text* folder) {
  if (const char* const root = Variable(environment, "TALLY_ISOLATE_ROOT=")) {
    for (const char* at = root; *at != '\0'; ++at) {
      if (at[0] == '.' && at[1] == '.') return false;
    }
    folder->Add(root);
  } else if (RawCall(SYS_geteuid) == 0) {
    folder->Add("/var/local/lib/isolate");
  } else if (const char* const state = Variable(environment, "XDG_STATE_HOME=")) {
    folder->Add(state).Add("/tally/isolate");
  } else if (const char* const home = Variable(environment, "HOME=")) {
    folder->Add(home).Add("/.local/state/tally/isolate");
  } else {
    return false;
  }
  return folder->Add("/").Add(box).fits();
}

// main's words and the environment lie one behind the other, as they are sent. False: not any more.
inline bool FindWords(int argc, char** argv, iovec* words) {
  const char* end = argv[0];
  for (int i = 0; i < argc; ++i) {
    if (argv[i] != end) return false;
    end += Length(end) + 1;
  }
  for (char** entry = argv + argc + 1; *entry != nullptr; ++entry) {
    if (*entry != end) return false;
    end += Length(end) + 1;
  }
  *words = {argv[0], static_cast<std::size_t>(end - argv[0])};
  return words->iov_len < kLongestMessage - 64;
}

}  // namespace tally::isolate::before_libc
