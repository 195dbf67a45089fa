// Values in messages between tests and solution in C++: what can cross, and how it is written.
//
// The types are those of the functions' declarations in the include files, compiled into both sides; nothing of them is in a message. So what
// the solution's process says can become values of these types and nothing else. Each length is held against what has come.
//
// A class of the include files crosses member by member (generate.cc lists these). Its raw pointers that are not public are numbers of what
// stays in the solution's process: addresses without memory in the tests' (handle).
#pragma once

#include <any>
#include <array>
#include <bit>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstring>
#include <deque>
#include <forward_list>
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

// Types ----------------------------------------------------------------------------------------------------------------

// Of a class of the include files: its members, one by one (generated).
template <class T>
struct Members {
  static constexpr bool known = false, whole = false;
};

// What is the sum of its parts: Each visits them.
template <class T>
struct Parts : Members<T> {};
template <class A, class B>
struct Parts<std::pair<A, B>> {
  static constexpr bool whole = true;
  template <int D>
  static consteval bool Crosses();
  template <class P, class V>
  static void Each(P& pair, V& visit) {
    visit(pair.first);
    visit(pair.second);
  }
};
template <class... A>
struct Parts<std::tuple<A...>> {
  static constexpr bool whole = true;
  template <int D>
  static consteval bool Crosses();
  template <class P, class V>
  static void Each(P& tuple, V& visit) {
    std::apply([&visit](auto&... parts) { (visit(parts), ...); }, tuple);
  }
};
template <class A, std::size_t N>
struct Parts<std::array<A, N>> {
  static constexpr bool whole = true;
  template <int D>
  static consteval bool Crosses();
  template <class P, class V>
  static void Each(P& array, V& visit) {
    for (std::size_t i = 0; i < N; ++i) visit(array[i]);
  }
};
template <class A, std::size_t N>
struct Parts<A[N]> : Parts<std::array<A, N>> {};
// Adaptors are their containers.
template <class T>
struct Adapted {
  static constexpr bool whole = true;
  template <int D>
  static consteval bool Crosses();
  template <class P, class V>
  static void Each(P& adaptor, V& visit) {
    visit(adaptor.c);
  }
};
template <class... A>
struct Parts<std::stack<A...>> : Adapted<std::stack<A...>> {};
template <class... A>
struct Parts<std::queue<A...>> : Adapted<std::queue<A...>> {};
template <class... A>
struct Parts<std::priority_queue<A...>> : Adapted<std::priority_queue<A...>> {};

// All else.
template <class T>
struct Value {
  static constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
  template <int D>
  static consteval bool Crosses() {
    return is_plain;
  }
  static void Put(Out& out, const T& value) { out.Bytes(&value, sizeof value); }
  static T Get(In& in) {
    T value{};
    if constexpr (std::is_same_v<T, bool>) {
      const char byte = *in.Bytes(1);
      if (byte != 0 && byte != 1) tally_split_side.misunderstood("a bool that is neither");
      value = byte != 0;
    } else {
      std::memcpy(&value, in.Bytes(sizeof value), sizeof value);
    }
    return value;
  }
};

// Of what is no more than 6 types deep; classes may be parts of themselves. From kAlone on the question is another one: may the value be
// destroyed where it came to? What a class' pointers lead to, or its destructor in the solution takes care of, is another value's, too.
inline constexpr int kAlone = 100;
template <class T, int D = 6>
consteval bool Crosses() {
  if constexpr (D == 0 || D == kAlone) return true;
  else if constexpr (std::is_const_v<T>) return Crosses<std::remove_const_t<T>, D>();
  else if constexpr (Parts<T>::whole) return Parts<T>::template Crosses<D - 1>();
  else return Value<T>::template Crosses<D - 1>();
}

template <class A, class B>
template <int D>
consteval bool Parts<std::pair<A, B>>::Crosses() {
  return tally_split::Crosses<A, D>() && tally_split::Crosses<B, D>();
}
template <class... A>
template <int D>
consteval bool Parts<std::tuple<A...>>::Crosses() {
  return (tally_split::Crosses<A, D>() && ...);
}
template <class A, std::size_t N>
template <int D>
consteval bool Parts<std::array<A, N>>::Crosses() {
  return tally_split::Crosses<A, D>();
}
template <class T>
template <int D>
consteval bool Adapted<T>::Crosses() {
  return tally_split::Crosses<typename T::container_type, D>();
}

