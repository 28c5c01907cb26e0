// headrace/bench/tasks.hpp: keep() and clobber(), random bits, and a function with its timed loop, as a suite takes it.
// Not for users.
#pragma once

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

template <class T>
constexpr bool fits_register() {
  if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>) return sizeof(T) <= sizeof(void*);
  else return false;
}

// A float has registers of its own: to move it to another and back would double the time of a chain of products.
template <class T>
constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, double>;
#if defined(__SSE2__)
#define HEADRACE_BENCH_FLOAT "x"
#elif defined(__aarch64__)
#define HEADRACE_BENCH_FLOAT "w"
#else
#define HEADRACE_BENCH_FLOAT "r"
#endif

}  // namespace detail::timing

template <class T>
[[gnu::always_inline]] inline void keep(T&& value) noexcept {
  using plain = std::remove_reference_t<T>;
  constexpr bool is_fixed = std::is_const_v<plain> || !std::is_lvalue_reference_v<T>;
  if constexpr (!detail::timing::fits_register<std::remove_cv_t<plain>>())
    asm volatile("" : : "r"(__builtin_addressof(value)) : "memory");
  else if constexpr (detail::timing::is_float<std::remove_cv_t<plain>>) {
    if constexpr (is_fixed) asm volatile("" : : HEADRACE_BENCH_FLOAT(value) : "memory");
    else asm volatile("" : "+" HEADRACE_BENCH_FLOAT(value) : : "memory");
  } else if constexpr (is_fixed) asm volatile("" : : "r"(value) : "memory");
  else asm volatile("" : "+r"(value) : : "memory");
}

#undef HEADRACE_BENCH_FLOAT

[[gnu::always_inline]] inline void clobber() noexcept { asm volatile("" : : : "memory"); }

inline rng::rng(std::uint64_t seed) noexcept {
  for (std::uint64_t& word : state_) {
    std::uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    word = z ^ (z >> 31);
  }
}

inline std::uint64_t rng::operator()() noexcept {
  const auto turn = [](std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); };
  const std::uint64_t sum = turn(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = turn(state_[3], 45);
  return sum;
}

inline std::uint64_t rng::below(std::uint64_t bound) noexcept {
  if (bound == 0) return 0;
  const std::uint64_t surplus = (0 - bound) % bound;  // 2^64 mod bound: values below it would favour small results
  std::uint64_t x = (*this)();
  while (x < surplus) x = (*this)();
  return x % bound;
}

inline double rng::uniform() noexcept { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

template <class T>
void rng::shuffle(T* first, std::size_t count) noexcept {
  for (std::size_t i = count; i > 1; --i) {
    const auto j = static_cast<std::size_t>(below(i));
    T held = std::move(first[i - 1]);
    first[i - 1] = std::move(first[j]);
    first[j] = std::move(held);
  }
}

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
