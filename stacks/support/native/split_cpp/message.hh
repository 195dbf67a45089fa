// Messages between tests and solution in C++, as bytes: one that is written, one that is read, and the objects that pointers in them lead to.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "side.h"

namespace tally_split {

inline constexpr int kDeepest = 10000;

// The address is the type's.
template <class T>
inline constexpr char kType = 0;

struct Out;
struct In;

// What public pointers lead to, in one call: an object has its number in the order in which pointers to it came, on both sides. It is written
// once in a message, behind all values.
struct Graph {
  struct Node {
    void* object;
    const char* type;
    void (*put)(Out& out, const void* object);
    void (*take)(In& in, void* object, bool is_new, bool is_constant);
    bool is_new, is_constant;  // constant: only pointers to constants lead to it
  };
  std::vector<Node> nodes;
  std::unordered_map<const void*, std::uint32_t> numbers;
  std::vector<bool> reached;         // in this message
  std::vector<std::uint32_t> queue;  // to be written or read

  void Begin() {
    reached.assign(nodes.size(), false);
    queue.clear();
  }
  bool Reach(std::uint32_t number) {
    if (reached.size() < nodes.size()) reached.resize(nodes.size());
    if (reached[number]) return false;
    queue.push_back(number);
    return reached[number] = true;
  }
  void Put(Out& out) {
    for (std::size_t i = 0; i < queue.size(); ++i) nodes[queue[i]].put(out, nodes[queue[i]].object);
  }
  void Take(In& in) {
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Node node = nodes[queue[i]];
      nodes[queue[i]].is_new = false;
      node.take(in, node.object, node.is_new, node.is_constant);
    }
  }
};

// A message that is written. Values in it are visited in one order on both sides, so the solution can say which one a reference means.
struct Out {
  Graph* graph = nullptr;
  std::string bytes;
  int visited = 0;
  const char* sought_type = nullptr;
  const void* sought = nullptr;  // an address, to find its number,
  int found = -1;
  int wanted = -1;  // or a number, to find its address
  const void* at = nullptr;

  template <class T>
  void Visit(const T* value) {
    if (sought_type == &kType<T>) {
      if (value == sought && found < 0) found = visited;
      if (visited == wanted) at = value;
    }
    ++visited;
  }
  void Bytes(const void* from, std::size_t size) { bytes.append(static_cast<const char*>(from), size); }
  void Number(std::uint32_t number) { Bytes(&number, sizeof number); }
};

struct In {
  const char* at;
  std::size_t left;
  Graph* graph = nullptr;
  int depth = 0;

  const char* Bytes(std::size_t size) {
    if (size > left) tally_split_side.misunderstood("less than a message");
    const char* begin = at;
    at += size;
    left -= size;
    return begin;
  }
  std::uint32_t Number() {
    std::uint32_t number = 0;
    std::memcpy(&number, Bytes(sizeof number), sizeof number);
    return number;
  }
  // Of values; each has a byte at least.
  std::size_t Count() {
    const std::size_t count = Number();
    if (count > left) tally_split_side.misunderstood("less than a message");
    return count;
  }
};

}  // namespace tally_split
