// headrace/bench.hpp: time functions inside one process, compare them in pairs, and say no more than the data say.
//
//     #include <headrace/bench.hpp>
//     using headrace::keep;
//     headrace::bench suite{"write 100 MiB"};
//     suite.run("fwrite", [&] { keep(write_by_stdc(path, size)); });        // any callable; prints a row at once
//     suite.run("ofstream", [&] { keep(write_by_stdcpp(path, size)); });
//     suite.compare();                                                       // interleaved rounds, verdicts
//
// This header stands alone: C++17 and its standard library, no macro to write, nothing to link. As it is, every
// function is inline, in as many translation units as you like. A program of many translation units can have the
// implementation compiled once: HEADRACE_BENCH_IMPLEMENTATION=0 for all of them leaves only the declarations,
// and HEADRACE_BENCH_IMPLEMENTATION=1 (or defined empty) in exactly one holds the rest.
//
// Contract
// - Times are nanoseconds a call, rates are units a second. Nothing printed or written is ever NaN or infinite.
// - A wrong use (a name twice, a budget of zero, an unknown baseline) throws std::invalid_argument; a file that cannot
//   be written throws std::runtime_error; built with -fno-exceptions both print their sentence and abort.
//   What a measured function throws passes through run() and compare(); that function's row is then left out.
// - Memory: at most 4096 kept samples and 60 rounds a function, however long it runs.
// - One suite belongs to one thread. The functions measured may use threads of their own.
#ifndef HEADRACE_BENCH_HPP
#define HEADRACE_BENCH_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Defined as 0: declarations only. Defined as anything else, or empty: the one place of the definitions.
// Not defined: inline definitions. (1 - X - 1 is 0 for 0, and 2 where X is empty.)
// Cold, that is compiled for size, halves their compile time; none of them runs inside a timed loop.
#if !defined(HEADRACE_BENCH_IMPLEMENTATION)
#define HEADRACE_BENCH_INLINE [[gnu::cold]] inline
#elif (1 - HEADRACE_BENCH_IMPLEMENTATION - 1) != 0
#define HEADRACE_BENCH_INLINE [[gnu::cold]]
#endif

namespace headrace {
inline namespace HEADRACE_ABI {

// Makes the compiler believe that `value` is used, whatever its type; costs nothing for what fits a register.
// A non-const lvalue may also have changed afterwards, as far as the compiler knows: `int n = 20; keep(n);`
// stops it from computing with the 20. A pointer keeps what it points to, because all memory counts as read.
template <class T>
void keep(T&& value) noexcept;

// Makes the compiler believe that all memory was read and written: pending stores happen before it.
void clobber() noexcept;

// Random bits that are the same everywhere for the same seed. xoshiro256++ (Blackman & Vigna, "Scrambled linear
// pseudorandom number generators", 2021), its state filled by splitmix64 (Steele, Lea & Flood, "Fast splittable
// pseudorandom number generators", 2014). A UniformRandomBitGenerator; not for secrets.
class rng {
 public:
  using result_type = std::uint64_t;
  explicit rng(std::uint64_t seed = 1) noexcept;
  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return ~result_type{0}; }
  result_type operator()() noexcept;
  std::uint64_t below(std::uint64_t bound) noexcept;  // uniform in [0, bound), without bias; 0 for a bound of 0
  double uniform() noexcept;                          // uniform in [0, 1), 53 bits
  template <class T>
  void shuffle(T* first, std::size_t count) noexcept;  // Fisher & Yates

 private:
  std::uint64_t state_[4];
};

// What a processor counted in one call, the loop around it (two instructions) included.
struct bench_counters {
  bool present = false;  // false where the machine, the kernel or its settings have none: all are 0 then
  double cycles = 0, instructions = 0, branches = 0, branch_misses = 0;
};

// One function's measurement. A sample is the time of `calls` calls, divided by `calls`.
struct bench_result {
  std::string name;
  std::string unit = "op";    // what one call does `batch` of
  double batch = 1;           // units a call
  std::uint64_t size = 0;     // the n of scale(), 0 without
  std::uint64_t calls = 0;    // calls a sample
  std::uint64_t samples = 0;  // samples taken
  double first = 0;           // the very first call, which is no sample; nanoseconds as all below
  double median = 0, mean = 0, least = 0, most = 0;  // mean, least and most: of all samples
  double p75 = 0, p99 = 0;                           // median and percentiles: of the kept samples
  double error = 0;                                  // median of |sample - median| / median, a share: 0.01 is 1 %
  bool like_empty = false;   // no slower than an empty loop: folded, removed, or too small to be told
  bool below_clock = false;  // timed singly (with a setup) and too short for the clock
  bool unoptimised = false;  // the caller was compiled without optimisation
  bench_counters counters;
  std::vector<double> values;  // kept samples: all while there are at most 4096, then a uniform choice of 4096
  std::vector<double> rounds;  // one value a round of compare()
};

enum class bench_verdict { faster, slower, same, small, unclear };

// "faster", "slower", "same", "detectable but small", "cannot tell apart".
const char* to_string(bench_verdict verdict) noexcept;

// A function against the reference: ratio = time of `name` / time of the reference, in the same round.
struct bench_pair {
  std::string name;
  double ratio = 1, low = 1, high = 1;  // exp of the median of ln ratios, and its interval
  std::size_t rounds = 0;
  bool bounded = false;  // false: too few rounds for an interval; low and high equal ratio
  bench_verdict verdict = bench_verdict::unclear;
};

struct bench_comparison {
  std::string reference;  // the baseline, or else the fastest of the first measurement; empty: nothing to compare
  double margin = 0.01;   // differences up to this share do not count: 1 %, or more where the A/A pair moved more
  bench_pair twin;        // the A/A pair: the reference against itself, measured as if it were another
  std::vector<bench_pair> pairs;
  std::vector<std::string> left_out;  // functions that have nothing to measure
};

// How the time of one function grows with n: time = factor * model(n), fitted on relative residuals.
struct bench_fit {
  const char* model = "";  // "O(1)", "O(log n)", "O(n)", "O(n log n)", "O(n^2)", "O(n^3)"
  double factor = 0;       // nanoseconds
  double rms = 0;          // root mean square of (time - fit) / time
};
struct bench_growth {
  std::string name;
  bench_fit fits[6];  // best first
};

// How to print. The defaults of a suite are found out: colours and progress only on a terminal, no colours where
// NO_COLOR is set or TERM is "dumb", blocks and µ only where the locale says UTF-8.
struct bench_look {
  bool colour = false, unicode = false, progress = false;
};

namespace detail::timing {
class task;
struct suite_state;
using clock_function = std::uint64_t (*)();
}  // namespace detail::timing

class bench {
 public:
  explicit bench(std::string_view title);
  bench(const bench&) = delete;
  bench& operator=(const bench&) = delete;
  ~bench();

  // Settings; each holds for what is run after it and returns the suite.
  bench& budget(double seconds);  // a function, run() and compare() together; HEADRACE_BENCH_SECONDS overrides it
  bench& batch(double units, std::string_view unit);  // one call does so many of it: adds a rate to the row
  bench& baseline(std::string_view name);             // compare() measures against this one
  bench& seed(std::uint64_t value);                   // of the shuffles and of the choice of kept samples
  bench& output(std::FILE* file);                     // stdout unless set; nullptr: print nothing
  bench& look(bench_look how);
  bench& machine(bool consult);          // false: no look at the machine, no warnings about it, no counters
  bench& clock(std::uint64_t (*now)());  // nanoseconds since any moment, never backwards; for tests and cycle counters

  // Measures `f()` and prints its row. `name` must be new. What f returns is kept. The first call is a warm-up.
  template <class F>
  const bench_result& run(std::string_view name, F&& f);

  // The same with `setup()` before every call, outside the timing. Where setup returns a value, f gets it by
  // reference, and it is destroyed outside the timing too: run("sort", [&] { return data; }, [](auto& v) { sort(v); })
  template <class S, class F>
  const bench_result& run(std::string_view name, S&& setup, F&& f);

  // Measures f(n) for each n as "name/n" and prints how the time grows; with `make`, f(make(n)) where only f is timed.
  template <class F>
  const bench_growth& scale(std::string_view name, std::initializer_list<std::size_t> sizes, F&& f);
  template <class S, class F>
  const bench_growth& scale(std::string_view name, std::initializer_list<std::size_t> sizes, S&& make, F&& f);

  // Measures all functions of run() again in up to 60 rounds, each in freshly shuffled order, and prints a verdict a
  // pair. A function leaves when its verdict is known or its time budget is used up.
  const bench_comparison& compare();

  std::size_t size() const noexcept;
  const bench_result& operator[](std::size_t index) const;
  const bench_result& operator[](std::string_view name) const;

