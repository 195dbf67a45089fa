// Exceptions in answers: those of the standard library and of the include files are thrown by the tests' side as themselves, with their texts
// and members; another one as what it derives from in the standard library. So none of a framework's comes from a solution.
//
//   0 class, text, members     a class of the lists below; text only of what derives from std::exception
//   1 int   2 const char*   3 std::string   4 something else
#pragma once

#include "library.hh"

#include <cxxabi.h>

#include <any>
#include <filesystem>
#include <future>
#include <ios>
#include <regex>
#include <system_error>

namespace tally_split {

template <class... T>
struct Types {};
// What derives from another one comes before it.
using StandardExceptions =
    Types<std::invalid_argument, std::domain_error, std::length_error, std::out_of_range, std::logic_error, std::range_error, std::overflow_error, std::underflow_error,
          std::runtime_error, std::bad_array_new_length, std::bad_alloc, std::bad_any_cast, std::bad_cast, std::bad_typeid, std::bad_exception, std::bad_optional_access,
          std::bad_variant_access, std::bad_function_call, std::bad_weak_ptr, std::exception>;

// Stands for an argument whose type is anything.
struct Anything {
  template <class T>
    requires(std::is_default_constructible_v<T> && !std::is_base_of_v<std::exception, T>)
  operator T() const {
    return T();
  }
};

template <class T>
constexpr bool kIsException = std::is_base_of_v<std::exception, T>;
template <class T>
consteval bool CanBeThrown() {
  if constexpr (std::is_abstract_v<T>) return false;
  else if constexpr (kIsException<T> && !Members<T>::known) return std::is_copy_constructible_v<T>;
  else if constexpr (kIsException<T>) return std::is_copy_constructible_v<T> && !Members<T>::pointers && Members<T>::template Crosses<6>();
  else return !std::is_polymorphic_v<T> && std::is_move_constructible_v<T> && Crosses<T>();
}

template <class T>
void PutThrown(Out& out, const T& thrown) {
  if constexpr (kIsException<T>) {
    Value<std::string>::Put(out, thrown.what());
    Putter putter{out};
    if constexpr (Members<T>::known) Members<T>::Each(thrown, putter);
  } else {
    Put(out, thrown);
  }
}

template <class T>
[[noreturn]] void ThrowWith(T thrown, In& in, const std::string& text) {
  if constexpr (std::is_base_of_v<std::runtime_error, T>) static_cast<std::runtime_error&>(thrown) = std::runtime_error(text);
  else if constexpr (std::is_base_of_v<std::logic_error, T>) static_cast<std::logic_error&>(thrown) = std::logic_error(text);
  Updater updater{in};
  if constexpr (Members<T>::known) Members<T>::Each(thrown, updater);
  throw thrown;
}

template <class T>
[[noreturn]] void ThrowOne(In& in) {
  if constexpr (!CanBeThrown<T>()) {
    tally_split_side.misunderstood("an exception that cannot be thrown");
  } else if constexpr (!kIsException<T>) {
    Held<T> one(in);
    throw T(std::move(one.value));
  } else {
    const std::string text = Value<std::string>::Get(in);
    if constexpr (std::is_constructible_v<T, const std::string&>) ThrowWith(T(text), in, text);
    else if constexpr (std::is_constructible_v<T, const char*>) ThrowWith(T(text.c_str()), in, text);
    else if constexpr (std::is_default_constructible_v<T>) ThrowWith(T(), in, text);
    else if constexpr (std::is_constructible_v<T, int>) ThrowWith(T(0), in, text);
    else if constexpr (std::is_constructible_v<T, Anything, Anything>) ThrowWith(T(Anything(), Anything()), in, text);
    else if constexpr (std::is_constructible_v<T, Anything, Anything, Anything>) ThrowWith(T(Anything(), Anything(), Anything()), in, text);
    else tally_split_side.end("with params.split an exception whose constructors take neither a text nor nothing cannot go from the solution to the tests");
  }
}

template <class... S, class... I>
[[noreturn]] void ThrowNumbered(In& in, std::uint32_t number, Types<S...>, Types<I...>) {
  using Thrower = void (*)(In&);
  static constexpr Thrower kThrowers[] = {ThrowOne<S>..., ThrowOne<I>...};
  if (number >= std::size(kThrowers)) tally_split_side.misunderstood("an exception that is not there");
  kThrowers[number](in);
  __builtin_unreachable();
}

template <class T>
bool PutIfThis(Out& out, std::uint32_t number, bool exactly) {
  if constexpr (CanBeThrown<T>()) {
    try {
      throw;
    } catch (const T& thrown) {
      if constexpr (std::is_polymorphic_v<T>) {
        if (exactly && typeid(thrown) != typeid(T)) return false;
      }
      out.Number(0);
      out.Number(number);
      PutThrown<T>(out, thrown);
      return true;
    } catch (...) {
    }
  }
  return false;
}

// The one that is caught. First as itself, then as what it derives from.
template <class... S, class... I>
void PutAsOneOf(Out& out, Types<S...>, Types<I...>) {
  for (const bool exactly : {true, false}) {
    std::uint32_t standard = 0, included = sizeof...(S);
    if ((PutIfThis<I>(out, included++, exactly) || ...)) return;
    if ((PutIfThis<S>(out, standard++, exactly) || ...)) return;
  }
  try {
    throw;
  } catch (int value) {
    out.Number(1);
    Value<int>::Put(out, value);
  } catch (const char* text) {
    out.Number(2);
    Value<std::string>::Put(out, text);
  } catch (const std::string& text) {
    out.Number(3);
    Value<std::string>::Put(out, text);
  } catch (...) {
    out.Number(4);
  }
}

// The generated code has them, with the classes of the include files.
inline void PutException(Out& out);
[[noreturn]] inline void Throw(In& in);

template <class List>
[[noreturn]] void ThrowFrom(In& in) {
  switch (in.Number()) {
    case 0: ThrowNumbered(in, in.Number(), StandardExceptions(), List());
    case 1: throw Value<int>::Get(in);
    case 2: throw static_cast<const char*>((new std::string(Value<std::string>::Get(in)))->c_str());
    case 3: throw Value<std::string>::Get(in);
    case 4: throw std::runtime_error("with params.split: an exception of a class that the tests do not know");
    default: tally_split_side.misunderstood("no exception");
  }
}

}  // namespace tally_split
