// One user's part of a worker's store (jobs/user_store.h): whose it is, and that it does not grow for ever.
#include "jobs/user_store.h"

#include <filesystem>
#include <set>
#include <string>

#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

FiletrackerName NameOf(const std::string& text) { return FiletrackerName::Parse(text); }

TEST_CASE("user store: each user has a part, whatever the name, and none leads out of the store", "[user_store]") {
  const ScratchFolder folder;
  const LocalStore store(folder.path() + "/store");
  const std::string file = folder.Write("file", "text");
  std::set<std::string> places;
  const std::vector<std::string> users{"", "%", "a", "A", "..", "../a", "a/b", "a%2fb", ".", "\xc3\xa4", std::string(255, '/'), std::string(255, 'a'), std::string(240, 'a')};
  for (const std::string& user : users) {
    const UserStore own(store, user, std::nullopt);
    own.Put(NameOf("/x"), file);
    CHECK(own.files().Has(NameOf("/x")));
    CHECK(own.files().directory().starts_with(store.directory() + "/users/"));
    CHECK(fs::path(own.files().directory()).lexically_normal() == own.files().directory());
    places.insert(own.files().directory());
  }
  CHECK(places.size() == users.size());
  CHECK_FALSE(store.Has(NameOf("/x")));
}

TEST_CASE("user store: beyond its bound the oldest files go, of this user alone", "[user_store]") {
  const ScratchFolder folder;
  const LocalStore store(folder.path() + "/store");
  const std::string file = folder.Write("file", std::string(4000, 'x'));
  const UserStore own(store, "a", Bytes{10'000}), other(store, "b", Bytes{10'000});
  other.Put(NameOf("/1"), file);
  for (const char* name : {"/1", "/2", "/deep/3", "/4"}) {
    own.Put(NameOf(name), file);
    const fs::path path = own.files().Find(NameOf(name));
    fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(10 - (name[1] == 'd' ? 3 : name[1] - '0')));
  }
  CHECK_FALSE(own.files().Has(NameOf("/1")));
  CHECK_FALSE(own.files().Has(NameOf("/2")));
  CHECK(own.files().Has(NameOf("/deep/3")));
  CHECK(own.files().Has(NameOf("/4")));
  CHECK(other.files().Has(NameOf("/1")));
  CHECK_THROWS_AS(own.Put(NameOf("/5"), folder.Write("large", std::string(10'001, 'x'))), UserError);
  CHECK(own.files().Has(NameOf("/4")));
}

}  // namespace
}  // namespace tally