// Any value ------------------------------------------------------------------------------------------------------------

template <class T>
void Put(Out& out, const T& value);
template <class T>
void Make(In& in, T* at);

struct Putter {
  Out& out;
  template <class T>
  void operator()(const T& part) {
    Put(out, part);
  }
  template <class T>
  void Pointer(T* pointer) {
    out.Number(tally_split_side.number_of(const_cast<void*>(static_cast<const void*>(pointer))));
  }
};

// Into memory that holds nothing.
struct Maker {
  In& in;
  template <class T>
  void operator()(T& part) {
    Make(in, const_cast<std::remove_const_t<T>*>(&part));
  }
  template <class P>
  void Pointer(P& pointer) {
    const_cast<std::remove_const_t<P>&>(pointer) = static_cast<P>(tally_split_side.address_of(in.Number()));
  }
};

template <class T>
void Put(Out& out, const T& value) {
  out.Visit(&value);
  if constexpr (Parts<T>::whole) {
    out.bytes += '\1';
    Putter putter{out};
    Parts<T>::Each(value, putter);
  } else {
    Value<T>::Put(out, value);
  }
}

template <class T>
void Make(In& in, T* at) {
  if (++in.depth > kDeepest) tally_split_side.misunderstood("values in values without an end");
  if constexpr (Parts<T>::whole) {
    in.Bytes(1);
    Maker maker{in};
    Parts<T>::Each(*at, maker);
  } else {
    new (static_cast<void*>(at)) T(Value<T>::Get(in));
  }
  --in.depth;
}

template <class T>
constexpr bool kIsAlone = Crosses<T, kAlone + 6>();

// One that is destroyed if it is no image of another one.
template <class T>
struct Held {
  union {
    T value;
  };
  bool made = false;
  Held() {}
  explicit Held(In& in) { Read(in); }
  Held(const Held&) = delete;
  void Read(In& in) {
    Make(in, &value);
    made = true;
  }
  ~Held() {
    if constexpr (kIsAlone<T>) {
      if (made) std::destroy_at(&value);
    }
  }
};

// Over what is there.
template <class T>
void Update(In& in, T& value);
struct Updater {
  In& in;
  template <class T>
  void operator()(T& part) {
    Update(in, part);
  }
  template <class P>
  void Pointer(P& pointer) {
    Maker{in}.Pointer(pointer);
  }
};
template <class T>
void Update(In& in, T& value) {
  if constexpr (Parts<T>::whole) {
    in.Bytes(1);
    Updater updater{in};
    Parts<T>::Each(value, updater);
  } else if constexpr (std::is_const_v<T>) {
    Held<std::remove_const_t<T>> nothing(in);
  } else if constexpr (kIsAlone<T>) {
    value = Value<T>::Get(in);
  } else {
    new (static_cast<void*>(&value)) T(Value<T>::Get(in));
  }
}

// The library's --------------------------------------------------------------------------------------------------------

template <class C, class... A>
struct Value<std::basic_string<C, A...>> {
  using T = std::basic_string<C, A...>;
  template <int D>
  static consteval bool Crosses() {
    return true;
  }
  static void Put(Out& out, const T& text) {
    out.Number(static_cast<std::uint32_t>(text.size()));
    out.Bytes(text.data(), text.size() * sizeof(C));
  }
  static T Get(In& in) {
    const std::size_t size = in.Count();
    const char* bytes = in.Bytes(size * sizeof(C));
    T text(size, C());
    std::memcpy(text.data(), bytes, size * sizeof(C));
    return text;
  }
};

// `Element`: what is read; `Add` puts it in.
template <class T, class Element>
struct Container {
  template <int D>
  static consteval bool Crosses() {
    return tally_split::Crosses<Element, D>();
  }
  static void Put(Out& out, const T& all) {
    out.Number(static_cast<std::uint32_t>(std::distance(all.begin(), all.end())));
    for (const auto& one : all) tally_split::Put(out, one);
  }
  static T Get(In& in) {
    T all;
    std::size_t count = in.Count();
    for (std::size_t i = 0; i < count; ++i) {
      Held<Element> one(in);
      if constexpr (requires { all.push_back(std::move(one.value)); }) {
        all.push_back(std::move(one.value));
      } else {
        all.insert(std::move(one.value));
      }
    }
    if (static_cast<std::size_t>(std::distance(all.begin(), all.end())) != count) tally_split_side.misunderstood("a set or map with one element twice");
    return all;
  }
};
template <class E, class... A>
struct Value<std::vector<E, A...>> : Container<std::vector<E, A...>, E> {};
// Of numbers all at once.
template <class E, class... A>
  requires(std::is_arithmetic_v<E> && !std::is_same_v<E, bool>)
