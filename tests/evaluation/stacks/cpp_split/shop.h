#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace shop {

enum class Color : std::uint8_t { kRed, kGreen, kBlue };

struct Item {
  std::string name;
  int count = 0;
  double price = 0;
  std::vector<std::string> tags;
  bool operator==(const Item&) const = default;
};

class NotThere : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class TooFew : public std::runtime_error {
 public:
  TooFew(int wanted, int there) : std::runtime_error("too few: " + std::to_string(there)), wanted_(wanted), there_(there) {}
  int wanted() const { return wanted_; }
  int there() const { return there_; }

 private:
  int wanted_, there_;
};

struct Refusal {
  int code;
  std::string why;
};

// Its members are containers.
class Store {
 public:
  explicit Store(std::string name);
  void add(const Item& item);
  void take(const std::string& name, int count);
  int count(const std::string& name) const;
  const std::string& name() const;
  Item& operator[](const std::string& name);
  Store& rename(const std::string& name);
  std::size_t size() const { return items_.size(); }
  double total() const;
  static Store of(std::initializer_list<Item> items);
  static int made();

 private:
  std::string name_;
  std::map<std::string, Item> items_;
};

// Its members are what the solution alone can follow.
class IntStack {
 public:
  IntStack();
  IntStack(const IntStack& other);
  IntStack& operator=(const IntStack& other);
  ~IntStack();
  void push(int value);
  int pop();
  bool empty() const { return size_ == 0; }
  std::size_t size() const;
  IntStack& operator<<(int value);

 private:
  struct Node;
  Node* top_;
  std::size_t size_;
};

class Fraction {
 public:
  Fraction(int top = 0, int bottom = 1);
  Fraction operator+(const Fraction& other) const;
  Fraction& operator+=(const Fraction& other);
  bool operator==(const Fraction& other) const;
  bool operator<(const Fraction& other) const;
  explicit operator double() const;
  int operator()(int times) const;
  int top() const { return top_; }
  int bottom() const { return bottom_; }
  friend std::ostream& operator<<(std::ostream& out, const Fraction& fraction);

 private:
  int top_, bottom_;
};

template <class T>
struct Range {
  T low, high;
  T width() const { return high - low; }
};

struct Tree {
  int key;
  std::unique_ptr<Tree> left, right;
};

struct Link {
  int value;
  Link* next = nullptr;
};

int add(int a, int b);
long add(long a, long b);
double mean(const std::vector<double>& numbers);
bool is_even(unsigned n);
char next(char c);
float half(float f);
long double twice(long double x);
Color other(Color c);
std::string upper(std::string text);
std::size_t letters(std::string_view text, char letter);
std::string greeting(const char* name);
const char* name_of(Color c);
std::vector<std::string> split(const std::string& text, char at = ' ');
std::map<std::string, int> count_words(const std::vector<std::string>& words);
std::unordered_map<int, std::string> names(const std::set<int>& numbers);
std::optional<int> find(const std::vector<int>& numbers, int wanted);
std::pair<int, int> extremes(const std::deque<int>& numbers);
std::tuple<int, std::string, bool> three();
std::array<int, 3> sorted(std::array<int, 3> numbers);
std::list<std::pair<std::string, std::vector<int>>> nested(std::vector<std::vector<int>> rows);
std::variant<int, std::string> parse(const std::string& text);
std::vector<bool> bits(int n);
void sort(std::vector<int>& numbers);
void swap(std::string& a, std::string& b);
void scale(std::span<double> numbers, double by);
int sum(std::initializer_list<int> numbers);
void fill(std::array<std::array<int, 3>, 2>& grid, int with);
std::vector<int> consumed(std::vector<int>&& numbers);
int depth(std::stack<int> numbers);
Item cheapest(const std::vector<Item>& items);
void discount(Item& item, double by);
Range<int> around(int n);
std::unique_ptr<Tree> insert(std::unique_ptr<Tree> tree, int key);
int total(const Tree& tree);
int& larger(int& a, int& b);
Color color_of(const std::string& name);
int checked(int n);
int refused(int n);
void say(const std::string& text);
int counter();
void push_all(std::vector<IntStack>& stacks, int value);
Link* push(Link* list, int value);
Link* reversed(Link* list);
Link* without(Link* list, int value);
int sum(const Link* list);
void release(Link* list);
int& at(std::vector<std::vector<int>>& rows, int row, int column);

}  // namespace shop

extern "C" int plain(int n, const char* text);
