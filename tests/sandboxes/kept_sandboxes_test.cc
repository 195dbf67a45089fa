#include "sandboxes/kept_sandboxes.h"

#include <filesystem>

#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

// Counts how often a description is read, by a clock that moves when it is told.
struct Watched {
  explicit Watched(std::int64_t seconds)
      : sandboxes(
            CacheTime(seconds),
            [this](const std::string& name) {
              ++reads;
              if (name == "absent") throw UserError("no absent.yaml");
              RootSpec root;
              root.name = name;
              root.hostname = std::to_string(reads);
              root.base_root = image;
              return root;
            },
            [this] { return now; }) {}

  int reads = 0;
  std::string image;
  Nanoseconds now = std::chrono::hours(24);
  KeptSandboxes sandboxes;
};

TEST_CASE("kept sandboxes: with time 0 each look reads the description") {
  Watched w(0);
  CHECK(w.sandboxes.Get("a").hostname == "1");
  CHECK(w.sandboxes.Get("a").hostname == "2");
}

TEST_CASE("kept sandboxes: within the time nothing is read again, and after it once; each name has a time of its own") {
  Watched w(10);
  CHECK(w.sandboxes.Get("a").hostname == "1");
  w.now += std::chrono::seconds(9);
  CHECK(w.sandboxes.Get("b").hostname == "2");
  CHECK(w.sandboxes.Get("a").hostname == "1");
  w.now += std::chrono::seconds(1);
  CHECK(w.sandboxes.Get("a").hostname == "3");
  CHECK(w.sandboxes.Get("a").hostname == "3");
  CHECK(w.sandboxes.Get("b").hostname == "2");
}

TEST_CASE("kept sandboxes: with time -1 they are read once for ever") {
  Watched w(-1);
  CHECK(w.sandboxes.Get("a").hostname == "1");
  w.now += std::chrono::hours(24 * 365 * 10);
  CHECK(w.sandboxes.Get("a").hostname == "1");
}

TEST_CASE("kept sandboxes: an image deleted from the disk is looked for anew, even within the time") {
  const ScratchFolder folder;
  Watched w(-1);
  w.image = folder.path() + "/image";
  std::filesystem::create_directory(w.image);
  CHECK(w.sandboxes.Get("a").hostname == "1");
  CHECK(w.sandboxes.Get("a").hostname == "1");
  std::filesystem::remove(w.image);
  CHECK(w.sandboxes.Get("a").hostname == "2");
}

TEST_CASE("kept sandboxes: one that is missing is not remembered as missing") {
  Watched w(-1);
  for (int i = 1; i <= 2; ++i) {
    CHECK_THROWS_AS(w.sandboxes.Get("absent"), UserError);
    CHECK(w.reads == i);
  }
}

TEST_CASE("kept sandboxes: a shorter time counts for those that are kept already") {
  Watched w(-1);
  CHECK(w.sandboxes.Get("a").hostname == "1");
  w.sandboxes.KeepFor(CacheTime(0));
  CHECK(w.sandboxes.Get("a").hostname == "2");
}

}  // namespace
}  // namespace tally
