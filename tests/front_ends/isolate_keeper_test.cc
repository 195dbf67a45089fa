// The keeper of a box, and what runs before libc is there: runs with it and without it are the same, whatever becomes of either side.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/fd.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/isolate_box.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

void MakeWithoutKeeper(const TestBox& box) {
  REQUIRE(box.Isolate("--cleanup; TALLY_ISOLATE_KEEPER=off \"$ISOLATE\" --init").status == 0);
}

TEST_CASE("isolate: with the keeper of --init and without one runs are the same", "[isolate]") {
  const TestBox kept;
  CHECK(std::filesystem::exists(kept.folder() + "/boxes/0.socket"));
  const TestBox bare;
  MakeWithoutKeeper(bare);
  CHECK_FALSE(std::filesystem::exists(bare.folder() + "/boxes/0.socket"));
  for (const TestBox* box : {&kept, &bare}) {
    std::ofstream(box->path() + "/in") << "from the box\n";
    for (int i = 0; i < 3; ++i) {
      CHECK(Has(box->Run("-v -- /bin/true").process.error, box == &kept ? "Run by the box's keeper\n" : "Run without a keeper\n"));
      CHECK(box->Run("-- /bin/cat", "from the caller\n").process.out == "from the caller\n");
      CHECK(box->Run("--stdin=in -E A=b -- /usr/bin/env cat").process.out == "from the box\n");
      CHECK(box->Run("-p -d /data=/usr/share -- /bin/sh -c 'ls /data | head -c 1; exit 3'").Get("exitcode") == "3");
      CHECK(box->Run("-- /box/nothing").Get("exitcode") == "127");
      CHECK(box->Run("--stdin=none -- /bin/cat").Get("status") == "XX");
    }
  }
}

struct stat StatOf(const std::string& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status;
}

// The places where a folder's list goes on behind its names, one of which is new.
std::vector<long> PlacesIn(const std::string& path) {
  std::ofstream(path + "/new") << "x";
  std::vector<long> places;
  DIR* const folder = ::opendir(path.c_str());
  REQUIRE(folder != nullptr);
  while (const dirent* entry = ::readdir(folder)) places.push_back(entry->d_off);
  ::closedir(folder);
  return places;
}

// Then no box is the keeper's twice.
bool AreNamesCounted(const TestBox& box) {
  const std::vector<long> first = PlacesIn(box.folder());
  std::filesystem::remove(box.folder() + "/new");
  return first != PlacesIn(box.folder());
}

// The keeper's process, which has the test's folder in its environment and no number in a namespace of its own, as what it has started has.
pid_t KeeperOf(const TestBox& box) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0 && Has(ReadFile(entry.path() / "environ"), box.folder() + "/boxes") && Has(ReadFile(entry.path() / "status"), fmt::format("NSpid:\t{}\n", pid))) return pid;
  }
  return 0;
}

TEST_CASE("isolate: a keeper that gets a signal between runs ends, removes what it has hidden, and no later run is told of it", "[isolate]") {
  const TestBox box;
  if (AreNamesCounted(box)) return;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    CAPTURE(signal);
    CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper"));
    REQUIRE(KeeperOf(box) > 0);
    CHECK(::kill(KeeperOf(box), signal) == 0);
    CHECK(box.Run("-- /bin/true").Get("exitcode") == "0");
    CHECK(box.Isolate("--init").status == 0);
    CHECK(box.Isolate("--cleanup").status == 0);
    REQUIRE(KeeperOf(box) > 0);
    CHECK(::kill(KeeperOf(box), signal) == 0);
    for (int i = 0; i < 200 && KeeperOf(box) != 0; ++i) ::usleep(10'000);
    CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.kept"));
    CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.socket"));
    CHECK(box.Isolate("--init").status == 0);
  }
}

TEST_CASE("isolate: how many files a box has had cannot be told from the next one, also where the file system counts them", "[isolate]") {
  const TestBox box;
  const std::string root = fmt::format("/dev/shm/tally-isolate-test-{}", ::getpid());
  const auto isolate = [&](const std::string& command) { return box.Isolate(fmt::format("--version >/dev/null; TALLY_ISOLATE_ROOT={} \"$ISOLATE\" {}", root, command)).status; };
  std::vector<long> first;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(isolate("--init") == 0);
    const std::vector<long> places = PlacesIn(root + "/0/box");
    if (i == 0) first = places;
    CHECK(places == first);
    for (int file = 0; file < 10; ++file) std::ofstream(fmt::format("{}/0/box/{}", root, file)) << "x";
    ::usleep(100'000);  // the keeper is ready
    CHECK(isolate("--cleanup") == 0);
  }
  std::filesystem::remove_all(root);
}

