// What solutions in C++ try from a process of their own, instead of returning 42. The messages are those of split/wire.h and split_cpp/calls.hh.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#define CHEATS(CHEAT)                                                                                                                          \
  CHEAT(garbage) CHEAT(endless) CHEAT(empty) CHEAT(no_kind) CHEAT(another_kind) CHEAT(shorter) CHEAT(longer) CHEAT(printed_much)                \
  CHEAT(gives_reasons) CHEAT(neither_result_nor_exception) CHEAT(throws_no_number) CHEAT(throws_nothing_known) CHEAT(throws_cut_off)            \
  CHEAT(throws_the_frameworks) CHEAT(throws_what_is_named_so) CHEAT(throws_an_integer) CHEAT(throws_in_a_thread) CHEAT(throws_while_thrown)     \
  CHEAT(exits) CHEAT(exits_at_once) CHEAT(exits_quickly) CHEAT(terminates) CHEAT(crashes) CHEAT(aborts) CHEAT(hangs) CHEAT(floods) CHEAT(eats) \
  CHEAT(ends_its_thread) CHEAT(forks_and_answers) CHEAT(forks_guesses) CHEAT(executes) CHEAT(jumps) CHEAT(closes_all) CHEAT(answers_twice)      \
  CHEAT(writes_everywhere) CHEAT(looks_for_tests) CHEAT(reads_memory) CHEAT(looks_for_the_framework) CHEAT(unwinds_its_caller)

#define DECLARE(name) int name();
CHEATS(DECLARE)

// A value that is equal to everything, if its members say so; and one whose members are the solution's.
struct Answer {
  int value = 0;
  bool operator==(int other) const { return value == other; }
};
class Handle {
 public:
  Handle();
  int value() const;
  bool is_known() const { return where_ != nullptr; }
  int read() const { return *where_; }

 private:
  int* where_;
};
struct Deep {
  std::unique_ptr<Deep> next;
};

struct Link {
  int value;
  Link* next = nullptr;
};

Answer returns_less();
Link* returns_no_link();
Link* returns_half_a_link();
Link* returns_a_changed_constant(const Link* link);
int reads_around(const Link* link);
std::string returns_a_long_text();
std::vector<int> returns_many();
std::vector<std::vector<std::string>> returns_many_in_many();
std::map<int, int> returns_one_twice();
std::set<std::string> returns_too_few();
std::optional<int> returns_an_odd_optional();
bool returns_an_odd_bool();
std::variant<int, std::string> returns_no_alternative();
int& returns_no_argument(int& argument);
int& returns_another_type(std::string& text, int& argument);
Handle returns_an_unknown_handle();
Deep returns_depth();
const char* returns_no_end();
void changes_a_constant(const std::vector<int>& numbers);
void changes_its_size(std::vector<int>& numbers);
void keeps(int& where);
int writes_later();
int reads_beside(const int& in);
std::string oracle(const std::string& text);
