#include "sandboxes/image_store.h"

#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>

#include "base/error.h"
#include "base/sys.h"
#include "sandboxes/sandbox_store.h"
#include "sandboxes/sha256.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

struct Entry {
  const char* path;
  char type;              // as in a tar header
  const char* text = "";  // content; a link's target
  unsigned mode = 0644;
};
constexpr char kFile = '0', kHardLink = '1', kSymlink = '2', kDisk = '4', kFolder = '5', kPipe = '6';

// A tar archive with these entries, as bytes: written here because libarchive refuses to write some of them.
std::string Tar(const std::vector<Entry>& entries) {
  std::string out;
  for (const Entry& entry : entries) {
    const bool is_link = entry.type == kHardLink || entry.type == kSymlink;
    const std::string content = entry.type == kFile ? entry.text : "";
    std::string header(512, '\0');
    const auto put = [&](std::size_t at, const std::string& value) {
      header.replace(at, value.size(), value);
    };
    put(0, entry.path);
    put(100, fmt::format("{:07o}", entry.mode));
    put(108, "0000000");
    put(116, "0000000");
    put(124, fmt::format("{:011o}", content.size()));
    put(136, "00000000000");
    put(148, "        ");  // the sum's own place counts as blanks
    put(156, std::string(1, entry.type));
    if (is_link) put(157, entry.text);
    put(257, "ustar");
    put(263, "00");
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put(148, fmt::format("{:06o}", sum) + '\0');
    out += header + content;
    out.resize((out.size() + 511) / 512 * 512, '\0');
  }
  return out + std::string(1024, '\0');
}

std::string Gzip(const std::string& data) {
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string in = data, out(data.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

std::string Xz(const std::string& data) {
  std::string out(data.size() + 1000, '\0');
  std::size_t used = 0;
  REQUIRE(::lzma_easy_buffer_encode(
              6, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(data.data()), data.size(),
              reinterpret_cast<std::uint8_t*>(out.data()), &used, out.size()) == LZMA_OK);
  return out.substr(0, used);
}

std::string Zstd(const std::string& data) {
  std::string out(data.size() + 1000, '\0');
  return out.substr(0, ::ZSTD_compress(out.data(), out.size(), data.data(), data.size(), 3));
}

std::string Sum(std::string_view data) {
  Sha256 sum;
  sum.Update(data);
  return sum.Finish();
}

// A cache and an archive in a folder of their own.
struct Fixture {
  ScratchFolder scratch;
  ImageStore store{scratch.path() + "/cache"};

  ImageArchive Image(const std::string& tar) const {
    return {.path = scratch.Write("image.tar", tar), .sha256 = Sum(tar), .place = "s.yaml:2:3"};
  }
  std::string Unpack(const std::vector<Entry>& entries) const { return store.Unpacked(Image(Tar(entries))); }
  // What is in the cache beside lock files.
  std::vector<std::string> Cached() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path() + "/cache")) {
      if (entry.path().extension() != ".lock") names.push_back(entry.path().filename());
    }
    return names;
  }
};