TEST_CASE("isolate: a keeper whose root was removed touches nothing of the next one", "[isolate]") {
  const TestBox box;
  if (AreNamesCounted(box)) return;
  const std::string hidden = box.folder() + "/boxes/0.kept";
  CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper"));
  CHECK(box.Isolate("--cleanup").status == 0);
  const pid_t keeper = KeeperOf(box);
  REQUIRE(keeper > 0);
  std::filesystem::remove_all(box.folder() + "/boxes");
  std::filesystem::create_directories(hidden + "/box");
  std::ofstream(box.folder() + "/boxes/0.socket") << "another's";
  ::kill(keeper, SIGTERM);
  for (int i = 0; i < 200 && KeeperOf(box) != 0; ++i) ::usleep(10'000);
  CHECK(std::filesystem::exists(hidden + "/box"));
  CHECK(std::filesystem::exists(box.folder() + "/boxes/0.socket"));
}

TEST_CASE("isolate: a box that is made again soon after --cleanup is the keeper's, and tells nothing of the last one", "[isolate]") {
  const TestBox box;
  if (AreNamesCounted(box)) return;
  // It gets ready beside us, and hides no box in which something was before.
  CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper"));
  const std::string path = box.path();
  const struct stat first = StatOf(path);
  for (const char* left : {"echo x > f", "mkdir -p a/b; ln -s /etc/passwd a/link; chmod 0 a", "touch -d 1990-01-01 .", "chmod 0777 .", "mkfifo p; touch .hidden"}) {
    CAPTURE(left);
    std::ofstream(path + "/mine") << "x";
    std::ofstream(path + "/../beside") << "x";
    CHECK(box.Run(fmt::format("-v -p -- /bin/sh -c '{}'", left)).Get("exitcode") == "0");
    CHECK(box.Isolate("--cleanup").status == 0);
    CHECK_FALSE(std::filesystem::exists(path + "/.."));
    const BoxResult gone = box.Run("-- /bin/true");
    CHECK(Has(gone.process.error, "isolate --init"));
    CHECK(box.Isolate("--cleanup").status == 0);
    const time_t before = ::time(nullptr);
    const CliResult made = box.Isolate("--init");
    CHECK(made.out == box.made().out);
    CHECK(made.error.empty());
    const struct stat now = StatOf(path);
    CHECK(now.st_ino == first.st_ino);
    CHECK(now.st_mode == first.st_mode);
    CHECK(now.st_size == first.st_size);
    CHECK(now.st_uid == first.st_uid);
    CHECK(now.st_mtime >= before);
    CHECK(now.st_atime >= before);
    CHECK(std::filesystem::is_empty(path));
    CHECK_FALSE(std::filesystem::exists(path + "/../beside"));
    CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper"));
    CHECK(box.Run("-p -- /bin/sh -c 'ls -A | wc -l'").process.out == "0\n");
  }
  CHECK(box.Isolate("--init").status == 0);  // of one that is there
  CHECK(std::filesystem::is_empty(path));
  CHECK(StatOf(path).st_ino == first.st_ino);
}

TEST_CASE("isolate: a box's access rights and attributes are those of a new one", "[isolate]") {
  const TestBox box;
  if (::setxattr(box.path().c_str(), "user.note", "x", 1, 0) != 0) return;  // such a file system
  CHECK(box.Isolate("--cleanup").status == 0);
  CHECK(box.Isolate("--init").status == 0);
  CHECK(::getxattr(box.path().c_str(), "user.note", nullptr, 0) < 0);
}

TEST_CASE("isolate: a box is made anew where the keeper's is not as it was, or not for who asks", "[isolate]") {
  const TestBox box;
  if (AreNamesCounted(box)) return;
  const auto ends = [&](const std::string& before, const std::string& init) {
    CAPTURE(before, init);
    const ino_t old = StatOf(box.path()).st_ino;
    const Fd held(::open(box.path().c_str(), O_PATH | O_CLOEXEC));  // so that its number is nobody else's
    box.Isolate("--version >/dev/null; " + before + "; \"$ISOLATE\" --cleanup");
    CHECK_FALSE(std::filesystem::exists(box.path()));
    CHECK(box.Isolate("--version >/dev/null; " + init).status == 0);
    CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.kept"));
    CHECK(std::filesystem::is_empty(box.path()));
    return StatOf(box.path()).st_ino != old || !std::filesystem::exists(box.folder() + "/boxes/0.socket");
  };
  CHECK(ends("true", "umask 077; \"$ISOLATE\" --init"));
  CHECK(ends("true", "\"$ISOLATE\" --cg --init"));
  CHECK(ends("true", "nice \"$ISOLATE\" --init"));
  CHECK(ends("true", "TALLY_ISOLATE_KEEPER=off \"$ISOLATE\" --init"));
  box.Isolate("--init");
  CHECK(std::filesystem::exists(box.folder() + "/boxes/0.socket"));
  box.Isolate("--cleanup");
  CHECK(std::filesystem::exists(box.folder() + "/boxes/0.kept"));
  box.Isolate("--version >/dev/null; TALLY_ISOLATE_KEEPER=off \"$ISOLATE\" --cleanup");
  CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.kept"));
  CHECK_FALSE(std::filesystem::exists(box.folder() + "/boxes/0.socket"));
}

std::string Replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) text.replace(at, old.size(), by);
  return text;
}