struct Value<std::vector<E, A...>> {
  template <int D>
  static consteval bool Crosses() {
    return true;
  }
  static void Put(Out& out, const std::vector<E, A...>& all) {
    out.Number(static_cast<std::uint32_t>(all.size()));
    out.Bytes(all.data(), all.size() * sizeof(E));
    if (out.sought_type == &kType<E>) {
      for (const E& one : all) out.Visit(&one);
    } else {
      out.visited += static_cast<int>(all.size());
    }
  }
  static std::vector<E, A...> Get(In& in) {
    const std::size_t count = in.Count();
    const char* bytes = in.Bytes(count * sizeof(E));
    std::vector<E, A...> all(count);
    if (count > 0) std::memcpy(all.data(), bytes, count * sizeof(E));
    return all;
  }
};
template <class E, class... A>
struct Value<std::list<E, A...>> : Container<std::list<E, A...>, E> {};
template <class E, class... A>
struct Value<std::deque<E, A...>> : Container<std::deque<E, A...>, E> {};
template <class E, class... A>
struct Value<std::set<E, A...>> : Container<std::set<E, A...>, E> {};
template <class E, class... A>
struct Value<std::multiset<E, A...>> : Container<std::multiset<E, A...>, E> {};
template <class E, class... A>
struct Value<std::unordered_set<E, A...>> : Container<std::unordered_set<E, A...>, E> {};
template <class E, class... A>
struct Value<std::unordered_multiset<E, A...>> : Container<std::unordered_multiset<E, A...>, E> {};
template <class K, class E, class... A>
struct Value<std::map<K, E, A...>> : Container<std::map<K, E, A...>, std::pair<K, E>> {};
template <class K, class E, class... A>
struct Value<std::multimap<K, E, A...>> : Container<std::multimap<K, E, A...>, std::pair<K, E>> {};
template <class K, class E, class... A>
struct Value<std::unordered_map<K, E, A...>> : Container<std::unordered_map<K, E, A...>, std::pair<K, E>> {};
template <class K, class E, class... A>
struct Value<std::unordered_multimap<K, E, A...>> : Container<std::unordered_multimap<K, E, A...>, std::pair<K, E>> {};

template <class... A>
struct Value<std::vector<bool, A...>> {
  template <int D>
  static consteval bool Crosses() {
    return true;
  }
  static void Put(Out& out, const std::vector<bool, A...>& bits) { Value<std::string>::Put(out, std::string(bits.begin(), bits.end())); }
  static std::vector<bool, A...> Get(In& in) {
    const std::string text = Value<std::string>::Get(in);
    return std::vector<bool, A...>(text.begin(), text.end());
  }
};

template <class T>
struct Value<std::optional<T>> {
  template <int D>
  static consteval bool Crosses() {
    return tally_split::Crosses<T, D>();
  }
  static void Put(Out& out, const std::optional<T>& value) {
    Value<bool>::Put(out, value.has_value());
    if (value) tally_split::Put(out, *value);
  }
  static std::optional<T> Get(In& in) {
    if (!Value<bool>::Get(in)) return std::nullopt;
    Held<T> one(in);
    return std::optional<T>(std::move(one.value));
  }
};

template <class T, class... A>
struct Value<std::unique_ptr<T, A...>> {
  template <int D>
  static consteval bool Crosses() {
    if constexpr (requires { sizeof(T); }) return !std::is_array_v<T> && !std::is_polymorphic_v<T> && tally_split::Crosses<T, D>();
    return false;
  }
  static void Put(Out& out, const std::unique_ptr<T, A...>& value) {
    Value<bool>::Put(out, value != nullptr);
    if (value) tally_split::Put(out, *value);
  }
  static std::unique_ptr<T, A...> Get(In& in) {
    if (!Value<bool>::Get(in)) return nullptr;
    T* at = std::allocator<T>().allocate(1);
    Make(in, at);
    return std::unique_ptr<T, A...>(at);
  }
};