  std::string json() const;  // everything, kept samples and rounds included
  std::string csv() const;   // a header and a row a function
  std::string markdown() const;
  void save(const std::string& path) const;  // by the ending: .json, .csv or .md

 private:
  const bench_result& measure(detail::timing::task* owned, std::string_view name, std::uint64_t n);
  const bench_growth& grow(std::string_view name);
  detail::timing::suite_state* state_;
};

// ---------------------------------------------------------------------------------------------- details: templates

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

template <class T>
constexpr bool fits_register() {
  if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>) return sizeof(T) <= sizeof(void*);
  else return false;
}

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
// `Compiled` only makes the symbol of a file without optimisation another one than that of a file with it.
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
  // Nanoseconds of so many calls: the function's, and those of an empty loop.
  virtual std::uint64_t time(std::size_t calls, clock_function now) = 0;
  virtual std::uint64_t time_nothing(std::size_t calls, clock_function now) = 0;

  bench_result result;
  bool singly = false;  // each call is timed by itself, because a setup stands between
  double wall = 0;      // nanoseconds a call, setup included
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
    for (; calls != 0; --calls) sum += one(now);
    return sum;
  }
  std::uint64_t time_nothing(std::size_t, clock_function) override { return 0; }

 private:
  [[gnu::noinline]] std::uint64_t one(clock_function now) {
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

template <class T>
[[gnu::always_inline]] inline void keep(T&& value) noexcept {
  using plain = std::remove_reference_t<T>;
  if constexpr (!detail::timing::fits_register<std::remove_cv_t<plain>>())
    asm volatile("" : : "r"(__builtin_addressof(value)) : "memory");
  else if constexpr (std::is_const_v<plain> || !std::is_lvalue_reference_v<T>)
    asm volatile("" : : "r"(value) : "memory");
  else asm volatile("" : "+r"(value) : : "memory");
}

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
  for (const std::size_t n : sizes) {
    auto call = [&f, n] { return f(n); };
    using made = detail::timing::plain_task<detail::timing::compiled, decltype(call)>;
    measure(new made(call), name, n);
  }
  return grow(name);
}

template <class S, class F>
const bench_growth& bench::scale(std::string_view name, std::initializer_list<std::size_t> sizes, S&& make, F&& f) {
  for (const std::size_t n : sizes) {
    auto prepare = [&make, n] { return make(n); };
    auto call = [&f](auto& state) { return f(state); };
    using made = detail::timing::setup_task<detail::timing::compiled, decltype(prepare), decltype(call)>;
    measure(new made(prepare, call), name, n);
  }
  return grow(name);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace

// ----------------------------------------------------------------------------------------- details: implementation
#ifdef HEADRACE_BENCH_INLINE

#include <stdexcept>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <chrono>
#include <io.h>
#else
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#endif
#if defined(__linux__) && __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail::timing {

constexpr std::size_t most_kept = 4096;                     // samples a function
constexpr std::size_t most_calls = std::size_t{1} << 26;    // a sample
constexpr std::size_t most_samples = std::size_t{1} << 24;  // a run()
constexpr std::size_t slot_samples = 32;                    // in one round of compare(), a function
constexpr std::size_t looks[] = {12, 24, 36, 60};           // rounds after which pairs are judged
constexpr std::size_t look_count = sizeof looks / sizeof *looks;
constexpr double look_alpha = 0.05 / static_cast<double>(look_count);  // Bonferroni: the looks share 5 %
constexpr std::size_t least_rounds = 8;                                // fewer give no interval at this level
constexpr double least_margin = 0.01;
constexpr double most_margin = 0.05;     // a reference that differs more from itself cannot show that two are the same
constexpr double clock_multiple = 1000;  // a sample lasts so many clock steps: the clock then adds 0.1 %
constexpr double least_time = 1e-3;      // nanoseconds; keeps every logarithm finite

// ---- text and errors

// Pieces of text in a row. One call instead of a chain of +, each of which the compiler would expand in place.
HEADRACE_BENCH_INLINE std::string join(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text.append(piece);
  return text;
}

[[noreturn]] HEADRACE_BENCH_INLINE void give_up(std::initializer_list<std::string_view> pieces, bool misused = true) {
  const std::string sentence = join(pieces);
#ifdef __cpp_exceptions
  if (misused) throw std::invalid_argument(sentence);
  throw std::runtime_error(sentence);
#else
  static_cast<void>(misused);
  std::fprintf(stderr, "headrace::bench: %s\n", sentence.c_str());
  abort();
#endif
}

// ---- numbers

// Shellsort with Ciura's gaps (2001): a few lines, and 4096 doubles are the most it gets.
HEADRACE_BENCH_INLINE void sort(double* first, std::size_t count) {
  for (const std::size_t gap : {1750u, 701u, 301u, 132u, 57u, 23u, 10u, 4u, 1u}) {
    for (std::size_t i = gap; i < count; ++i) {
      const double held = first[i];
      std::size_t j = i;
      for (; j >= gap && first[j - gap] > held; j -= gap) first[j] = first[j - gap];
      first[j] = held;
    }
  }
}

// Of sorted values; 0 for none.
HEADRACE_BENCH_INLINE double middle(const double* sorted, std::size_t count) {
  return count == 0 ? 0 : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

HEADRACE_BENCH_INLINE double median_of(std::vector<double>& values) {  // sorts them
  sort(values.data(), values.size());
  return middle(values.data(), values.size());
}

// Nearest rank: the least value that at least `share` of all values do not exceed.
HEADRACE_BENCH_INLINE double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<std::size_t>(__builtin_ceil(share * static_cast<double>(sorted.size())));
  return sorted[rank == 0 ? 0 : rank - 1];
}

// The largest r with 2 P(Binomial(n, 1/2) < r) <= alpha; 0 where even r = 1 is too much.
HEADRACE_BENCH_INLINE std::size_t order_rank(std::size_t n, double alpha) {
  double term = 1;  // P(Binomial = r), first for r = 0; exact enough: n is at most 60
  for (std::size_t i = 0; i < n; ++i) term /= 2;
  double below = 0;
  std::size_t rank = 0;
  while (2 * rank < n) {
    below += term;
    if (2 * below > alpha) break;
    ++rank;
    term *= static_cast<double>(n - rank + 1) / static_cast<double>(rank);
  }
  return rank;
}

// The paired ratio of two functions over the same rounds: exp of the median of x = ln(this / other), and the interval
// between the order statistics x_(r) and x_(n-r+1), exact whatever the distribution (Conover, "Practical Nonparametric
// Statistics", 1999, section 3.2; Hahn & Meeker, "Statistical Intervals", 1991, section 5.2).
HEADRACE_BENCH_INLINE bench_pair paired(const bench_result& mine, const std::vector<double>& other) {
  bench_pair pair;
  pair.name = mine.name;
  pair.rounds = mine.rounds.size() < other.size() ? mine.rounds.size() : other.size();
  std::vector<double> x;
  for (std::size_t i = 0; i < pair.rounds; ++i) x.push_back(__builtin_log(mine.rounds[i] / other[i]));
  sort(x.data(), x.size());
  pair.ratio = pair.low = pair.high = __builtin_exp(middle(x.data(), x.size()));
  const std::size_t rank = order_rank(x.size(), look_alpha);
  pair.bounded = rank != 0;
  if (pair.bounded) {
    pair.low = __builtin_exp(x[rank - 1]);
    pair.high = __builtin_exp(x[x.size() - rank]);
  }
  return pair;
}

// How far the interval of the A/A pair reaches from 1, at least 1 %.
HEADRACE_BENCH_INLINE double margin_of(const bench_pair& twin) {
  const double up = twin.high - 1, down = 1 / twin.low - 1;
  const double reach = up > down ? up : down;
  return reach > least_margin ? reach : least_margin;
}

HEADRACE_BENCH_INLINE double same_margin(double margin) { return margin < most_margin ? margin : most_margin; }

// The whole interval in [1/(1+m), 1+m].
HEADRACE_BENCH_INLINE bool is_within(const bench_pair& pair, double margin) {
  return pair.low >= 1 / (1 + margin) && pair.high <= 1 + margin;
}

// Faster or slower: the whole interval lies beyond the margin. Same: it holds 1 and lies within the margin, or within 5
// % where that is wider. Detectable but small: it leaves 1 out, yet reaches into the margin. Else the data do not say.
HEADRACE_BENCH_INLINE bench_verdict judge(const bench_pair& pair, double margin) {
  const double up = 1 + margin, down = 1 / up;
  if (!pair.bounded) return bench_verdict::unclear;
  if (pair.low > up) return bench_verdict::slower;
  if (pair.high < down) return bench_verdict::faster;
  if (pair.low > 1 || pair.high < 1) return bench_verdict::small;
  return is_within(pair, same_margin(margin)) ? bench_verdict::same : bench_verdict::unclear;
}

// Whether more rounds could only refine the verdict: the interval straddles no edge of the margin. Being within it
// counts for the least margin only: after few rounds it is wide because the A/A pair's interval is, and narrows with
// more.
HEADRACE_BENCH_INLINE bool is_known(const bench_pair& pair, double margin) {
  const double up = 1 + margin, down = 1 / up;
  return pair.bounded && (is_within(pair, least_margin) || pair.high < down || pair.low > up);
}

// ---- numbers and columns as text

HEADRACE_BENCH_INLINE std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;  // UTF-8's leading bytes
  return width;
}