// Without what differs from run to run.
struct Said {
  int status;
  std::string text, meta;
};

Said RunWording(const TestBox& box, const std::string& command) {
  std::filesystem::remove(box.folder() + "/meta");
  std::ofstream(box.folder() + "/script") << command << "\n";
  const CliResult result = box.Isolate(fmt::format("--version >/dev/null; cd {0}; META={0}/meta bash script >said 2>&1; status=$?; sed -E 's/[0-9.]+ sec/N sec/g; s/tmp-[A-Za-z0-9]+/tmp/' said; exit $status", box.folder()));
  Said said{result.status, Replaced(result.out + result.error, box.folder(), "FOLDER"), ""};
  for (const auto& [key, value] : ReadMeta(box.folder() + "/meta")) {
    const bool varies = key.starts_with("time") || key.starts_with("csw") || key == "max-rss";
    said.meta += key + ":" + (varies ? "" : Replaced(value, box.folder(), "FOLDER")) + "\n";
  }
  return said;
}

struct Wording {
  std::string command;  // $ISOLATE is isolate; $META is where the meta file is to be
  bool kept = true;     // a keeper serves it
};

// A run's words go to the keeper before libc is there to read them.
TEST_CASE("isolate: however a run is worded, and whatever its caller lacks, one with a keeper says what one without says", "[isolate]") {
  const Wording wordings[] = {
      {"$ISOLATE -v -b0 -M$META --run -- /bin/sh -c 'exit 4'"},
      {"$ISOLATE -vsb 0 -M $META --run -- /bin/false"},
      {"$ISOLATE -svb0 --meta $META --run /bin/false"},
      {"$ISOLATE --box-id 0 -v --run -- /bin/echo --cleanup -b 3"},
      {"$ISOLATE -v --stderr err -E b=5 -p --run -- /usr/bin/env"},
      {"$ISOLATE -v --env=-b7 --run -- /bin/true"},
      {"$ISOLATE -v --box=0 --run -- /bin/echo box", false},
      {"$ISOLATE -v --ru -- /bin/echo run", false},
      {"$ISOLATE --box-id=x -M$META --run -- /bin/true", false},
      {"$ISOLATE -b 99999999999 -M$META --run -- /bin/true", false},
      {"$ISOLATE -b 4 -M$META --run -- /bin/true", false},
      {"$ISOLATE -M$META --run", false},
      {"$ISOLATE -M$META --run --nonsense -- /bin/true", false},
      {"$ISOLATE -M$META --mem=much --run -- /bin/true", false},
      {"$ISOLATE -M$META --run --init -- /bin/true", false},
      {"$ISOLATE -M$META -d /x=/nowhere-at-all --run -- /bin/true"},
      {"$ISOLATE -v -M/nowhere/meta --run -- /bin/true", false},
      {"$ISOLATE -v -M/dev/full --run -- /bin/true"},
      {"$ISOLATE -v -M/dev/stdout --run -- /bin/true | grep -e Run -e exitcode"},
      {"$ISOLATE -v -M. --run -- /bin/true", false},
      {"umask 077; $ISOLATE -v --run -- /bin/sh -c 'umask'", false},
      {"ulimit -n 100; $ISOLATE -v --run -- /bin/true", false},
      {"ulimit -t 500; $ISOLATE -v --run -- /bin/true", false},
      {"ulimit -v 4000000; $ISOLATE -v --run -- /bin/true", false},
      {"ulimit -u 4000; $ISOLATE -v -p --run -- /bin/sh -c 'ulimit -H -u'", false},
      {"setarch -R $ISOLATE -v --run -- /bin/true", false},
      {"chrt -b 0 $ISOLATE -v --run -- /bin/true", false},
      {"nice -n 3 $ISOLATE -v --run -- /bin/true", false},
      {"$ISOLATE -v -M$META --run -- /bin/cat <&-", false},
      {"$ISOLATE -v -M$META --run -- /bin/echo x >&-", false},
      {"ulimit -S -f 0; $ISOLATE -v -M$META --run -- /bin/true"},
      {"(trap '' HUP; exec $ISOLATE -v -M$META --run -- /bin/sleep 0.5) & child=$!; sleep 0.2; kill -HUP $child; wait $child"},
      {"$ISOLATE -v -M$META --run -- /bin/sleep 0.5 & child=$!; sleep 0.2; kill -PIPE $child; wait $child"},
      {"rm -f pipe; mkfifo pipe; cat pipe >read & $ISOLATE -v -Mpipe --run -- /bin/true; wait; grep -e exitcode read"},
      {"rm -f pipe; mkfifo pipe; timeout 1 $ISOLATE -v -Mpipe --run -- /bin/true"},
      {"cd /; $ISOLATE -v --inherit-fds --run -- /bin/true", false},
      {"cd $TALLY_ISOLATE_ROOT/..; export TALLY_ISOLATE_ROOT=boxes; $ISOLATE -v -Mmeta --run -- /bin/echo relative"},
      {"env -i TALLY_ISOLATE_ROOT=$TALLY_ISOLATE_ROOT $ISOLATE -v -e -M$META --run -- /usr/bin/env"},
      {"export BIG=$(head -c 100000 /dev/zero | tr '\\0' x) MORE=$(head -c 100000 /dev/zero | tr '\\0' x); $ISOLATE -v -M$META --run -- /bin/true", false},
      {"$ISOLATE -v -M$META --run -- /bin/sleep 5 & child=$!; sleep 0.2; kill -TERM $child; wait $child"},  // which ends the keeper, too
  };
  const TestBox kept, bare;
  MakeWithoutKeeper(bare);
  for (const Wording& wording : wordings) {
    if (kSanitized && Has(wording.command, "ulimit -v")) continue;  // a sanitizer takes terabytes of address space
    CAPTURE(wording.command);
    const Said by_keeper = RunWording(kept, wording.command), alone = RunWording(bare, wording.command);
    CHECK(by_keeper.status == alone.status);
    CHECK(Replaced(by_keeper.text, "Run by the box's keeper", "Run without a keeper") == alone.text);
    CHECK(by_keeper.meta == alone.meta);
    if (Has(alone.text, "Run without")) CHECK(Has(by_keeper.text, "Run by the box's keeper") == wording.kept);
  }
}