// To an object of a class of the include files. 0: none, 1: what was deleted, 2 and more: a number.
template <class T>
  requires(Members<std::remove_const_t<T>>::known)
struct Value<T*> {
  using O = std::remove_const_t<T>;
  template <int D>
  static consteval bool Crosses() {
    return D < kAlone && Members<O>::whole && !std::is_polymorphic_v<O> && tally_split::Crosses<O, D>();
  }
  static void PutObject(Out& out, const void* object) { tally_split::Put(out, *static_cast<const O*>(object)); }
  static void TakeObject(In& in, void* object, bool is_new, bool is_constant) {
    if (is_new) Make(in, static_cast<O*>(object));
    else if (is_constant) Make(in, std::allocator<O>().allocate(1));
    else Update(in, *static_cast<O*>(object));
  }
  static void Put(Out& out, T* const& pointer) {
    if (pointer == nullptr) return out.Number(0);
    if (out.graph == nullptr) return;  // it is asked what lies where
    if (tally_split_side.is_deleted != nullptr && tally_split_side.is_deleted(pointer)) return out.Number(1);
    Graph& graph = *out.graph;
    const auto [at, is_new] = graph.numbers.emplace(pointer, static_cast<std::uint32_t>(graph.nodes.size()));
    if (is_new) graph.nodes.push_back({const_cast<O*>(pointer), &kType<O>, PutObject, TakeObject, false, true});
    graph.nodes[at->second].is_constant &= std::is_const_v<T>;
    out.Number(at->second + 2);
    graph.Reach(at->second);
  }
  static T* Get(In& in) {
    const std::uint32_t said = in.Number(), number = said - 2;
    if (said < 2) return nullptr;
    Graph& graph = *in.graph;
    if (number > graph.nodes.size()) tally_split_side.misunderstood("a pointer to what is not there");
    if (number == graph.nodes.size()) {
      void* object = std::allocator<O>().allocate(1);
      if (tally_split_side.keep != nullptr) tally_split_side.keep(object);
      graph.numbers.emplace(object, number);
      graph.nodes.push_back({object, &kType<O>, PutObject, TakeObject, true, false});
    }
    if (graph.nodes[number].type != &kType<O>) tally_split_side.misunderstood("a pointer to something else");
    graph.Reach(number);
    return static_cast<O*>(graph.nodes[number].object);
  }
};

template <class... A>
struct Value<std::variant<A...>> {
  using T = std::variant<A...>;
  template <int D>
  static consteval bool Crosses() {
    return (tally_split::Crosses<A, D>() && ...);
  }
  static void Put(Out& out, const T& value) {
    out.Number(static_cast<std::uint32_t>(value.index()));
    std::visit([&out](const auto& one) { tally_split::Put(out, one); }, value);
  }
  template <std::size_t I>
  static T GetOne(In& in, std::size_t which) {
    if constexpr (I < sizeof...(A)) {
      if (which != I) return GetOne<I + 1>(in, which);
      Held<std::variant_alternative_t<I, T>> one(in);
      return T(std::in_place_index<I>, std::move(one.value));
    }
    tally_split_side.misunderstood("no such alternative");
  }
  static T Get(In& in) { return GetOne<0>(in, in.Number()); }
};
template <>
struct Value<std::monostate> {
  template <int D>
  static consteval bool Crosses() {
    return true;
  }
  static void Put(Out& out, std::monostate) { out.bytes += '\0'; }
  static std::monostate Get(In& in) { return in.Bytes(1), std::monostate(); }
};

template <class T>
struct Value<std::complex<T>> {
  template <int D>
  static consteval bool Crosses() {
    return true;
  }
  static void Put(Out& out, const std::complex<T>& value) { out.Bytes(&value, sizeof value); }
  static std::complex<T> Get(In& in) {
    std::complex<T> value;
    std::memcpy(static_cast<void*>(&value), in.Bytes(sizeof value), sizeof value);
    return value;
  }
};
template <class R, class P>
struct Value<std::chrono::duration<R, P>> {
  template <int D>
  static consteval bool Crosses() {
    return std::is_arithmetic_v<R>;
  }
  static void Put(Out& out, const std::chrono::duration<R, P>& value) { Value<R>::Put(out, value.count()); }
  static std::chrono::duration<R, P> Get(In& in) { return std::chrono::duration<R, P>(Value<R>::Get(in)); }
};

}  // namespace tally_split