HEADRACE_BENCH_INLINE std::string left(std::string text, std::size_t width) {
  const std::size_t has = width_of(text);
  return has < width ? text.append(width - has, ' ') : text;
}

HEADRACE_BENCH_INLINE std::string right(std::string text, std::size_t width) {
  const std::size_t has = width_of(text);
  return has < width ? text.insert(0, width - has, ' ') : text;
}

// printf's number with a point whatever the locale says: a digit, sign or exponent stays, all else is the point.
HEADRACE_BENCH_INLINE std::string with_point(const char* printed) {
  std::string text;
  for (; *printed != 0; ++printed) {
    const bool plain = (*printed >= '0' && *printed <= '9') || *printed == '-' || *printed == '+' || *printed == 'e';
    if (plain) text += *printed;
    else if (text.empty() || text.back() != '.') text += '.';
  }
  return text;
}

HEADRACE_BENCH_INLINE std::string fixed(double value, int decimals) {
  char buffer[400];  // the largest double has 309 digits before the point
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return with_point(buffer);
}

HEADRACE_BENCH_INLINE std::string digits(double value, int significant) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.*g", significant, value);
  return with_point(buffer);
}

HEADRACE_BENCH_INLINE std::string whole(std::uint64_t value) { return std::to_string(value); }

HEADRACE_BENCH_INLINE std::string four_digits(double value) {
  return fixed(value, value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0);
}

HEADRACE_BENCH_INLINE std::string duration(double ns, bool unicode) {
  const char* const units[] = {" ns", unicode ? " µs" : " us", " ms", " s"};
  std::size_t step = 0;
  for (; ns >= 999.95 && step < 3; ++step) ns /= 1000;
  return four_digits(ns).append(units[step]);
}

// "8.120 Gbyte/s"
HEADRACE_BENCH_INLINE std::string rate(double a_second, const std::string& unit) {
  const char* const prefixes[] = {" ", " k", " M", " G", " T", " P"};
  std::size_t step = 0;
  for (; a_second >= 999.95 && step < 5; ++step) a_second /= 1000;
  return join({four_digits(a_second), prefixes[step], unit, "/s"});
}

HEADRACE_BENCH_INLINE std::string percent(double share) { return fixed(share * 100, 1).append(" %"); }

// "1.03x [1.01, 1.05]": three decimals where two would print both ends alike.
HEADRACE_BENCH_INLINE std::string ratio_text(const bench_pair& pair, bool inverse) {
  const double ratio = inverse ? 1 / pair.ratio : pair.ratio;
  const double low = inverse ? 1 / pair.high : pair.low, high = inverse ? 1 / pair.low : pair.high;
  const int decimals = high >= 100 ? 0 : high - low < 0.02 && high < 10 ? 3 : 2;
  const std::string estimate = fixed(ratio, decimals);
  if (!pair.bounded) return join({estimate, "x"});
  return join({estimate, "x [", fixed(low, decimals), ", ", fixed(high, decimals), "]"});
}

HEADRACE_BENCH_INLINE std::string paint(bool colour, const char* code, std::string_view text) {
  return colour ? join({"\033[", code, "m", text, "\033[0m"}) : std::string(text);
}

struct bins {
  static constexpr std::size_t number = 16;
  std::size_t counts[number] = {}, highest = 1;
};

// Counts the sorted values in bins of equal width. The last one ends three quartile distances above the third quartile,
// so that an outlier does not squeeze the rest into one bin (Tukey, "Exploratory Data Analysis", 1977), and holds
// whatever lies beyond.
HEADRACE_BENCH_INLINE bins count_in_bins(const std::vector<double>& sorted) {
  bins found;
  const double least = percentile(sorted, 0), quartile = percentile(sorted, 0.75), most = percentile(sorted, 1);
  const double fence = quartile + 3 * (quartile - percentile(sorted, 0.25));
  const double span = (fence < most ? fence : most) - least;
  for (const double value : sorted) {
    const double place = span > 0 ? (value - least) / span * bins::number : 0;
    const std::size_t at = place < bins::number - 1 ? static_cast<std::size_t>(place) : bins::number - 1;
    const std::size_t count = ++found.counts[at];
    if (count > found.highest) found.highest = count;
  }
  return found;
}

HEADRACE_BENCH_INLINE std::string histogram(const std::vector<double>& sorted, bool unicode) {
  const char* const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const char* const letters[] = {".", ":", "-", "=", "+", "*", "%", "#"};
  const bins found = count_in_bins(sorted);
  std::string text;
  for (const std::size_t count : found.counts)
    text.append(count == 0 ? " " : (unicode ? blocks : letters)[count * 7 / found.highest]);
  return text;
}

// ---- the machine

struct machine_facts {
  std::string cpu, governor;
  long processors = 0;  // 0: not known
  int turbo = -1;       // -1: not known
  double load = -1;     // runnable threads, mean of the last minute; -1: not known
};

// The rest of the first line of the file that begins with `key`; "" where there is none.
HEADRACE_BENCH_INLINE std::string line_of(const char* path, const char* key = "") {
  std::string found;
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return found;
  char line[512];
  const std::size_t length = strlen(key);
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (strncmp(line, key, length) != 0) continue;
    found = line + length;
    while (!found.empty() && (found.back() == '\n' || found.back() == ' ')) found.pop_back();
    break;
  }
  std::fclose(file);
  return found;
}

HEADRACE_BENCH_INLINE machine_facts look_at_machine() {
  machine_facts facts;
#ifdef __linux__
  facts.cpu = line_of("/proc/cpuinfo", "model name");
  facts.cpu.erase(0, facts.cpu.find_first_not_of("\t :"));
  facts.governor = line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  const std::string no_turbo = line_of("/sys/devices/system/cpu/intel_pstate/no_turbo");
  const std::string boost = line_of("/sys/devices/system/cpu/cpufreq/boost");
  if (!no_turbo.empty()) facts.turbo = no_turbo == "0";
  if (!boost.empty()) facts.turbo = boost == "1";
  const std::string load = line_of("/proc/loadavg");
  if (!load.empty()) facts.load = strtod(load.c_str(), nullptr);
#endif
#ifndef _WIN32
  facts.processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
  return facts;
}

HEADRACE_BENCH_INLINE std::vector<std::string> warnings_about(const machine_facts& facts) {
  std::vector<std::string> found;
  if (!facts.governor.empty() && facts.governor != "performance")
    found.push_back(join({"the frequency governor is \"", facts.governor, "\": times move with the clock rate; ",
                          "choose \"performance\" (cpupower frequency-set -g performance)"}));
  if (facts.turbo == 1)
    found.push_back("turbo is on: times depend on heat and on the other cores; switch it off for steady ones");
  if (facts.processors > 0 && facts.load > 0.7 * static_cast<double>(facts.processors))
    found.push_back(
        join({"load average ", fixed(facts.load, 1), " on ", whole(static_cast<std::uint64_t>(facts.processors)),
              " processors: other work disturbs the times; stop it, or trust compare() rather than rows"}));
  return found;
}

HEADRACE_BENCH_INLINE bool is_terminal(std::FILE* file) {
#ifdef _WIN32
  return _isatty(_fileno(file)) != 0;
#else
  return isatty(fileno(file)) != 0;
#endif
}

HEADRACE_BENCH_INLINE bool is_set(const char* variable) {
  const char* const value = getenv(variable);
  return value != nullptr && *value != 0;
}

HEADRACE_BENCH_INLINE bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!is_set(variable)) continue;
    const char* const value = getenv(variable);
    return strstr(value, "UTF-8") != nullptr || strstr(value, "utf8") != nullptr;
  }
  return false;
}

HEADRACE_BENCH_INLINE bench_look look_of(std::FILE* file) {
  bench_look how;
  if (file == nullptr) return how;
  const char* const term = getenv("TERM");
  const bool capable = term != nullptr && *term != 0 && strcmp(term, "dumb") != 0;
  how.colour = capable && !is_set("NO_COLOR") && is_terminal(file);
  how.unicode = locale_is_utf8();
  how.progress = capable && is_terminal(stderr);
  return how;
}

