#include "shop.h"

#include <algorithm>
#include <iostream>
#include <numeric>

namespace shop {

static int made_count = 0;

Store::Store(std::string name) : name_(std::move(name)) { ++made_count; }
void Store::add(const Item& item) {
  if (item.name.empty()) throw std::invalid_argument("an item has a name");
  Item& there = items_[item.name];
  const int before = there.count;
  there = item;
  there.count += before;
}
void Store::take(const std::string& name, int count) {
  const auto at = items_.find(name);
  if (at == items_.end()) throw NotThere("no " + name);
  if (at->second.count < count) throw TooFew(count, at->second.count);
  at->second.count -= count;
  if (at->second.count == 0) items_.erase(at);
}
int Store::count(const std::string& name) const {
  const auto at = items_.find(name);
  return at == items_.end() ? 0 : at->second.count;
}
const std::string& Store::name() const { return name_; }
Item& Store::operator[](const std::string& name) { return items_.at(name); }
Store& Store::rename(const std::string& name) {
  name_ = name;
  return *this;
}
double Store::total() const {
  double sum = 0;
  for (const auto& [name, item] : items_) sum += item.count * item.price;
  return sum;
}
Store Store::of(std::initializer_list<Item> items) {
  Store store("of");
  for (const Item& item : items) store.add(item);
  return store;
}
int Store::made() { return made_count; }

struct IntStack::Node {
  int value;
  Node* next;
};
IntStack::IntStack() : top_(nullptr), size_(0) {}
IntStack::IntStack(const IntStack& other) : top_(nullptr), size_(other.size_) {
  Node** to = &top_;
  for (const Node* at = other.top_; at != nullptr; at = at->next) {
    *to = new Node{at->value, nullptr};
    to = &(*to)->next;
  }
}
IntStack& IntStack::operator=(const IntStack& other) {
  IntStack copy(other);
  std::swap(top_, copy.top_);
  std::swap(size_, copy.size_);
  return *this;
}
IntStack::~IntStack() {
  while (top_ != nullptr) delete std::exchange(top_, top_->next);
}
void IntStack::push(int value) {
  top_ = new Node{value, top_};
  ++size_;
}
int IntStack::pop() {
  if (top_ == nullptr) throw std::out_of_range("the stack is empty");
  const int value = top_->value;
  delete std::exchange(top_, top_->next);
  --size_;
  return value;
}
std::size_t IntStack::size() const { return size_; }
IntStack& IntStack::operator<<(int value) {
  push(value);
  return *this;
}

Fraction::Fraction(int top, int bottom) : top_(top), bottom_(bottom) {
  if (bottom == 0) throw std::domain_error("a fraction of nothing");
  const int by = std::gcd(top, bottom);
  top_ /= by;
  bottom_ /= by;
}
Fraction Fraction::operator+(const Fraction& other) const { return {top_ * other.bottom_ + other.top_ * bottom_, bottom_ * other.bottom_}; }
Fraction& Fraction::operator+=(const Fraction& other) { return *this = *this + other; }
bool Fraction::operator==(const Fraction& other) const { return top_ == other.top_ && bottom_ == other.bottom_; }
bool Fraction::operator<(const Fraction& other) const { return top_ * other.bottom_ < other.top_ * bottom_; }
Fraction::operator double() const { return static_cast<double>(top_) / bottom_; }
int Fraction::operator()(int times) const { return times * top_ / bottom_; }
std::ostream& operator<<(std::ostream& out, const Fraction& fraction) { return out << fraction.top_ << '/' << fraction.bottom_; }

int add(int a, int b) { return a + b; }
long add(long a, long b) { return a + b + 1000; }
double mean(const std::vector<double>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size()); }
bool is_even(unsigned n) { return n % 2 == 0; }
char next(char c) { return static_cast<char>(c + 1); }
float half(float f) { return f / 2; }
long double twice(long double x) { return 2 * x; }
Color other(Color c) { return c == Color::kRed ? Color::kGreen : Color::kRed; }
std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}
std::size_t letters(std::string_view text, char letter) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), letter)); }
std::string greeting(const char* name) { return std::string("hello, ") + (name == nullptr ? "you" : name); }
const char* name_of(Color c) { return c == Color::kRed ? "red" : c == Color::kGreen ? "green" : nullptr; }
std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}
std::map<std::string, int> count_words(const std::vector<std::string>& words) {
  std::map<std::string, int> count;
  for (const std::string& word : words) ++count[word];
  return count;
}
std::unordered_map<int, std::string> names(const std::set<int>& numbers) {
  std::unordered_map<int, std::string> all;
  for (const int n : numbers) all[n] = std::to_string(n);
  return all;
}
std::optional<int> find(const std::vector<int>& numbers, int wanted) {
  const auto at = std::find(numbers.begin(), numbers.end(), wanted);
  return at == numbers.end() ? std::nullopt : std::optional<int>(static_cast<int>(at - numbers.begin()));
}
std::pair<int, int> extremes(const std::deque<int>& numbers) {
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  return {*low, *high};
}
std::tuple<int, std::string, bool> three() { return {1, "two", true}; }
std::array<int, 3> sorted(std::array<int, 3> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}
std::list<std::pair<std::string, std::vector<int>>> nested(std::vector<std::vector<int>> rows) {
  std::list<std::pair<std::string, std::vector<int>>> all;
  for (auto& row : rows) all.emplace_back(std::to_string(row.size()), row);
  return all;
}
std::variant<int, std::string> parse(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); })) return std::stoi(text);
  return text;
}
std::vector<bool> bits(int n) {
  std::vector<bool> all;
  for (; n > 0; n /= 2) all.push_back(n % 2 != 0);
  return all;
}
void sort(std::vector<int>& numbers) { std::sort(numbers.begin(), numbers.end()); }
void swap(std::string& a, std::string& b) { std::swap(a, b); }
void scale(std::span<double> numbers, double by) {
  for (double& one : numbers) one *= by;
}
int sum(std::initializer_list<int> numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0); }
void fill(std::array<std::array<int, 3>, 2>& grid, int with) {
  for (auto& row : grid) row.fill(with);
}
std::vector<int> consumed(std::vector<int>&& numbers) { return std::move(numbers); }
int depth(std::stack<int> numbers) {
  int n = 0;
  for (; !numbers.empty(); numbers.pop()) ++n;
  return n;
}
Item cheapest(const std::vector<Item>& items) {
  return *std::min_element(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.price < b.price; });
}
void discount(Item& item, double by) {
  item.price -= by;
  item.tags.push_back("sale");
}
Range<int> around(int n) { return {n - 1, n + 1}; }
std::unique_ptr<Tree> insert(std::unique_ptr<Tree> tree, int key) {
  if (tree == nullptr) return std::make_unique<Tree>(Tree{key, nullptr, nullptr});
  std::unique_ptr<Tree>& side = key < tree->key ? tree->left : tree->right;
  side = insert(std::move(side), key);
  return tree;
}
int total(const Tree& tree) { return tree.key + (tree.left ? total(*tree.left) : 0) + (tree.right ? total(*tree.right) : 0); }
int& larger(int& a, int& b) { return a < b ? b : a; }
Color color_of(const std::string& name) {
  if (name == "red") return Color::kRed;
  if (name == "number") throw 42;
  if (name == "text") throw std::string("no color");
  if (name == "refusal") throw Refusal{7, "never"};
  if (name == "memory") throw std::bad_alloc();
  struct Own : std::length_error {
    using std::length_error::length_error;
  };
  if (name == "own") throw Own("mine");
  return std::map<std::string, Color>{}.at(name);
}
int checked(int n) { return n > 0 ? n : throw std::logic_error("not above 0"); }
int refused(int n) {
  if (n < 0) throw NotThere("none");
  return n;
}
void say(const std::string& text) { std::cout << text << "\n"; }
int counter() {
  static int count = 0;
  return ++count;
}
void push_all(std::vector<IntStack>& stacks, int value) {
  for (IntStack& stack : stacks) stack.push(value);
}
Link* push(Link* list, int value) { return new Link{value, list}; }
Link* reversed(Link* list) {
  Link* before = nullptr;
  while (list != nullptr) {
    Link* next = std::exchange(list->next, before);
    before = std::exchange(list, next);
  }
  return before;
}
Link* without(Link* list, int value) {
  if (list == nullptr) return nullptr;
  list->next = without(list->next, value);
  if (list->value != value) return list;
  Link* next = list->next;
  delete list;
  return next;
}
int sum(const Link* list) { return list == nullptr ? 0 : list->value + sum(list->next); }
void release(Link* list) {
  while (list != nullptr) delete std::exchange(list, list->next);
}
int& at(std::vector<std::vector<int>>& rows, int row, int column) { return rows.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column)); }

}  // namespace shop

int plain(int n, const char* text) { return n + static_cast<int>(std::string(text).size()); }
