// Calls of functions of the solution's: what either side does.
//
//   question  number of the function, arguments
//   answer    0, arguments that may have changed, the result; or 1, arguments, the exception (exceptions.hh)
//
// Functions have their symbols' names and none in C++: a method takes its object as the first argument, a constructor memory for one. The
// ABI has these alike. What a function takes or returns by value in memory is an address here, so no copy is made that the types would notice.
#pragma once

#include "arguments.hh"
#include "exceptions.hh"

namespace tally_split {

// Results --------------------------------------------------------------------------------------------------------------

// Of a class that is returned in memory: the same memory.
template <class T>
struct InMemory {
  union {
    T value;
  };
  explicit InMemory(In& in) { Make(in, &value); }
  InMemory(const InMemory&) = delete;
  ~InMemory() {}
};

template <class R>
struct Result {
  using T = std::remove_cv_t<R>;
  using Back = std::conditional_t<InRegisters<T>, T, InMemory<T>>;
  static consteval bool Crosses() {
    if constexpr (!requires { sizeof(T); }) return false;
    else return !std::is_polymorphic_v<T> && tally_split::Crosses<T>();
  }
  static const T& Of(const T& result) { return result; }
  static const T& Of(const InMemory<T>& result) { return result.value; }
};
template <>
struct Result<void> {
  using Back = void;
  static consteval bool Crosses() { return true; }
};
template <>
struct Result<const char*> {
  using Back = const char*;
  static consteval bool Crosses() { return true; }
};
// Of a reference: to one of the arguments or a part of it, or else to a copy.
template <class T>
struct Result<T&> {
  using Back = T&;
  static consteval bool Crosses() { return std::is_same_v<T, std::ostream> || Param<T&>::Crosses(); }
};

// Functions ------------------------------------------------------------------------------------------------------------

// Gives members their types' own values.
struct Emptier {
  template <class T>
  void operator()(T& part) {
    if constexpr (std::is_default_constructible_v<T>) new (const_cast<std::remove_const_t<T>*>(&part)) T();
  }
  template <class T>
  void Pointer(T& pointer) {
    pointer = nullptr;
  }
};

template <class R, class... P>
struct Function {
  using Back = typename Result<R>::Back;
  using Real = Back (*)(typename Param<P>::Pass...);

  static consteval bool Crosses() { return Result<R>::Crosses() && (Param<P>::Crosses() && ...); }

  // The tests' side: what stands in the place of the function.
  template <std::uint32_t kNumber>
  static Back Stub(typename Param<P>::Pass... arguments) {
    return Ask(kNumber, static_cast<typename Param<P>::Pass>(arguments)...);
  }
  static Back Ask(std::uint32_t number, typename Param<P>::Pass... arguments) {
    Graph graph;
    Out out{&graph};
    out.Number(number);
    (Param<P>::Put(out, arguments), ...);
    graph.Put(out);
    std::size_t size = 0;
    const char* answer = tally_split_side.ask(out.bytes.data(), out.bytes.size(), &size);
    if (answer == nullptr) return Nothing(arguments...);
    In in{answer, size, &graph};
    graph.Begin();
    const bool thrown = Value<bool>::Get(in);
    ([&] { if (!thrown || !Param<P>::kOfNew) Param<P>::TakeBack(in, arguments); }(), ...);
    if (thrown) {
      graph.Take(in);
      Throw(in);
    }
    if constexpr (std::is_void_v<R>) {
      Ended(in);
    } else if constexpr (std::is_reference_v<R>) {
      return Referred(in, arguments...);
    } else if constexpr (std::is_same_v<R, const char*>) {
      const auto text = Value<std::optional<std::string>>::Get(in);
      Ended(in);
      return text ? (new std::string(*text))->c_str() : nullptr;
    } else if constexpr (std::is_same_v<Back, std::remove_cv_t<R>>) {
      Held<Back> result(in);
      Ended(in);
      return result.value;
    } else {
      return Made(in);
    }
  }

  // The solution's.
  static void Answer(Real function, In& in, Out& out) { AnswerWith(function, in, out, std::index_sequence_for<P...>()); }