HEADRACE_BENCH_INLINE std::uint64_t steady_now() {
#ifdef _WIN32
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
#else
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
#endif
}

// ---- hardware counters: one group of four, read together, user mode only, of the calling thread

// Running totals. The kernel shares counters out in turns when too many are wanted: `running` is the part of `enabled`,
// both nanoseconds, in which these counted. Neither can be set back, so only differences of two snapshots mean
// anything.
struct counter_snapshot {
  std::uint64_t enabled = 0, running = 0, values[4] = {};  // cycles, instructions, branches, missed branches
};

// Where the totals come from: the kernel. A test has a source of its own.
class perf_events {
 public:
  perf_events() = default;
  perf_events(const perf_events&) = delete;
  perf_events& operator=(const perf_events&) = delete;
  ~perf_events() { close_all(); }
  bool open();  // false: none here
  void enable();
  void disable();
  bool read(counter_snapshot& now);

 private:
  void close_all();
  int files_[4] = {-1, -1, -1, -1};
};

template <class Source>
class counter_group {
 public:
  explicit counter_group(Source& source) : source_(source) {}
  // What `calls` calls counted, a call. Absent where the machine has no counters or gave them to somebody else.
  // Measures once, and up to five times while it took less than `room` nanoseconds.
  bench_counters count(task& t, std::size_t calls, clock_function now, double room);

 private:
  bool count_once(task& t, std::size_t calls, clock_function now, double (&counts)[4]);

  Source& source_;
  bool tried_ = false, open_ = false;
};

template <class Source>
bench_counters counter_group<Source>::count(task& t, std::size_t calls, clock_function now, double room) {
  constexpr std::size_t times = 5;
  bench_counters found;
  std::vector<double> each[4];
  if (!tried_) open_ = source_.open();
  tried_ = true;
  const std::uint64_t begin = now();
  for (std::size_t i = 0; open_ && i < times && (i == 0 || static_cast<double>(now() - begin) < room); ++i) {
    double with[4], without[4];
    if (!count_once(t, calls, now, with) || !count_once(t, 0, now, without)) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      const double more = with[k] - without[k];
      each[k].push_back((more > 0 ? more : 0) / static_cast<double>(calls));
    }
  }
  found.present = !each[0].empty();
  found.cycles = median_of(each[0]);
  found.instructions = median_of(each[1]);
  found.branches = median_of(each[2]);
  found.branch_misses = median_of(each[3]);
  return found;
}

// Counts that ran for part of the time are scaled up to all of it; for less than half of it they are dropped.
template <class Source>
bool counter_group<Source>::count_once(task& t, std::size_t calls, clock_function now, double (&counts)[4]) {
  counter_snapshot before, after;
  if (!source_.read(before)) return false;
  source_.enable();
  t.time(calls, now);
  source_.disable();
  if (!source_.read(after)) return false;
  const auto enabled = static_cast<double>(after.enabled - before.enabled);
  const auto running = static_cast<double>(after.running - before.running);
  if (running <= 0 || 2 * running < enabled) return false;
  for (std::size_t k = 0; k < 4; ++k)
    counts[k] = static_cast<double>(after.values[k] - before.values[k]) * (enabled / running);
  return true;
}

#if defined(__linux__) && __has_include(<linux/perf_event.h>)
HEADRACE_BENCH_INLINE bool perf_events::open() {
  const std::uint64_t events[4] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                   PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_MISSES};
  for (std::size_t k = 0; k < 4; ++k) {
    perf_event_attr event;
    memset(&event, 0, sizeof event);
    event.size = sizeof event;
    event.type = PERF_TYPE_HARDWARE;
    event.config = events[k];
    event.disabled = k == 0;  // the others follow the first
    event.exclude_kernel = 1;
    event.exclude_hv = 1;
    event.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    files_[k] = static_cast<int>(syscall(SYS_perf_event_open, &event, 0, -1, files_[0], PERF_FLAG_FD_CLOEXEC));
    if (files_[k] < 0) {
      close_all();
      return false;
    }
  }
  return true;
}

HEADRACE_BENCH_INLINE void perf_events::close_all() {
  for (int& file : files_) {
    if (file >= 0) ::close(file);
    file = -1;
  }
}

