#include "cheats.h"

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>
#include <unwind.h>

// What the framework calls its own.
namespace testing {
class AssertionException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
namespace internal {
class GoogleTestFailureException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
}  // namespace internal
class UnitTest {
 public:
  static UnitTest* GetInstance();
};
}  // namespace testing
namespace Catch {
struct TestFailureException {};
}  // namespace Catch

static int answers = -1;
static std::string text;

__attribute__((constructor)) static void Early(int argc, char** argv) { answers = argc > 2 ? std::atoi(argv[2]) : -1; }

// Another initializer of a static, that would end the tests where it ran in their process.
static const int initialized = [] {
  for (int fd = 3; fd < 1000; ++fd) {
    if (fd != answers && fd != answers - 1) (void)!write(fd, "0123456789abcdef0123456789abcdef done 1\n0\n", 42);
  }
  return 1;
}();

static void Number(std::uint32_t number) { text.append(reinterpret_cast<const char*>(&number), 4); }
static void Head() {
  text.clear();
  Number(0);
  Number(0);
  text += '\0';
}
static void Send(char kind) {
  const auto size = static_cast<std::uint32_t>(text.size());
  (void)!write(answers, &size, 4);
  (void)!write(answers, &kind, 1);
  (void)!write(answers, text.data(), text.size());
}
static int Wait() { return sleep(100), 0; }
static int Say() { return Send('r'), Wait(); }

int garbage() { return text = std::string(1000, 'r'), (void)!write(answers, text.data(), text.size()), Wait(); }
int endless() { return (void)!write(answers, "\xff\xff\xff\xffr", 5), Wait(); }
int empty() { return (void)!write(answers, "\0\0\0\0r", 5), Wait(); }
int no_kind() { return Head(), Number(42), Send('?'), Wait(); }
int another_kind() { return Head(), Number(42), Send('c'), Wait(); }
int shorter() { return Head(), Say(); }
int longer() { return Head(), Number(42), Number(42), Say(); }
int printed_much() { return text.clear(), Number(1u << 31), Number(0), text += '\0', Number(42), Say(); }
int gives_reasons() { return text = "<testcase/>", Send('x'), Wait(); }
int neither_result_nor_exception() { return Head(), text.back() = '\7', Number(42), Say(); }
int throws_no_number() { return Head(), text.back() = '\1', Say(); }
int throws_nothing_known() { return Head(), text.back() = '\1', Number(0), Number(100000), Number(0), Say(); }
int throws_cut_off() { return Head(), text.back() = '\1', Number(0), Number(0), Number(1000), Say(); }
int throws_the_frameworks() { throw testing::AssertionException("x"); }
int throws_what_is_named_so() { throw Catch::TestFailureException(); }
int throws_an_integer() { throw 42; }
int throws_in_a_thread() {
  std::thread([] { throw 42; }).join();
  return 0;
}
int throws_while_thrown() {
  struct Thrower {
    ~Thrower() noexcept(false) { throw 1; }
  } thrower;
  throw 2;
}
int exits() { std::exit(0); }
int exits_at_once() { _exit(0); }
int exits_quickly() { std::quick_exit(0); }
int terminates() { std::terminate(); }
int crashes() { return *reinterpret_cast<volatile int*>(8); }
int aborts() { std::abort(); }
int hangs() {
  for (;;) (void)getpid();
}
int floods() {
  for (;;) std::printf("0123456789012345678901234567890123456789\n");
}
int eats() {
  for (;;) std::memset(std::malloc(1 << 20), 1, 1 << 20);
}
int ends_its_thread() { pthread_exit(nullptr); }
int forks_and_answers() { return fork() == 0 ? 42 : 41; }
int forks_guesses() {
  for (int guess = 0; guess < 50; ++guess) {
    if (fork() == 0) return guess;
  }
  return 0;
}
int executes() { return execl("/bin/true", "true", nullptr); }
int jumps() {
  static jmp_buf before;
  std::longjmp(before, 1);
}
int closes_all() { return close_range(0, ~0u, 0), 42; }
int answers_twice() { return Head(), Number(41), Send('r'), 42; }
int writes_everywhere() {
  for (int fd = 3; fd < 1000; ++fd) {
    if (fd != answers) (void)!write(fd, "0123456789abcdef0123456789abcdef done 1\n0\n", 42);
  }
  return 41;
}
int looks_for_tests() {
  struct stat status;
  for (const char* place : {"/box/tests", "/box/out/run", "/box/out/tests.so", "/box/out/asked", "/proc/self/maps", "/tests"}) {
    if (stat(place, &status) == 0) return 42;
  }
  return 0;
}
int reads_memory() {
  char bytes[64];
  iovec here = {bytes, sizeof bytes}, there = {reinterpret_cast<void*>(0x400000), sizeof bytes};
  for (int pid = 1; pid < 100; ++pid) {
    if (pid != getpid() && process_vm_readv(pid, &here, 1, &there, 1, 0) > 0) return 42;
  }
  return 0;
}
int looks_for_the_framework() {
  for (const char* name : {"_ZN7testing8UnitTest11GetInstanceEv", "_ZN5Catch14getRegistryHubEv", "tally_tests"}) {
    if (dlsym(RTLD_DEFAULT, name) != nullptr) return 42;
  }
  return 0;
}
int unwinds_its_caller() {
  static _Unwind_Exception exception;
  _Unwind_ForcedUnwind(&exception, [](int, _Unwind_Action, _Unwind_Exception_Class, _Unwind_Exception*, _Unwind_Context*, void*) { return _URC_NO_REASON; }, nullptr);
  return 0;
}

