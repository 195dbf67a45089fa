// Values in messages between tests and solution in C++: what can cross, and how it is written.
//
// The types are those of the functions' declarations in the include files, compiled into both sides; nothing of them is in a message. So what
// the solution's process says can become values of these types and nothing else. Each length is held against what has come.
//
// A class of the include files crosses member by member (generate.cc lists these). Its raw pointers that are not public are numbers of what
// stays in the solution's process: addresses without memory in the tests' (handle).
#pragma once

#include "message.hh"

namespace tally_split {

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

// Pointers -------------------------------------------------------------------------------------------------------------

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

}  // namespace tally_split
