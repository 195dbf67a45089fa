// The solution's process of a split in C++: has the generated code (answers.hh) answer what the tests ask. Its sandbox is its own, so nothing in
// here guards anything: whatever the solution makes of this process, it can only answer.
//
//   answerer CALLS ANSWERS MOST-OUTPUT
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "../split/end.h"
#include "../split/printed.h"
#include "../split/wire.h"
#include "side.h"

extern "C" void end_case(const char* why) {
  wire_send('x', why, std::strlen(why));
  _exit(0);
}

extern "C" void misunderstood(const char* what) {
  dprintf(STDERR_FILENO, "the tests said what is no message: %s\n", what);
  _exit(70);
}

namespace {

std::unordered_map<void*, std::uint32_t> numbers;
std::vector<void*> addresses{nullptr};

std::uint32_t NumberOf(void* address) {
  if (address == nullptr) return 0;
  const auto [at, is_new] = numbers.emplace(address, static_cast<std::uint32_t>(addresses.size()));
  if (is_new) addresses.push_back(address);
  return at->second;
}

void* AddressOf(std::uint32_t number) {
  if (number >= addresses.size()) misunderstood("a number that was not given");
  return addresses[number];
}

// What the tests' pointers lead to, and whether it is deleted. Of the C library's memory: this is what operator delete asks.
struct Kept {
  void* object;
  bool is_deleted;
  Kept* next;
};
Kept* kept[1 << 16];

Kept** ChainOf(const void* object) { return &kept[reinterpret_cast<std::uintptr_t>(object) >> 4 & 0xffff]; }

Kept* KeptAt(const void* object) {
  Kept* at = *ChainOf(object);
  while (at != nullptr && at->object != object) at = at->next;
  return at;
}

void Keep(void* object) {
  auto* one = static_cast<Kept*>(std::malloc(sizeof(Kept)));
  if (one == nullptr) std::abort();
  *one = {object, false, *ChainOf(object)};
  *ChainOf(object) = one;
}

int IsDeleted(const void* object) {
  const Kept* at = KeptAt(object);
  return at != nullptr && at->is_deleted ? 1 : 0;
}

void Delete(void* object) {
  Kept* at = KeptAt(object);
  if (at != nullptr) at->is_deleted = true;
  else std::free(object);
}

using Answer = const char*(const char* question, std::size_t size, std::size_t* answered);

Answer* Load() {
  void* library = dlopen("/box/out/solution/answers.so", RTLD_NOW | RTLD_LOCAL);
  void* found = library == nullptr ? nullptr : dlsym(library, "tally_split_answer");
  if (found == nullptr) {
    char text[380];
    std::snprintf(text, sizeof text, "with params.split the solution cannot be loaded: %.300s", dlerror());
    end_case(text);
  }
  return reinterpret_cast<Answer*>(found);
}

void Append(std::string* to, const char* bytes, std::size_t size) {
  const auto length = static_cast<std::uint32_t>(size);
  to->append(reinterpret_cast<const char*>(&length), sizeof length);
  to->append(bytes, size);
}

// Behind what was printed meanwhile.
void Send(const char* answer, std::size_t size) {
  std::cout.flush();
  std::fflush(nullptr);
  std::string message;
  for (int fd = 1; fd <= 2; ++fd) {
    std::size_t printed = 0;
    char* text = printed_since(fd, &printed);
    Append(&message, text, printed);
    std::free(text);
  }
  message.append(answer, size);
  wire_send('r', message.data(), message.size());
}

}  // namespace

void operator delete(void* object) noexcept { Delete(object); }
void operator delete(void* object, std::size_t) noexcept { Delete(object); }

extern "C" const struct tally_split_side tally_split_side = {nullptr, end_case, misunderstood, NumberOf, AddressOf, Keep, IsDeleted};

int main(int argc, char** argv) {
  if (argc < 4) return 70;
  wire = {getpid(), std::atoi(argv[1]), std::atoi(argv[2]), -1};
  printed_begin(std::atol(argv[3]));
  Answer* const answer = Load();
  for (;;) {
    char kind = 0;
    std::size_t size = 0, answered = 0;
    char* question = wire_receive(&kind, &size);
    if (kind != 'c') misunderstood("no question");
    const char* said = answer(question, size, &answered);
    Send(said, answered);
    std::free(question);
  }
}
