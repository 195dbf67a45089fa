// in_file as SIO's packages may hold it: in a zip archive with one member. Archives are written here byte by
// byte, so that each mistake is the one meant.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "jobs/environ.h"
#include "jobs/job.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::uint32_t Crc32(const std::string& text) {
  std::uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

// The lowest `bytes` of a number, as zip has them.
std::string Little(std::uint64_t number, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i, number >>= 8) out += static_cast<char>(number);
  return out;
}

struct Member {
  std::string name;
  std::string text;
  std::string packed = text;  // as it stands in the archive
  int method = 0;             // 0 stored, 8 deflated
};

std::string Zip(const std::vector<Member>& members) {
  std::string files, table;
  for (const Member& member : members) {
    const std::string sizes = Little(Crc32(member.text), 4) + Little(member.packed.size(), 4) +
                              Little(member.text.size(), 4) + Little(member.name.size(), 2) + Little(0, 2);
    const std::string head =
        Little(20, 2) + Little(0, 2) + Little(static_cast<unsigned>(member.method), 2) + Little(0, 4);
    table += "PK\1\2" + Little(20, 2) + head + sizes + Little(0, 2 + 2 + 2 + 4) + Little(files.size(), 4) +
             member.name;
    files += "PK\3\4" + head + sizes + member.name + member.packed;
  }
  return files + table + "PK\5\6" + Little(0, 4) + Little(members.size(), 2) + Little(members.size(), 2) +
         Little(table.size(), 4) + Little(files.size(), 4) + Little(0, 2);
}

// "hello\n" by deflate(3), raw.
const std::string kDeflatedHello("\xcb\x48\xcd\xc9\xc9\xe7\x02\x00", 8);

struct Input {
  explicit Input(const std::string& content) : path(folder.Write("in", content)) {}
  [[nodiscard]] Json Keys() const { return {{"in_file", path}, {"out_file", folder.path() + "/out"}}; }
  // What the program reads, when it only writes what it has read.
  [[nodiscard]] std::string Echoed() const {
    const Json result = Exec("echo_stdin", Keys());
    return CodeOf(result) == "OK" ? ReadText(folder.path() + "/out") : SentenceOf(result);
  }
  [[nodiscard]] std::string Mistake() const {
    const std::string mistake = MistakeOf("exec", WithProgram("echo_stdin", Keys()));
    CHECK_FALSE(std::filesystem::exists(folder.path() + "/out"));
    const std::string begin = "in_file: " + path + ": ";
    const std::string end = "; expected a plain input, or a zip archive with one";
    if (!mistake.starts_with(begin) || !mistake.ends_with(end)) return mistake;
    return mistake.substr(begin.size(), mistake.size() - begin.size() - end.size());
  }
  ScratchFolder folder;
  std::string path;
};

TEST_CASE("zipped input: the program reads the one file of a zip archive, stored or deflated",
          "[exec][zip]") {
  const std::string plain = Input("hello\n").Echoed();
  CHECK(Mentions(plain, "hello\n"));
  CHECK(Input(Zip({{"1.in", "hello\n"}})).Echoed() == plain);
  CHECK(Input(Zip({{"some/folder/x", "hello\n", kDeflatedHello, 8}})).Echoed() == plain);
  CHECK(Input(Zip({{"1.in", ""}})).Echoed() == Input("").Echoed());
}

TEST_CASE("zipped input: the checker gets the same file as the program", "[exec][zip]") {
  const Input input(Zip({{"1.in", "hello\n"}}));
  Json keys = input.Keys();
  keys.update({{"check_output", true},
               {"hint_file", input.path},
               {"chk_file", TestProgram("checkers/chk_reads_files")}});
  const Json zipped = Exec("hello", keys);
  keys["in_file"] = input.folder.Write("plain", "hello\n");
  const Json plain = Exec("hello", keys);
  CHECK(CodeOf(zipped) == CodeOf(plain));
  CHECK(SentenceOf(zipped) == SentenceOf(plain));
}

TEST_CASE("zipped input: what only begins like a name of ours is plain", "[exec][zip]") {
  for (const char* text : {"PK", "PK\n", "PK 3 4\n"}) CHECK(Mentions(Input(text).Echoed(), text));
}

TEST_CASE("zipped input: several files, none, or a damaged archive are a mistake with the key",
          "[exec][zip]") {
  CHECK(Input(Zip({{"1.in", "1"}, {"2.in", "2"}})).Mistake() == "the zip archive holds several files");
  CHECK(Input(Zip({})).Mistake() == "the zip archive is empty");
  CHECK(Input(Zip({{"folder/", ""}})).Mistake() == "what the zip archive holds is no file");
  const std::string damaged = "the zip archive is damaged: ";
  const std::string whole = Zip({{"1.in", "hello\n"}});
  for (const std::size_t length : {4, 20, 40, 80}) {
    CAPTURE(length);
    CHECK(Input(whole.substr(0, length)).Mistake().starts_with(damaged));
  }
  CHECK(Input(Zip({{"1.in", "hello\n", "HELLO\n"}})).Mistake().starts_with(damaged));  // another checksum
  CHECK(Input(Zip({{"1.in", "hello\n", "\xff\xff\xff", 8}})).Mistake().starts_with(damaged));  // no deflate
  CHECK(Input(Zip({{"1.in", "hello\n", "hello\n", 77}})).Mistake().starts_with(damaged));  // no such method
}

TEST_CASE("zipped input: a worker unpacks no more than it gives, whatever the archive says of its size", "[exec][zip]") {
  const Input input(Zip({{"a", std::string((1 << 20) + 1, 'x')}}));
  Environ environ = Environ::Parse(WithProgram("echo_stdin", input.Keys()).dump(), "job");
  environ.Set("job_type", "exec");
  environ.Set("use_filetracker", false);
  environ.set_rules({.bounds = {.unpacked = Bytes::MiB(1)}});
  CHECK(MistakeIn([&] {
          RunJob(&environ);
          return std::string();
        }) == "in_file: unpacked it is larger than 1.0 MiB (bounds.unpacked)");
  environ.set_rules({.bounds = {.unpacked = Bytes::MiB(2)}});
  CHECK_NOTHROW(RunJob(&environ));
}

}  // namespace
}  // namespace tally