TEST_CASE("images: an archive is unpacked once, into a folder named by its sum", "[images]") {
  const Fixture f;
  const std::vector<Entry> entries{{"./", kFolder, "", 0700},
                                   {"./usr/", kFolder, "", 0500},
                                   {"./usr/bin/tool", kFile, "#!tool", 04755},
                                   {"./lib", kSymlink, "usr/lib"},
                                   {"./abs", kSymlink, "/etc/passwd"},
                                   {"./usr/bin/same", kHardLink, "./usr/bin/tool"}};
  const ImageArchive image = f.Image(Tar(entries));
  const std::string root = f.store.Unpacked(image);
  CHECK(root == f.scratch.path() + "/cache/" + image.sha256);
  CHECK(sys::ReadFile(root + "/usr/bin/tool") == "#!tool");
  CHECK(sys::ReadFile(root + "/usr/bin/same") == "#!tool");
  CHECK(std::filesystem::read_symlink(root + "/lib") == "usr/lib");
  CHECK(std::filesystem::read_symlink(root + "/abs") == "/etc/passwd");
  struct stat status {};
  REQUIRE(::stat((root + "/usr/bin/tool").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0755);  // no set-id bit
  REQUIRE(::stat((root + "/usr").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
  REQUIRE(::stat(root.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0755);

  // The archive is not needed again.
  std::filesystem::remove(image.path);
  CHECK(f.store.Unpacked(image) == root);
  CHECK(f.Cached() == std::vector<std::string>{image.sha256});
}

TEST_CASE("images: gz, xz and zst archives are understood", "[images]") {
  for (const auto compress : {Gzip, Xz, Zstd}) {
    const Fixture f;
    const std::string root = f.store.Unpacked(f.Image(compress(Tar({{"a", kFile, "content"}}))));
    CHECK(sys::ReadFile(root + "/a") == "content");
  }
}

TEST_CASE("images: a wrong sum names both sums and unpacks nothing", "[images]") {
  const Fixture f;
  const std::string tar = Tar({{"a", kFile, "x"}});
  ImageArchive image = f.Image(tar);
  image.sha256 = std::string(64, '0');
  CHECK_THROWS_WITH(f.store.Unpacked(image), "s.yaml:2:3: root.sha256: " + image.path + " has the sum " +
                                                 Sum(tar) + "; expected " + std::string(64, '0') +
                                                 ": the file has changed or is damaged");
  CHECK(f.Cached().empty());
}

TEST_CASE("images: nothing is written outside the image, whatever the archive says", "[images]") {
  struct Example {
    std::vector<Entry> entries;
    const char* reason;
  };
  const Example examples[] = {
      {{{"../evil", kFile, "x"}}, "entry ../evil: a name with .. is not allowed in an image"},
      {{{"a/../../evil", kFile, "x"}}, "entry a/../../evil: a name with .. is not allowed in an image"},
      {{{"/evil", kFile, "x"}}, "entry /evil: an absolute name is not allowed in an image"},
      {{{"out", kSymlink, "../.."}, {"out/evil", kFile, "x"}},
       "entry out/evil: goes through out, which is not a folder of the image"},
      {{{"out", kSymlink, "../../.."}, {"evil", kHardLink, "out/image.tar"}},
       "entry out/image.tar: goes through out, which is not a folder of the image"},
      {{{"evil", kHardLink, "../../image.tar"}},
       "entry ../../image.tar: a name with .. is not allowed in an image"},
      {{{"evil", kHardLink, "missing"}},
       "entry evil: is a link to missing, which is not in the archive before it"},
      {{{"dev/sda", kDisk}},
       "entry dev/sda: a device, pipe or socket is not allowed in an image; make the archive without it (tar "
       "--exclude=./dev/*)"},
      {{{"pipe", kPipe}},
       "entry pipe: a device, pipe or socket is not allowed in an image; make the archive without it (tar "
       "--exclude=./dev/*)"},
      {{{"a/b", kFile, "x"}, {"a", kFile, "y"}},
       "entry a: is in the archive twice, once as a folder and once not"},
      {{{"a", kFile, "x"}, {"a", kFolder, "", 0755}},
       "entry a: is in the archive twice, once as a folder and once not"},
  };
  for (const Example& example : examples) {
    const Fixture f;
    CAPTURE(example.reason);
    CHECK_THROWS_WITH(f.Unpack(example.entries), f.scratch.path() + "/image.tar: " + example.reason);
    CHECK(f.Cached().empty());
    CHECK_FALSE(std::filesystem::exists(f.scratch.path() + "/evil"));
    CHECK_FALSE(std::filesystem::exists(f.scratch.path() + "/cache/evil"));
  }
}

TEST_CASE("images: a link is replaced by a later entry, not written through", "[images]") {
  const Fixture f;
  const std::string victim = f.scratch.Write("victim", "safe");
  const std::string root = f.Unpack({{"a", kSymlink, victim.c_str()}, {"a", kFile, "new"}});
  CHECK(sys::ReadFile(root + "/a") == "new");
  CHECK(sys::ReadFile(victim) == "safe");
}

TEST_CASE("images: what is no archive is said to be none", "[images]") {
  const Fixture f;
  CHECK_THROWS_WITH(
      f.store.Unpacked(f.Image("this is not a tar archive")),
      Catch::Matchers::StartsWith(f.scratch.path() + "/image.tar: not a tar archive that can be read ("));
  const std::string whole = Tar({{"a", kFile, "content that is cut off"}});
  CHECK_THROWS_WITH(
      f.store.Unpacked(f.Image(whole.substr(0, 520))),
      Catch::Matchers::StartsWith(f.scratch.path() + "/image.tar: not a tar archive that can be read ("));
  CHECK(f.Cached().empty());
  ImageArchive image{
      .path = f.scratch.path() + "/none.tar", .sha256 = std::string(64, '1'), .place = "s.yaml:2:3"};
  CHECK_THROWS_WITH(f.store.Unpacked(image), "s.yaml:2:3: root.archive: " + image.path +
                                                 ": No such file or directory; expected a tar archive");
  image.path = f.scratch.path();
  CHECK_THROWS_WITH(f.store.Unpacked(image),
                    "s.yaml:2:3: root.archive: " + image.path +
                        " is not a file; expected a tar archive (for a folder write root: "
                        "{directory: ...})");
}

TEST_CASE("images: two processes that want one image unpack it once", "[images]") {
  const Fixture f;
  const ImageArchive image = f.Image(Tar({{"a", kFile, "x"}}));
  // A leftover of a killed process goes away.
  f.scratch.Write("cache/" + image.sha256 + ".new-dead00/half", "x");
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        ::_exit(f.store.Unpacked(image).empty() ? 1 : 0);
      } catch (...) {
        ::_exit(2);
      }
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  CHECK(f.Cached() == std::vector<std::string>{image.sha256});
}

TEST_CASE("images: a description with an archive gets its unpacked root", "[images]") {
  const Fixture f;
  const std::string tar = Tar({{"bin/tool", kFile, "x", 0755}});
  f.scratch.Write("d/img.tar", tar);
  f.scratch.Write("d/box.yaml", "title: t\nroot:\n  archive: img.tar\n  sha256: " + Sum(tar) + "\n");
  const SandboxStore store(DescriptionFolders({f.scratch.path() + "/d"}), f.store);
  CHECK(store.Describe("box").root.base_root.empty());
  CHECK(std::filesystem::exists(store.Get("box").base_root + "/bin/tool"));
}

}  // namespace
}  // namespace tally
