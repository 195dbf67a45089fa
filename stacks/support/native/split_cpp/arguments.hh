// Arguments of calls (calls.hh): how one of each type goes to the solution's process, what is there for it, and how it comes back.
#pragma once

#include "library.hh"

namespace tally_split {

template <class T>
concept InRegisters = std::is_trivially_copy_constructible_v<T> && std::is_trivially_move_constructible_v<T> && std::is_trivially_destructible_v<T>;

// Arguments ------------------------------------------------------------------------------------------------------------

template <class P>
struct Param {
  using T = std::remove_cvref_t<P>;
  using Pass = std::conditional_t<std::is_reference_v<P> || InRegisters<T>, P, T&>;
  // Who has given one by value destroys it, so he must know what became of it.
  static constexpr bool kBack = std::is_reference_v<P>  ? !std::is_const_v<std::remove_reference_t<P>>
                                : std::is_pointer_v<P> ? !std::is_const_v<std::remove_pointer_t<P>>
                                                       : !InRegisters<T>;
  static consteval bool Crosses() {
    if constexpr (!requires { sizeof(T); }) return false;
    else return !std::is_polymorphic_v<T> && tally_split::Crosses<T>();
  }
  static void Put(Out& out, const T& value) { tally_split::Put(out, value); }
  static void PutBack(Out& out, const T& value) {
    if constexpr (kBack) tally_split::Put(out, value);
  }
  static void TakeBack(In& in, std::conditional_t<kBack, T&, const T&> value) {
    if constexpr (kBack) Update(in, value);
  }
  static constexpr bool kOfNew = false;
  struct Slot : Held<T> {
    Pass Give() {
      if constexpr (std::is_rvalue_reference_v<P>) return std::move(this->value);
      else return this->value;
    }
    void PutBack(Out& out) { Param::PutBack(out, this->value); }
  };
};

// The object of a constructor: nothing goes there, all comes back.
template <class T>
struct New {};
template <class O>
struct Param<New<O>> {
  using Pass = O*;
  static constexpr bool kOfNew = true;
  static consteval bool Crosses() { return Param<O>::Crosses(); }
  static void Put(Out&, O*) {}
  static void PutBack(Out& out, O* object) { tally_split::Put(out, *object); }
  static void TakeBack(In& in, O* object) { Make(in, object); }
  struct Slot : Held<O> {
    void Read(In&) {}
    O* Give() { return &this->value; }
    void PutBack(Out& out) {
      this->made = true;
      Param::PutBack(out, &this->value);
    }
  };
};
// And of a destructor: nothing comes back.
template <class T>
struct Old {};
template <class O>
struct Param<Old<O>> : Param<const O&> {
  using Pass = O*;
  static void Put(Out& out, O* object) { tally_split::Put(out, *object); }
  static void PutBack(Out&, O*) {}
  static void TakeBack(In&, O*) {}
  struct Slot : Held<O> {
    O* Give() {
      this->made = false;
      return &this->value;
    }
    void PutBack(Out&) {}
  };
};

// What only arguments are: of another type where they are kept.
template <class P, class Kept>
struct Lent {
  using Pass = P;
  static constexpr bool kOfNew = false;
  static consteval bool Crosses() { return tally_split::Crosses<Kept>(); }
  static void PutBack(Out&, const P&) {}
  static void TakeBack(In&, const P&) {}
};
template <class C>
struct Param<std::basic_string_view<C>> : Lent<std::basic_string_view<C>, std::basic_string<C>> {
  static void Put(Out& out, std::basic_string_view<C> text) { Value<std::basic_string<C>>::Put(out, std::basic_string<C>(text)); }
  struct Slot {
    std::basic_string<C> kept;
    void Read(In& in) { kept = Value<std::basic_string<C>>::Get(in); }
    std::basic_string_view<C> Give() { return kept; }
    void PutBack(Out&) {}
  };
};
template <>
struct Param<const char*> : Lent<const char*, std::string> {
  static void Put(Out& out, const char* text) {
    Value<std::optional<std::string>>::Put(out, text == nullptr ? std::optional<std::string>() : std::optional<std::string>(text));
  }
  struct Slot {
    std::optional<std::string> kept;
    void Read(In& in) { kept = Value<std::optional<std::string>>::Get(in); }
    const char* Give() { return kept ? kept->c_str() : nullptr; }
    void PutBack(Out&) {}
  };
};
template <class E>
struct Param<std::initializer_list<E>> : Lent<std::initializer_list<E>, std::vector<E>> {
  static void Put(Out& out, std::initializer_list<E> all) {
    out.Number(static_cast<std::uint32_t>(all.size()));
    for (const E& one : all) tally_split::Put(out, one);
  }
  struct Slot {
    std::vector<E> kept;
    void Read(In& in) { kept = Value<std::vector<E>>::Get(in); }
    std::initializer_list<E> Give() {
      struct {
        const E* begin;
        std::size_t size;
      } const list = {kept.data(), kept.size()};
      return std::bit_cast<std::initializer_list<E>>(list);
    }
    void PutBack(Out&) {}
  };
};
template <class E>
struct Param<std::span<E>> : Lent<std::span<E>, std::vector<std::remove_const_t<E>>> {
  using Kept = std::vector<std::remove_const_t<E>>;
  static consteval bool Crosses() { return !std::is_same_v<std::remove_const_t<E>, bool> && tally_split::Crosses<Kept>(); }
  static void Put(Out& out, std::span<E> all) {
    out.Number(static_cast<std::uint32_t>(all.size()));
    for (const E& one : all) tally_split::Put(out, one);
  }
  static void PutBack(Out& out, std::span<E> all) {
    if constexpr (!std::is_const_v<E>) Put(out, all);
  }
  static void TakeBack(In& in, std::span<E> all) {
    if constexpr (!std::is_const_v<E>) {
      if (in.Count() != all.size()) tally_split_side.misunderstood("another number of elements");
      for (E& one : all) Update(in, one);
    }
  }
  struct Slot {
    Kept kept;
    void Read(In& in) { kept = Value<Kept>::Get(in); }
    std::span<E> Give() { return kept; }
    void PutBack(Out& out) { Param::PutBack(out, kept); }
  };
};
// What is written into it is written by the tests, in the format that they have set.
template <>
struct Param<std::ostream&> {
  using Pass = std::ostream&;
  static constexpr bool kOfNew = false;
  static consteval bool Crosses() { return true; }
  static void Put(Out& out, std::ostream& stream) {
    for (const auto number : {static_cast<std::uint32_t>(stream.flags()), static_cast<std::uint32_t>(stream.precision()), static_cast<std::uint32_t>(stream.width())}) out.Number(number);
    out.bytes += stream.fill();
  }
  static void PutBack(Out& out, std::ostream& stream) { out.Visit(&stream); }
  static void TakeBack(In& in, std::ostream& stream) {
    stream.flags(static_cast<std::ios_base::fmtflags>(in.Number()));
    stream.precision(static_cast<int>(in.Number()));
    stream.width(0);
    const std::string text = Value<std::string>::Get(in);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  struct Slot {
    std::ostringstream kept;
    void Read(In& in) {
      kept.flags(static_cast<std::ios_base::fmtflags>(in.Number()));
      kept.precision(static_cast<int>(in.Number()));
      kept.width(static_cast<int>(in.Number()));
      kept.fill(*in.Bytes(1));
    }
    std::ostream& Give() { return kept; }
    void PutBack(Out& out) {
      out.Visit<std::ostream>(&kept);
      out.Number(static_cast<std::uint32_t>(kept.flags()));
      out.Number(static_cast<std::uint32_t>(kept.precision()));
      Value<std::string>::Put(out, kept.str());
    }
  };
};

}  // namespace tally_split