HEADRACE_BENCH_INLINE void perf_events::enable() { ioctl(files_[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP); }
HEADRACE_BENCH_INLINE void perf_events::disable() { ioctl(files_[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP); }

HEADRACE_BENCH_INLINE bool perf_events::read(counter_snapshot& now) {
  struct {
    std::uint64_t number, enabled, running, values[4];
  } group{};
  if (::read(files_[0], &group, sizeof group) != static_cast<long>(sizeof group) || group.number != 4) return false;
  now.enabled = group.enabled;
  now.running = group.running;
  for (std::size_t k = 0; k < 4; ++k) now.values[k] = group.values[k];
  return true;
}
#else
HEADRACE_BENCH_INLINE bool perf_events::open() { return false; }
HEADRACE_BENCH_INLINE void perf_events::close_all() {}
HEADRACE_BENCH_INLINE void perf_events::enable() {}
HEADRACE_BENCH_INLINE void perf_events::disable() {}
HEADRACE_BENCH_INLINE bool perf_events::read(counter_snapshot&) { return false; }
#endif

// ---- the suite

struct growth_entry {
  bench_growth growth;
  growth_entry* next = nullptr;
};

struct suite_state {
  std::string title, unit = "op", baseline;
  double batch = 1, seconds = 2;  // seconds: a function
  bool seconds_fixed = false;     // by the environment
  bool consult = true, introduced = false;
  std::uint64_t seed = 1;
  rng random;
  std::FILE* out = stdout;
  bench_look look;
  clock_function now = steady_now;
  double resolution = 0, overhead = 0;  // of the clock, nanoseconds; 0: not measured yet
  machine_facts machine;
  std::vector<std::string> warnings;
  perf_events events;
  counter_group<perf_events> counters{events};
  std::vector<task*> tasks;
  growth_entry *growths = nullptr, **growths_end = &growths;
  bench_comparison comparison;
  std::string columns;  // the table head printed last
  std::uint64_t progress_at = 0;

  suite_state() = default;
  suite_state(const suite_state&) = delete;
  suite_state& operator=(const suite_state&) = delete;
  ~suite_state() {
    for (task* t : tasks) delete t;
    for (growth_entry* g = growths; g != nullptr;) {
      growth_entry* const next = g->next;
      delete g;
      g = next;
    }
  }
};

HEADRACE_BENCH_INLINE void print(const suite_state& s, std::initializer_list<std::string_view> pieces) {
  if (s.out == nullptr) return;
  std::fputs(join(pieces).c_str(), s.out);
  std::fflush(s.out);
}

HEADRACE_BENCH_INLINE void print_warning(const suite_state& s, const std::string& text) {
  print(s, {paint(s.look.colour, "33", join({"  ! ", text})), "\n"});
}

// One line on the terminal's stderr, rewritten at most ten times a second, erased by an empty text.
HEADRACE_BENCH_INLINE void progress(suite_state& s, std::initializer_list<std::string_view> pieces) {
  if (!s.look.progress) return;
  const std::uint64_t now = steady_now();
  const bool erase = pieces.size() == 0;
  if (erase ? s.progress_at == 0 : s.progress_at != 0 && now - s.progress_at < 100000000u) return;
  s.progress_at = erase ? 0 : now;
  std::fprintf(stderr, "\r\033[K%s", join(pieces).c_str());
  std::fflush(stderr);
}

HEADRACE_BENCH_INLINE double elapsed(const suite_state& s, std::uint64_t since) {
  return static_cast<double>(s.now() - since);
}

// The least step between two readings, and what one reading costs.
HEADRACE_BENCH_INLINE void measure_clock(suite_state& s) {
  constexpr std::size_t pairs = 501, patience = 1000000;
  std::vector<double> costs;
  double least = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::uint64_t first = s.now();
    std::uint64_t next = s.now();
    costs.push_back(static_cast<double>(next - first));
    for (std::size_t k = 0; next == first && k < patience / pairs; ++k) next = s.now();
    const auto step = static_cast<double>(next - first);
    if (step > 0 && (least <= 0 || step < least)) least = step;
  }
  if (least <= 0) give_up({"the clock of \"", s.title, "\" stands still: clock() needs one that counts nanoseconds"});
  s.resolution = least;
  s.overhead = median_of(costs);
}

// The time budget's parts: a quarter for run(), the rest for compare(). Nanoseconds.
HEADRACE_BENCH_INLINE double run_share(const suite_state& s) { return s.seconds * 1e9 / 4; }
HEADRACE_BENCH_INLINE double slot_share(const suite_state& s) {
  return s.seconds * 1e9 * 3 / 4 / static_cast<double>(looks[look_count - 1]);
}

// ---- one function: warm-up, number of calls, samples

class sampler {
 public:
  sampler(suite_state& s, task& t) : s_(s), t_(t), begin_(s.now()), target_(clock_multiple * s.resolution) {}
  void measure();

 private:
  bool too_short(double took) const { return 2 * took < target_; }
  bool grow(double took);
  void take_samples();
  void keep_sample(double value);
  void conclude();
  void check_against_empty_loop();

  suite_state& s_;
  task& t_;
  std::uint64_t begin_;
  double target_, wall_ = 0, walls_ = 0, sum_ = 0;
  std::size_t calls_ = 1;
};

HEADRACE_BENCH_INLINE double sample_of(const suite_state& s, task& t, std::size_t calls) {
  auto took = static_cast<double>(t.time(calls, s.now)) / static_cast<double>(calls);
  if (t.singly) took -= s.overhead;
  return took > least_time ? took : least_time;
}

// More calls a sample, so that it lasts at least the target; false where the limit or the budget stops it.
HEADRACE_BENCH_INLINE bool sampler::grow(double took) {
  if (calls_ >= most_calls) return false;
  const double wanted = took > 0 ? target_ * 1.2 / took : 16;
  const double factor = wanted > 16 ? 16 : wanted < 2 ? 2 : wanted;
  if (wall_ * factor > run_share(s_) / 32) return false;
  const auto more = static_cast<std::size_t>(static_cast<double>(calls_) * factor);
  calls_ = more < most_calls ? more : most_calls;
  return true;
}

// The first call is apart: it loads pages, fills caches, and may initialise something once. A later sample that comes
// out short (a cold second call had set the number of calls) starts the samples again with more calls.
HEADRACE_BENCH_INLINE void sampler::measure() {
  t_.result.first = static_cast<double>(t_.time(1, s_.now));
  const double warm = run_share(s_) / 8;
  for (bool sized = elapsed(s_, begin_) > run_share(s_); !sized || elapsed(s_, begin_) < warm;) {
    const std::uint64_t begin = s_.now();
    const auto took = static_cast<double>(t_.time(calls_, s_.now));
    wall_ = elapsed(s_, begin);
    sized = took >= target_ || !grow(took);
  }
  take_samples();
  conclude();
}

HEADRACE_BENCH_INLINE void sampler::take_samples() {
  bench_result& r = t_.result;
  while (r.samples < 3 || (elapsed(s_, begin_) < run_share(s_) && r.samples < most_samples)) {
    if (s_.look.progress) progress(s_, {r.name, ": ", whole(r.samples), " samples"});
    const std::uint64_t begin = s_.now();
    const double value = sample_of(s_, t_, calls_);
    wall_ = elapsed(s_, begin);
    const double took = value * static_cast<double>(calls_);
    if (too_short(took) && grow(took)) {
      r.samples = 0;
      r.values.clear();
      sum_ = walls_ = 0;
      continue;
    }
    walls_ += wall_;
    keep_sample(value);
  }
}

// A uniform choice of at most 4096 of all samples: algorithm R (Vitter, "Random sampling with a reservoir", 1985).
HEADRACE_BENCH_INLINE void sampler::keep_sample(double value) {
  bench_result& r = t_.result;
  ++r.samples;
  sum_ += value;
  r.least = r.samples == 1 || value < r.least ? value : r.least;
  r.most = r.samples == 1 || value > r.most ? value : r.most;
  if (r.values.size() < most_kept) {
    r.values.push_back(value);
    return;
  }
  const std::uint64_t place = s_.random.below(r.samples);
  if (place < most_kept) r.values[static_cast<std::size_t>(place)] = value;
}

HEADRACE_BENCH_INLINE void sampler::conclude() {
  bench_result& r = t_.result;
  r.calls = calls_;
  r.mean = sum_ / static_cast<double>(r.samples);
  t_.wall = walls_ / static_cast<double>(r.samples) / static_cast<double>(calls_);
  sort(r.values.data(), r.values.size());
  r.median = middle(r.values.data(), r.values.size());
  r.p75 = percentile(r.values, 0.75);
  r.p99 = percentile(r.values, 0.99);
  std::vector<double> off;
  for (const double value : r.values) off.push_back(__builtin_fabs(value - r.median) / r.median);
  r.error = median_of(off);
  const double step = s_.resolution > s_.overhead ? s_.resolution : s_.overhead;
  r.below_clock = (t_.singly ? r.median : r.median * static_cast<double>(calls_)) < 10 * step;
  if (!t_.singly) check_against_empty_loop();
  if (s_.consult && !t_.singly) r.counters = s_.counters.count(t_, calls_, s_.now, run_share(s_) / 4);
}

// Where the function is no slower than the loop around it, there is nothing left of it to measure.
HEADRACE_BENCH_INLINE void sampler::check_against_empty_loop() {
  if (t_.result.median > 20) return;  // no empty loop takes so long, optimised or not
  std::vector<double> empty;
  for (std::size_t i = 0; i < 11; ++i)
    empty.push_back(static_cast<double>(t_.time_nothing(calls_, s_.now)) / static_cast<double>(calls_));
  t_.result.like_empty = t_.result.median <= 1.25 * median_of(empty);
}

// ---- rounds

// One function's part of a round: the median of a few samples in a row, the first of them left out if they are cheap.
HEADRACE_BENCH_INLINE double slot(const suite_state& s, task& t) {
  const double room = slot_share(s);
  const double wanted = room / static_cast<double>(slot_samples) / (t.wall > least_time ? t.wall : least_time);
  std::size_t calls = static_cast<std::size_t>(t.result.calls);
  if (wanted > static_cast<double>(calls)) calls = wanted < most_calls ? static_cast<std::size_t>(wanted) : most_calls;
  const double fit = room / (t.wall * static_cast<double>(calls) + least_time);
  const std::size_t count = fit >= slot_samples ? slot_samples : fit >= 2 ? static_cast<std::size_t>(fit) : 1;
  if (count >= 4) sample_of(s, t, calls);
  double values[slot_samples];
  for (std::size_t i = 0; i < count; ++i) values[i] = sample_of(s, t, calls);
  sort(values, count);
  return middle(values, count);
}

class race {
 public:
  explicit race(suite_state& s) : s_(s) {}
  void run();

 private:
  void enter();
  void one_round();
  void go();
  bool judge_all();  // true when every verdict is known
  void judge_twin();
  bench_pair judge_one(const task& t);
  bool is_late(const task& t) const;
  bool drop_late();  // true when nobody is left to run

  suite_state& s_;
  task* reference_ = nullptr;
  bench_result twin_;           // the reference's second appearance in each round
  std::vector<task*> running_;  // the reference first; a decided function leaves
  std::size_t done_ = 0;
};

HEADRACE_BENCH_INLINE task* find_task(const suite_state& s, std::string_view name) {
  for (task* t : s.tasks)
    if (t->result.name == name) return t;
  return nullptr;
}

// Chooses who takes part, and the reference: by name, or the fastest of the first measurement, whose samples are not
// used again: choosing the fastest by the rounds themselves would favour the lucky one.
HEADRACE_BENCH_INLINE void race::enter() {
  bench_comparison& c = s_.comparison;
  c.reference.clear();
  c.pairs.clear();
  c.left_out.clear();
  for (task* t : s_.tasks) {
    if (!t->compared) continue;
    t->result.rounds.clear();
    t->spent = 0;
    if (t->result.like_empty) c.left_out.push_back(t->result.name);
    else running_.push_back(t);
  }
  if (running_.size() < 2) return running_.clear();
  if (!s_.baseline.empty()) {
    reference_ = find_task(s_, s_.baseline);
    if (reference_ == nullptr)
      give_up(
          {"the baseline \"", s_.baseline, "\" is no function of \"", s_.title, "\": run() it, or name one that was"});
  }
  std::size_t at = 0;
  for (std::size_t i = 1; i < running_.size(); ++i) {
    const bool better =
        reference_ != nullptr ? running_[i] == reference_ : running_[i]->result.median < running_[at]->result.median;
    if (better) at = i;
  }
  if (reference_ != nullptr && running_[at] != reference_)
    give_up({"the baseline \"", s_.baseline, "\" has nothing to measure: choose another, or keep() its work"});
  std::swap(running_[0], running_[at]);
  reference_ = running_[0];
  c.reference = reference_->result.name;
}

HEADRACE_BENCH_INLINE void race::one_round() {
  std::vector<task*> order{nullptr};  // the twin
  for (task* t : running_) order.push_back(t);
  s_.random.shuffle(order.data(), order.size());
  for (task* t : order) {
    progress(s_, {"compare: round ", whole(done_ + 1), " of at most ", whole(looks[look_count - 1]), ", ",
                  whole(running_.size() - 1), " pairs open"});
    const std::uint64_t begin = s_.now();
    const double value = slot(s_, t == nullptr ? *reference_ : *t);
    if (t != nullptr) t->spent += elapsed(s_, begin);
    (t == nullptr ? twin_ : t->result).rounds.push_back(value);
  }
  ++done_;
}

HEADRACE_BENCH_INLINE void race::judge_twin() {
  bench_comparison& c = s_.comparison;
  c.twin = paired(twin_, reference_->result.rounds);
  c.margin = margin_of(c.twin);
  c.twin.name = reference_->result.name;
  c.twin.verdict = judge(c.twin, c.margin);
}

HEADRACE_BENCH_INLINE bench_pair race::judge_one(const task& t) {
  bench_comparison& c = s_.comparison;
  bench_pair pair = paired(t.result, reference_->result.rounds);
  pair.verdict = judge(pair, c.margin);
  for (bench_pair& old : c.pairs)
    if (old.name == pair.name) return old = pair;
  c.pairs.push_back(pair);
  return pair;
}

HEADRACE_BENCH_INLINE bool race::judge_all() {
  judge_twin();
  std::vector<task*> open{reference_};
  for (std::size_t i = 1; i < running_.size(); ++i)
    if (!is_known(judge_one(*running_[i]), s_.comparison.margin)) open.push_back(running_[i]);
  running_.swap(open);
  return running_.size() == 1;
}

// Another round would go beyond the function's time budget. It gets the rounds that an interval needs even so, unless
// a single call takes longer than the whole budget.
HEADRACE_BENCH_INLINE bool race::is_late(const task& t) const {
  const double allowed = slot_share(s_) * static_cast<double>(looks[look_count - 1]);
  const bool over = t.spent * static_cast<double>(done_ + 1) > allowed * static_cast<double>(done_);
  return over && (done_ >= least_rounds || t.wall > s_.seconds * 1e9);
}

// A late function is judged by what it has, and leaves; without the reference there is nothing left to compare with.
HEADRACE_BENCH_INLINE bool race::drop_late() {
  if (is_late(*reference_)) {
    judge_all();
    return true;
  }
  std::vector<task*> open{reference_};
  for (std::size_t i = 1; i < running_.size(); ++i) {
    if (!is_late(*running_[i])) {
      open.push_back(running_[i]);
      continue;
    }
    judge_twin();
    judge_one(*running_[i]);
  }
  running_.swap(open);
  return running_.size() == 1;
}

// From fast to slow; pairs are few.
HEADRACE_BENCH_INLINE void sort_by_ratio(std::vector<bench_pair>& pairs) {
  for (std::size_t i = 1; i < pairs.size(); ++i)
    for (std::size_t j = i; j > 0 && pairs[j].ratio < pairs[j - 1].ratio; --j) std::swap(pairs[j], pairs[j - 1]);
}

HEADRACE_BENCH_INLINE void race::run() {
  enter();
  if (running_.empty()) return;
  go();
  sort_by_ratio(s_.comparison.pairs);
}

HEADRACE_BENCH_INLINE void race::go() {
  for (const std::size_t look : looks) {
    while (done_ < look) {
      one_round();
      if (done_ < look && drop_late()) return;
    }
    if (judge_all()) return;
  }
}

// ---- growth

HEADRACE_BENCH_INLINE double model_of(std::size_t which, double n) {
  const double log = __builtin_log2(n < 2 ? 2 : n);
  const double values[] = {1, log, n, n * log, n * n, n * n * n};
  return values[which];
}

// Least squares of the relative residuals 1 - c u, u = model(n) / time: each size weighs the same.
HEADRACE_BENCH_INLINE bench_fit fit(std::size_t which, const std::vector<double>& sizes,
                                    const std::vector<double>& times) {
  const char* const models[] = {"O(1)", "O(log n)", "O(n)", "O(n log n)", "O(n^2)", "O(n^3)"};
  double sum = 0, squares = 0, residuals = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double u = model_of(which, sizes[i]) / times[i];
    sum += u;
    squares += u * u;
  }
  const double factor = sum / squares;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double off = 1 - factor * model_of(which, sizes[i]) / times[i];
    residuals += off * off;
  }
  return bench_fit{models[which], factor, __builtin_sqrt(residuals / static_cast<double>(sizes.size()))};
}

