// Values of the standard library's types: strings, containers, and what else is more than its parts.
#pragma once

#include "values.hh"

namespace tally_split {

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