 private:
  static void Ended(In& in) {
    in.graph->Take(in);
    if (in.left != 0) tally_split_side.misunderstood("more than a message");
  }

  // In the caller's memory.
  struct AtEnd {
    In& in;
    ~AtEnd() { Ended(in); }
  };
  static Back Made(In& in) {
    const AtEnd end{in};
    return Back(in);
  }

  template <class T = std::remove_cvref_t<R>>
  static Back Referred(In& in, typename Param<P>::Pass... arguments) {
    Out visit;
    visit.wanted = static_cast<int>(in.Number());
    visit.sought_type = &kType<T>;
    if (visit.wanted >= 0) {
      (Param<P>::PutBack(visit, arguments), ...);
      Ended(in);
      if (visit.at == nullptr) tally_split_side.misunderstood("a reference to no argument");
      return *static_cast<T*>(const_cast<void*>(visit.at));
    }
    if constexpr (std::is_same_v<T, std::ostream>) {
      tally_split_side.end("with params.split a function of the solution can return the stream that it was given, and no other one");
    } else {
      auto* copy = new Held<T>(in);
      Ended(in);
      return copy->value;
    }
  }

  // While cases are listed.
  template <class... A>
  static Back Nothing(A&... arguments) {
    (void)std::initializer_list<int>{(MakeEmpty<P>(arguments), 0)...};
    if constexpr (std::is_void_v<R>) return;
    else if constexpr (!std::is_reference_v<R> && std::is_default_constructible_v<Back> && InRegisters<Back>) return Back();
    else throw std::runtime_error("nobody is there to be asked");
  }
  template <class Q, class A>
  static void MakeEmpty(A& argument) {
    Emptier emptier;
    if constexpr (Param<Q>::kOfNew) Parts<std::remove_pointer_t<A>>::Each(*argument, emptier);
  }

  template <class T>
  static void PutResult(Out& out, const T& result) {
    tally_split::Put(out, Result<R>::Of(result));
    using Known = std::remove_cv_t<R>;
    if constexpr (!std::is_same_v<T, Known> && kIsAlone<Known>) std::destroy_at(const_cast<Known*>(&Result<R>::Of(result)));
  }

  template <std::size_t... I>
  static void AnswerWith(Real function, In& in, Out& out, std::index_sequence<I...>) {
    Graph graph;
    in.graph = out.graph = &graph;
    std::tuple<typename Param<P>::Slot...> slots;
    (std::get<I>(slots).Read(in), ...);
    graph.Take(in);
    graph.Begin();
    const std::size_t begin = out.bytes.size();
    try {
      out.bytes += '\0';
      if constexpr (std::is_void_v<R>) {
        function(std::get<I>(slots).Give()...);
        (std::get<I>(slots).PutBack(out), ...);
      } else if constexpr (std::is_reference_v<R>) {
        using T = std::remove_cvref_t<R>;
        auto& result = function(std::get<I>(slots).Give()...);
        out.sought = &result;
        out.sought_type = &kType<T>;
        (std::get<I>(slots).PutBack(out), ...);
        out.Number(static_cast<std::uint32_t>(out.found));
        if constexpr (!std::is_same_v<T, std::ostream>) {
          if (out.found < 0) tally_split::Put<T>(out, result);
        }
      } else {
        const auto& result = function(std::get<I>(slots).Give()...);
        (std::get<I>(slots).PutBack(out), ...);
        if constexpr (std::is_same_v<R, const char*>) Param<const char*>::Put(out, result);
        else PutResult(out, result);
      }
      graph.Put(out);
    } catch (...) {
      out.bytes.resize(begin);
      out.bytes += '\1';
      graph.Begin();
      ([&] { if (!Param<P>::kOfNew) std::get<I>(slots).PutBack(out); }(), ...);
      graph.Put(out);
      PutException(out);
    }
  }
};

// Of one in C, by its declaration.
template <class T>
struct OfType;
template <class R, class... P>
struct OfType<R(P...)> {
  using type = Function<R, P...>;
};
template <class R, class... P>
struct OfType<R(P...) noexcept> : OfType<R(P...)> {};

}  // namespace tally_split