HEADRACE_BENCH_INLINE void fit_all(bench_growth& g, const std::vector<double>& sizes,
                                   const std::vector<double>& times) {
  for (std::size_t which = 0; which < 6; ++which) {
    std::size_t at = which;
    const bench_fit next = fit(which, sizes, times);
    for (; at > 0 && next.rms < g.fits[at - 1].rms; --at) g.fits[at] = g.fits[at - 1];
    g.fits[at] = next;
  }
}

// ---- the table

constexpr std::size_t name_width = 28;

HEADRACE_BENCH_INLINE void introduce(suite_state& s) {
  if (s.introduced) return;
  s.introduced = true;
  if (s.consult) {
    s.machine = look_at_machine();
    s.warnings = warnings_about(s.machine);
  }
  print(s,
        {paint(s.look.colour, "1", s.title), "\n  clock steps of ", duration(s.resolution, s.look.unicode), ", budget ",
         digits(s.seconds, 3), " s a function", s.machine.cpu.empty() ? "" : ", ", s.machine.cpu, "\n"});
  for (const std::string& warning : s.warnings) print_warning(s, warning);
}

HEADRACE_BENCH_INLINE bool has_rate(const bench_result& r) { return r.batch != 1 || r.unit != "op"; }

HEADRACE_BENCH_INLINE std::string table_head(const bench_result& r, bool unicode) {
  std::string line = join({"  ", left("function", name_width), "     median     err%",
                           right(unicode ? "min … max" : "min .. max", 24), "        p75        p99"});
  if (has_rate(r)) line.append(right("rate", 17));
  if (r.counters.present) line.append("     cycles    IPC   branches   miss%");
  return line.append("           samples  distribution");
}

HEADRACE_BENCH_INLINE std::string counters_text(const bench_counters& c) {
  const double ipc = c.cycles > 0 ? c.instructions / c.cycles : 0;
  const double missed = c.branches > 0 ? c.branch_misses / c.branches : 0;
  return join({right(digits(c.cycles, 4), 11), right(fixed(ipc, 2), 7), right(digits(c.branches, 4), 11),
               right(percent(missed), 8)});
}

HEADRACE_BENCH_INLINE std::string table_row(const bench_result& r, bench_look look) {
  const bool u = look.unicode;
  std::string line = join({"  ", left(r.name, name_width)});
  if (width_of(r.name) > name_width) line.append("\n").append(name_width + 2, ' ');
  const std::string range = join({duration(r.least, u), u ? " … " : " .. ", duration(r.most, u)});
  line.append(paint(look.colour, "1;36", right(duration(r.median, u), 11)));
  for (const std::string& text :
       {right(percent(r.error), 9), right(range, 24), right(duration(r.p75, u), 11), right(duration(r.p99, u), 11)})
    line.append(text);
  if (has_rate(r)) line.append(right(rate(r.batch / r.median * 1e9, r.unit), 17));
  if (r.counters.present) line.append(counters_text(r.counters));
  const std::string samples = join({whole(r.samples), " x ", whole(r.calls)});
  return join({line, right(samples, 18), "  ", paint(look.colour, "36", histogram(r.values, u))});
}

// What a reader must know about a row before believing it.
HEADRACE_BENCH_INLINE std::vector<std::string> warnings_about(const bench_result& r) {
  std::vector<std::string> found;
  if (r.like_empty)
    found.push_back(
        join({r.name, ": no slower than an empty loop: the compiler computed it beforehand or removed it, or it ",
              "is too small to tell; keep() its result and pass its inputs through keep()"}));
  if (r.below_clock) found.push_back(join({r.name, ": too short for this clock: give one call more to do"}));
  if (r.unoptimised) found.push_back(join({r.name, ": compiled without optimisation: compile with -O2"}));
  if (r.error > 0.05)
    found.push_back(join({r.name, ": unsteady: half of the samples are more than ", percent(r.error),
                          " off the median; quieten the machine or raise the budget"}));
  return found;
}

HEADRACE_BENCH_INLINE void print_row(suite_state& s, const bench_result& r) {
  const std::string head = table_head(r, s.look.unicode);
  if (head != s.columns) print(s, {paint(s.look.colour, "2", head), "\n"});
  s.columns = head;
  print(s, {table_row(r, s.look), "\n"});
  for (const std::string& warning : warnings_about(r)) print_warning(s, warning);
}