Fd ConnectedTo(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  REQUIRE(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return socket;
}

// A --run's words, and one descriptor more than go with them.
void SendFourDescriptors(int socket) {
  std::string words{"run\0001\0isolate\0", 14};
  iovec part{words.data(), words.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(4 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(4 * sizeof(int));
  const std::array<int, 4> descriptors{0, 1, 2, 0};
  std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof descriptors);
  REQUIRE(::sendmsg(socket, &message, 0) == static_cast<ssize_t>(words.size()));
}

TEST_CASE("isolate: who connects to the keeper and says nothing, or sends what it does not take, keeps no run from it", "[isolate]") {
  const TestBox box;
  const std::string path = box.folder() + "/boxes/0.socket";
  {
    const Fd silent = ConnectedTo(path);
    CHECK(box.Isolate("--version >/dev/null; timeout -k 0.5 0.2 \"$ISOLATE\" --run -- /bin/true; echo $?").out == "124\n");
  }
  const Fd silent = ConnectedTo(path), odd = ConnectedTo(path);
  SendFourDescriptors(odd.get());
  CHECK(Has(box.Run("-v -- /bin/true").process.error, "Run by the box's keeper\n"));
}

// As CMS has it where two programs talk: each end is opened by another run.
TEST_CASE("isolate: a run that waits for the other end of a named pipe begins with it, and ends by SIGTERM", "[isolate]") {
  const TestBox kept, bare;
  MakeWithoutKeeper(bare);
  for (const TestBox* box : {&kept, &bare}) {
    CHECK(box->Run("-- /bin/true").process.status == 0);
    REQUIRE(::mkfifo((box->path() + "/pipe").c_str(), 0666) == 0);
    const auto waiting = [&](const std::string& meanwhile) {
      return box->Isolate("--version >/dev/null; timeout -k 1 2 \"$ISOLATE\" --special-files --stdin=pipe --run -s -- /bin/cat & " + meanwhile + "; wait $!; echo $?").out;
    };
    CHECK(waiting("echo word >" + box->path() + "/pipe") == "word\n0\n");
    CHECK(waiting("sleep 0") == "124\n");
    CHECK(box->Isolate("--cleanup").status == 0);
  }
}

TEST_CASE("isolate: a folder that is another one at the next run is seen as it is then", "[isolate]") {
  const TestBox box;
  const std::string folder = box.folder() + "/data";
  for (const char* text : {"one\n", "two\n"}) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    ::chmod(folder.c_str(), 0755);
    std::ofstream(folder + "/file") << text;
    CHECK(box.Run("-d /data=" + folder + " -- /bin/cat /data/file").process.out == text);
  }
}

TEST_CASE("isolate: when who asked for a run is killed, its program ends, and the box can be used again", "[isolate]") {
  const TestBox box;
  const std::string name = "sleep 300." + std::to_string(::getpid());
  box.Isolate("--run -- /bin/" + name + " & child=$!; sleep 0.5; kill -9 $child; wait $child; sleep 0.5");
  CHECK(Shell("grep -lzx '300." + std::to_string(::getpid()) + "' /proc/[0-9]*/cmdline 2>/dev/null").out.empty());
  CHECK(box.Run("-- /bin/echo again").process.out == "again\n");
}

TEST_CASE("isolate: a box that somebody has made a link is refused, and where it leads stays as it is", "[isolate]") {
  TestBox box;
  const ScratchFolder elsewhere;
  std::filesystem::permissions(elsewhere.path(), std::filesystem::perms(0755));
  std::ofstream(elsewhere.path() + "/file") << "x";
  std::filesystem::remove_all(box.path());
  std::filesystem::create_directory_symlink(elsewhere.path(), box.path());
  const BoxResult result = box.Run("-- /bin/true");
  CHECK(result.process.status == 2);
  CHECK(Has(result.process.error, "/box is not a folder"));
  CHECK(result.Get("status") == "XX");
  CHECK(std::filesystem::status(elsewhere.path()).permissions() == std::filesystem::perms(0755));
  box.Isolate("--cleanup");
  CHECK(std::filesystem::exists(elsewhere.path() + "/file"));
}

TEST_CASE("isolate: where a link leads that has got the number of the box's folder nothing is removed", "[isolate]") {
  const ScratchFolder elsewhere;
  std::ofstream(elsewhere.path() + "/file") << "x";
  for (int left = 50; left > 0; --left) {
    const TestBox box;
    const ino_t number = StatOf(box.path()).st_ino;
    std::filesystem::remove_all(box.path());
    std::filesystem::create_directory_symlink(elsewhere.path(), box.path());
    if (StatOf(box.path()).st_ino == number) left = 0;  // which is so where the keeper was not ready yet
    CHECK(box.Isolate("--cleanup").status == 0);
    REQUIRE(std::filesystem::exists(elsewhere.path() + "/file"));
  }
}

TEST_CASE("isolate: a box that somebody has moved is not emptied through a link to it", "[isolate]") {
  for (const std::string command : {"--cleanup", "--init"}) {
    const TestBox box;
    const std::string moved = box.folder() + "/moved", there = box.folder() + "/boxes/0";
    std::filesystem::rename(there, moved);
    std::filesystem::create_directory_symlink(moved, there);
    std::ofstream(moved + "/mine") << "x";
    CHECK(box.Isolate(command).status == 0);
    CHECK(std::filesystem::exists(moved + "/mine"));
    CHECK_FALSE(std::filesystem::is_symlink(there));
  }
}

}  // namespace
}  // namespace tally
