// headrace/bench/tasks.hpp: a function with its timed loop, and how a suite takes it. Not for users.
#pragma once

#include "../bench.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {

namespace detail::timing {

#ifdef __OPTIMIZE__
struct compiled {
  static constexpr bool optimised = true;
};
#else
struct compiled_without {
  static constexpr bool optimised = false;
};
using compiled = compiled_without;
#endif

struct nothing {
  void operator()() const noexcept {}
};

template <class F, class... State>
[[gnu::always_inline]] inline void call_and_keep(F& f, State&... state) {
  if constexpr (std::is_void_v<decltype(f(state...))>) f(state...);
  else keep(f(state...));
}

// The timed loop. Aligned, so that two functions of equal body get equal loops wherever the linker puts them.
// The clobber ends each call: calls are neither merged into one sum nor is the loop removed.
// `Compiled` only makes the symbol of a file without optimisation differ from that of a file with it.
template <class Compiled, class F>
[[gnu::noinline, gnu::aligned(64)]] void repeat(F& f, std::size_t calls) {
  for (; calls != 0; --calls) {
    call_and_keep(f);
    clobber();
  }
}

// One registered function, its type erased.
class task {
 public:
  task() = default;
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  virtual ~task() = default;
  // Nanoseconds of `calls` calls: the function's, and those of an empty loop.
  virtual std::uint64_t time(std::size_t calls, clock_function now) = 0;
  virtual std::uint64_t time_nothing(std::size_t calls, clock_function now) = 0;

  bench_result result;
  bool singly = false;  // each call is timed by itself, because a setup comes before each
  double wall = 0;      // nanoseconds per call, setup included
  double spent = 0;     // nanoseconds in the rounds of compare()
  bool compared = true;
};

template <class Compiled, class F>
class plain_task final : public task {
 public:
  template <class G>
  explicit plain_task(G&& g) : f_(std::forward<G>(g)) {
    result.unoptimised = !Compiled::optimised;
  }
  std::uint64_t time(std::size_t calls, clock_function now) override {
    const std::uint64_t begin = now();
    repeat<Compiled>(f_, calls);
    return now() - begin;
  }
  std::uint64_t time_nothing(std::size_t calls, clock_function now) override {
    nothing none;
    const std::uint64_t begin = now();
    repeat<Compiled>(none, calls);
    return now() - begin;
  }

 private:
  alignas(64) F f_;  // the same place in a cache line for every function
};

template <class Compiled, class S, class F>
class setup_task final : public task {
 public:
  template <class R, class G>
  setup_task(R&& r, G&& g) : setup_(std::forward<R>(r)), f_(std::forward<G>(g)) {
    singly = true;
    result.unoptimised = !Compiled::optimised;
  }
  std::uint64_t time(std::size_t calls, clock_function now) override {
    std::uint64_t sum = 0;
    for (; calls != 0; --calls) sum += time_call(now);
    return sum;
  }
  std::uint64_t time_nothing(std::size_t, clock_function) override { return 0; }

 private:
  [[gnu::noinline]] std::uint64_t time_call(clock_function now) {
    if constexpr (std::is_void_v<decltype(setup_())>) {
      setup_();
      return timed(now);
    } else {
      auto state = setup_();
      return timed(now, state);
    }
  }
  template <class... State>
  [[gnu::always_inline]] std::uint64_t timed(clock_function now, State&... state) {
    (keep(state), ...);
    clobber();
    const std::uint64_t begin = now();
    call_and_keep(f_, state...);
    clobber();
    return now() - begin;
  }

  S setup_;
  alignas(64) F f_;
};

}  // namespace detail::timing

template <class F>
const bench_result& bench::run(std::string_view name, F&& f) {
  using made = detail::timing::plain_task<detail::timing::compiled, std::decay_t<F>>;
  return measure(new made(std::forward<F>(f)), name, 0);
}

template <class S, class F>
const bench_result& bench::run(std::string_view name, S&& setup, F&& f) {
  using made = detail::timing::setup_task<detail::timing::compiled, std::decay_t<S>, std::decay_t<F>>;
  return measure(new made(std::forward<S>(setup), std::forward<F>(f)), name, 0);
}

template <class F>
const bench_growth& bench::scale(std::string_view name, std::initializer_list<std::size_t> sizes, F&& f) {
  check_sizes(name, sizes);
  for (const std::size_t n : sizes) {
    auto call = [&f, n] { return f(n); };
    using made = detail::timing::plain_task<detail::timing::compiled, decltype(call)>;
    measure(new made(call), name, n);
  }
  return grow(name);
}

template <class S, class F>
const bench_growth& bench::scale(std::string_view name, std::initializer_list<std::size_t> sizes, S&& make, F&& f) {
  check_sizes(name, sizes);
  for (const std::size_t n : sizes) {
    auto prepare = [&make, n] { return make(n); };
    auto call = [&f](auto& state) { return f(state); };
    using made = detail::timing::setup_task<detail::timing::compiled, decltype(prepare), decltype(call)>;
    measure(new made(prepare, call), name, n);
  }
  return grow(name);
}

}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace

#if !defined(HEADRACE_BENCH_IMPLEMENTATION) || (1 - HEADRACE_BENCH_IMPLEMENTATION - 1) != 0
#include "suite.hpp"
#endif