Answer returns_less() { return Head(), text += "\1*", Say(), Answer(); }
Link* returns_no_link() { return Head(), Number(100), text += "\1", Number(42), Number(0), Say(), nullptr; }
Link* returns_half_a_link() { return Head(), Number(2), text += "\1", Number(42), Say(), nullptr; }
Link* returns_a_changed_constant(const Link* link) {
  const_cast<Link*>(link)->value = 42;
  return const_cast<Link*>(link);
}
int reads_around(const Link* link) { return link[1].value; }
std::string returns_a_long_text() { return Head(), Number(1u << 31), Say(), ""; }
std::vector<int> returns_many() { return Head(), Number(~0u), Number(42), Say(), std::vector<int>(); }
std::vector<std::vector<std::string>> returns_many_in_many() {
  Head();
  Number(1000);
  for (int i = 0; i < 500; ++i) Number(1000);
  Say();
  return {};
}
std::map<int, int> returns_one_twice() {
  Head();
  Number(2);
  for (int i = 0; i < 2; ++i) text += '\1', Number(1), Number(42);
  return Say(), std::map<int, int>();
}
std::set<std::string> returns_too_few() { return Head(), Number(2), Number(0), Number(0), Say(), std::set<std::string>(); }
std::optional<int> returns_an_odd_optional() { return Head(), text += '\5', Number(42), Say(), std::nullopt; }
bool returns_an_odd_bool() { return Head(), text += '\2', Say(), false; }
std::variant<int, std::string> returns_no_alternative() { return Head(), Number(2), Number(42), Say(), 0; }
int& returns_no_argument(int& argument) { return Head(), Number(42), Number(7), Say(), argument; }
int& returns_another_type(std::string&, int& argument) { return Head(), Number(1), text += 'x', Number(42), Number(0), Say(), argument; }
Handle::Handle() : where_(nullptr) {}
int Handle::value() const { return 41; }
Handle returns_an_unknown_handle() { return Head(), text += '\1', Number(~0u), Say(), Handle(); }
Deep returns_depth() {
  Head();
  for (int i = 0; i < 1000000; ++i) text += "\1\1";
  Say();
  return {};
}
const char* returns_no_end() { return Head(), text += '\1', Number(1000), text += "42", Say(), nullptr; }
void changes_a_constant(const std::vector<int>& numbers) { const_cast<std::vector<int>&>(numbers).assign(3, 42); }
void changes_its_size(std::vector<int>& numbers) { Head(), Number(1u << 30), Number(42), Say(), numbers.clear(); }
static int* kept;
void keeps(int& where) { kept = &where; }
int writes_later() { return *kept = 42, 0; }
int reads_beside(const int& in) { return (&in)[1]; }
std::string oracle(const std::string& in) { return in == "1" ? "honest" : "42"; }