// "1.03x [1.01, 1.05] faster than ofstream": the reference's side of the pair.
HEADRACE_BENCH_INLINE std::string pair_text(const bench_pair& p, double margin, bool colour) {
  const bool ahead = p.ratio >= 1;
  const std::string ratio = ratio_text(p, !ahead), plain = ratio_text(p, false), name = paint(colour, "1", p.name);
  const char* const word = ahead ? " faster than " : " slower than ";
  switch (p.verdict) {
    case bench_verdict::slower:
    case bench_verdict::faster:
      return join({paint(colour, ahead ? "32" : "31", ratio), word, name});
    case bench_verdict::small:
      return join({ratio, word, name, ": detectable but small"});
    case bench_verdict::same:
      return join({"same within ", percent(same_margin(margin)), " as ", name, ": ", plain});
    case bench_verdict::unclear:
      break;
  }
  return join({paint(colour, "33", "cannot tell apart from "), name, ": ", plain});
}

HEADRACE_BENCH_INLINE void print_comparison(const suite_state& s) {
  const bench_comparison& c = s.comparison;
  for (const std::string& name : c.left_out)
    print_warning(s, join({name, ": not compared, because nothing of it could be measured"}));
  if (c.reference.empty()) return print(s, {"compare: needs two functions that take time; run() another\n"});
  print(s, {paint(s.look.colour, "1", "compare"), ": ", whole(c.twin.rounds), " rounds in shuffled order, margin ",
            percent(c.margin), " (", c.reference, " against itself: ", ratio_text(c.twin, false),
            "), 95 % intervals\n  ", paint(s.look.colour, "1", c.reference), "\n"});
  for (const bench_pair& p : c.pairs) {
    print(s, {"    ", pair_text(p, c.margin, s.look.colour), "\n"});
    if (p.bounded) continue;
    const task* const one = find_task(s, p.name);
    const task* const other = find_task(s, c.reference);
    const double slower = one->wall > other->wall ? one->wall : other->wall;
    print_warning(
        s, join({p.name, ": ", whole(p.rounds), " of the ", whole(least_rounds),
                 " rounds that an interval needs fitted into the budget: allow about ",
                 digits(__builtin_ceil(slower * 1.2e-9), 6), " s a function (budget() or HEADRACE_BENCH_SECONDS)"}));
  }
  if (c.margin > most_margin)
    print_warning(
        s, join({c.reference, " differed by ", percent(c.margin),
                 " from itself: smaller differences cannot be seen here; quieten the machine or raise the budget"}));
}

HEADRACE_BENCH_INLINE void print_growth(const suite_state& s, const bench_growth& g) {
  const bench_fit &best = g.fits[0], &next = g.fits[1];
  print(s, {"  ", g.name, " grows as ", paint(s.look.colour, "1", best.model), ": ", digits(best.factor, 4), " ns x ",
            best.model, ", rms ", percent(best.rms), "; next ", next.model, ", rms ", percent(next.rms), "\n"});
}

// ---- JSON, CSV, Markdown

HEADRACE_BENCH_INLINE std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    char escape[8] = {'\\', c, 0};
    if (static_cast<unsigned char>(c) < 0x20)
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else if (c != '"' && c != '\\') escape[0] = c, escape[1] = 0;
    result.append(escape);
  }
  return result.append("\"");
}

// A JSON object or array under construction; text() ends it.
class json_writer {
 public:
  explicit json_writer(bool object, const char* separator = ", ")
      : text_(1, object ? '{' : '['), separator_(separator), end_(object ? '}' : ']') {}
  json_writer& raw(const char* key, std::string_view value) {
    if (text_.size() > 1) text_.append(separator_);
    if (key != nullptr) text_.append("\"").append(key).append("\": ");
    text_.append(value);
    return *this;
  }
  json_writer& add(const char* key, double value) { return raw(key, digits(value, 9)); }
  json_writer& add(const char* key, bool value) { return raw(key, value ? "true" : "false"); }
  json_writer& add(const char* key, std::string_view value) { return raw(key, json_string(value)); }
  json_writer& add(const char* key, const char* value) { return raw(key, json_string(value)); }
  json_writer& count(const char* key, std::uint64_t value) { return raw(key, whole(value)); }
  json_writer& null_or(const char* key, bool known, std::string_view value) { return raw(key, known ? value : "null"); }
  std::string text() const { return join({text_, std::string_view(&end_, 1)}); }

 private:
  std::string text_;
  const char* separator_;
  char end_;
};

HEADRACE_BENCH_INLINE std::string list(const std::vector<double>& values) {
  json_writer array(false);
  for (const double value : values) array.add(nullptr, value);
  return array.text();
}
HEADRACE_BENCH_INLINE std::string list(const std::vector<std::string>& values) {
  json_writer array(false);
  for (const std::string& value : values) array.add(nullptr, value);
  return array.text();
}

HEADRACE_BENCH_INLINE std::string json_of(const machine_facts& m) {
#ifdef __clang__
  const char* const compiler = __VERSION__;
#else
  const char* const compiler = "g++ " __VERSION__;
#endif
  return json_writer(true)
      .add("cpu", m.cpu)
      .null_or("processors", m.processors > 0, whole(static_cast<std::uint64_t>(m.processors)))
      .null_or("governor", !m.governor.empty(), json_string(m.governor))
      .null_or("turbo", m.turbo >= 0, m.turbo == 1 ? "true" : "false")
      .null_or("load", m.load >= 0, digits(m.load, 4))
      .add("compiler", compiler)
      .text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_counters& c) {
  if (!c.present) return "null";
  json_writer object(true);
  object.add("cycles", c.cycles).add("instructions", c.instructions).add("branches", c.branches);
  return object.add("branch_misses", c.branch_misses).text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_result& r) {
  json_writer object(true, ",\n     ");
  object.add("name", r.name).add("unit", r.unit).add("batch", r.batch).null_or("size", r.size != 0, whole(r.size));
  object.count("calls", r.calls).count("samples", r.samples).add("first", r.first);
  object.add("median", r.median).add("error", r.error).add("mean", r.mean);
  object.add("least", r.least).add("most", r.most).add("p75", r.p75).add("p99", r.p99);
  object.add("like_empty", r.like_empty).add("below_clock", r.below_clock).add("unoptimised", r.unoptimised);
  object.raw("counters", json_of(r.counters)).raw("values", list(r.values)).raw("rounds", list(r.rounds));
  return object.text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_pair& p) {
  json_writer object(true);
  object.add("name", p.name).add("ratio", p.ratio);
  object.null_or("low", p.bounded, digits(p.low, 9)).null_or("high", p.bounded, digits(p.high, 9));
  return object.count("rounds", p.rounds).add("verdict", to_string(p.verdict)).text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_comparison& c) {
  if (c.reference.empty()) return "null";
  json_writer pairs(false, ",\n      "), object(true, ",\n    ");
  for (const bench_pair& p : c.pairs) pairs.raw(nullptr, json_of(p));
  object.add("reference", c.reference).add("margin", c.margin).add("confidence", 0.95);
  return object.raw("twin", json_of(c.twin)).raw("left_out", list(c.left_out)).raw("pairs", pairs.text()).text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_growth& g) {
  json_writer fits(false, ",\n      ");
  for (const bench_fit& f : g.fits) {
    json_writer one(true);
    fits.raw(nullptr, one.add("model", f.model).add("factor", f.factor).add("rms", f.rms).text());
  }
  return json_writer(true).add("name", g.name).raw("fits", fits.text()).text();
}

// CSV (RFC 4180): a field is quoted where it must be.
HEADRACE_BENCH_INLINE std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  return result.append("\"");
}

HEADRACE_BENCH_INLINE std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

HEADRACE_BENCH_INLINE const bench_pair* pair_of(const bench_comparison& c, const std::string& name) {
  for (const bench_pair& p : c.pairs)
    if (p.name == name) return &p;
  return nullptr;
}

HEADRACE_BENCH_INLINE std::string csv_row(const bench_result& r, const bench_comparison& c) {
  std::string line =
      join({field(r.name), ",", field(r.unit), ",", digits(r.batch, 9), ",", whole(r.calls), ",", whole(r.samples)});
  const auto add = [&line](bool known, double value) {
    line.append(",");
    if (known) line.append(digits(value, 9));
  };
  const bench_counters& k = r.counters;
  for (const double value : {r.first, r.median, r.error, r.mean, r.least, r.most, r.p75, r.p99}) add(true, value);
  for (const double value : {k.cycles, k.instructions, k.branches, k.branch_misses}) add(k.present, value);
  const bench_pair* const p = pair_of(c, r.name);
  add(p != nullptr, p == nullptr ? 0 : p->ratio);
  add(p != nullptr && p->bounded, p == nullptr ? 0 : p->low);
  add(p != nullptr && p->bounded, p == nullptr ? 0 : p->high);
  return join({line, ",", p == nullptr ? "" : to_string(p->verdict), "\n"});
}

HEADRACE_BENCH_INLINE std::string markdown_row(const bench_result& r, const bench_comparison& c) {
  const bench_pair* const p = pair_of(c, r.name);
  std::string against = r.name == c.reference ? "reference" : "";
  if (p != nullptr) against = join({ratio_text(*p, false), " ", to_string(p->verdict)});
  return join({"| ", cell(r.name), " | ", duration(r.median, true), " | ", percent(r.error), " | ",
               duration(r.least, true), " … ", duration(r.most, true), " | ", duration(r.p75, true), " | ",
               duration(r.p99, true), " | ", rate(r.batch / r.median * 1e9, cell(r.unit)), " | ", against, " |\n"});
}

}  // namespace detail::timing

// ------------------------------------------------------------------------------------------------ the class's members

HEADRACE_BENCH_INLINE const char* to_string(bench_verdict verdict) noexcept {
  const char* const words[] = {"faster", "slower", "same", "detectable but small", "cannot tell apart"};
  return words[static_cast<unsigned>(verdict)];
}

HEADRACE_BENCH_INLINE bench::bench(std::string_view title) : state_(nullptr) {
  double seconds = 0;
  if (detail::timing::is_set("HEADRACE_BENCH_SECONDS")) {
    const char* const text = getenv("HEADRACE_BENCH_SECONDS");
    char* end = nullptr;
    seconds = strtod(text, &end);
    if (*end != 0 || !(seconds > 0 && seconds < 1e6))
      detail::timing::give_up({"HEADRACE_BENCH_SECONDS is \"", text,
                               "\": give the seconds a function, more than 0 and less than 1000000, as in 0.5"});
  }
  state_ = new detail::timing::suite_state;
  state_->title = title;
  state_->look = detail::timing::look_of(state_->out);
  state_->seconds_fixed = seconds > 0;
  if (seconds > 0) state_->seconds = seconds;
}

HEADRACE_BENCH_INLINE bench::~bench() { delete state_; }

HEADRACE_BENCH_INLINE bench& bench::budget(double seconds) {
  if (!(seconds > 0 && seconds < 1e6))
    detail::timing::give_up({"budget(", detail::timing::digits(seconds, 6),
                             "): give the seconds a function, more than 0 and less than 1000000"});
  if (!state_->seconds_fixed) state_->seconds = seconds;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::batch(double units, std::string_view unit) {
  if (!(units > 0 && units < 1e300))
    detail::timing::give_up(
        {"batch(", detail::timing::digits(units, 6), "): give the units that one call does, more than 0"});
  state_->batch = units;
  state_->unit = unit;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::baseline(std::string_view name) {
  state_->baseline = name;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::seed(std::uint64_t value) {
  state_->seed = value;
  state_->random = rng{value};
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::output(std::FILE* file) {
  state_->out = file;
  state_->look = detail::timing::look_of(file);
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::look(bench_look how) {
  state_->look = how;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::machine(bool consult) {
  state_->consult = consult;
  return *this;
}

HEADRACE_BENCH_INLINE bench& bench::clock(std::uint64_t (*now)()) {
  state_->now = now;
  state_->resolution = 0;
  return *this;
}

HEADRACE_BENCH_INLINE const bench_result& bench::measure(detail::timing::task* owned, std::string_view name,
                                                         std::uint64_t n) {
  struct holder {  // deletes the function if it throws
    detail::timing::task* held;
    ~holder() { delete held; }
  } guard{owned};
  detail::timing::suite_state& s = *state_;
  if (name.empty()) detail::timing::give_up({"a function of \"", s.title, "\" has an empty name: give it one"});
  bench_result& r = owned->result;
  r.name = name;
  if (n != 0) r.name.append("/").append(detail::timing::whole(n));
  if (detail::timing::find_task(s, r.name) != nullptr)
    detail::timing::give_up(
        {"\"", r.name, "\" is already a function of \"", s.title, "\": each needs a name of its own"});
  if (s.resolution <= 0) detail::timing::measure_clock(s);
  detail::timing::introduce(s);
  r.unit = s.unit;
  r.batch = s.batch;
  r.size = n;
  owned->compared = n == 0;
  detail::timing::sampler(s, *owned).measure();
  detail::timing::progress(s, {});
  s.tasks.push_back(owned);
  guard.held = nullptr;
  detail::timing::print_row(s, r);
  return r;
}

HEADRACE_BENCH_INLINE const bench_growth& bench::grow(std::string_view name) {
  using namespace detail::timing;
  std::vector<double> sizes, times;
  for (const task* t : state_->tasks) {
    const bench_result& r = t->result;
    if (r.size == 0 || r.name != join({name, "/", whole(r.size)})) continue;
    sizes.push_back(static_cast<double>(r.size));
    times.push_back(r.median);
  }
  if (sizes.size() < 2) give_up({"scale(\"", name, "\"): needs two sizes or more, to see how the time grows"});
  auto* const entry = *state_->growths_end = new growth_entry;
  state_->growths_end = &entry->next;
  entry->growth.name = name;
  fit_all(entry->growth, sizes, times);
  print_growth(*state_, entry->growth);
  return entry->growth;
}

HEADRACE_BENCH_INLINE const bench_comparison& bench::compare() {
  detail::timing::race(*state_).run();
  detail::timing::progress(*state_, {});
  detail::timing::print_comparison(*state_);
  return state_->comparison;
}

HEADRACE_BENCH_INLINE std::size_t bench::size() const noexcept { return state_->tasks.size(); }

HEADRACE_BENCH_INLINE const bench_result& bench::operator[](std::size_t index) const {
  if (index >= size())
    detail::timing::give_up({"result ", detail::timing::whole(index), " was asked for, and there are ",
                             detail::timing::whole(size()), ", counted from 0"});
  return state_->tasks[index]->result;
}

HEADRACE_BENCH_INLINE const bench_result& bench::operator[](std::string_view name) const {
  const detail::timing::task* const found = detail::timing::find_task(*state_, name);
  if (found == nullptr) detail::timing::give_up({"\"", name, "\" is no function of \"", state_->title, "\""});
  return found->result;
}

HEADRACE_BENCH_INLINE std::string bench::json() const {
  using namespace detail::timing;
  const suite_state& s = *state_;
  json_writer clock(true), functions(false, ",\n    "), growths(false, ",\n    "), object(true, ",\n  ");
  clock.add("resolution", s.resolution).add("overhead", s.overhead);
  for (const task* t : s.tasks) functions.raw(nullptr, json_of(t->result));
  for (const growth_entry* g = s.growths; g != nullptr; g = g->next) growths.raw(nullptr, json_of(g->growth));
  object.add("schema", "headrace.bench/1").add("title", s.title).add("time_unit", "ns").raw("clock", clock.text());
  object.add("budget_seconds", s.seconds).count("seed", s.seed);
  object.null_or("machine", s.consult, json_of(s.machine)).raw("warnings", list(s.warnings));
  object.raw("functions", functions.text()).raw("comparison", json_of(s.comparison)).raw("growth", growths.text());
  return object.text().append("\n");
}

HEADRACE_BENCH_INLINE std::string bench::csv() const {
  std::string text =
      "name,unit,batch,calls,samples,first_ns,median_ns,error,mean_ns,least_ns,most_ns,p75_ns,p99_ns,"
      "cycles,instructions,branches,branch_misses,ratio,low,high,verdict\n";
  for (const detail::timing::task* t : state_->tasks)
    text.append(detail::timing::csv_row(t->result, state_->comparison));
  return text;
}

HEADRACE_BENCH_INLINE std::string bench::markdown() const {
  using namespace detail::timing;
  const bench_comparison& c = state_->comparison;
  std::string text = join({"| ", cell(state_->title), " | median | err% | min … max | p75 | p99 | rate | against ",
                           c.reference.empty() ? "-" : cell(c.reference), " |\n|---|--:|--:|--:|--:|--:|--:|---|\n"});
  for (const task* t : state_->tasks) text.append(markdown_row(t->result, c));
  return text;
}

HEADRACE_BENCH_INLINE void bench::save(const std::string& path) const {
  const auto ends = [&path](const char* with) {
    const std::size_t length = strlen(with);
    return path.size() > length && path.compare(path.size() - length, length, with) == 0;
  };
  if (!ends(".json") && !ends(".csv") && !ends(".md"))
    detail::timing::give_up({"save(\"", path, "\"): the ending says what to write: .json, .csv or .md"});
  const std::string text = ends(".json") ? json() : ends(".csv") ? csv() : markdown();
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool good = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  good = file != nullptr && std::fclose(file) == 0 && good;
  if (!good) detail::timing::give_up({"cannot write \"", path, "\": check that its folder exists and has room"}, false);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace

#undef HEADRACE_BENCH_INLINE
#endif
#endif
