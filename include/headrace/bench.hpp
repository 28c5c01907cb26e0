// headrace/bench.hpp: time functions inside one process, compare them in pairs, and say no more than the data say.
//
//     #include <headrace/bench.hpp>
//     using headrace::keep;
//     headrace::bench suite{"write 100 MiB"};
//     suite.run("fwrite", [&] { keep(write_by_stdc(path, size)); });        // any callable; prints a row at once
//     suite.run("ofstream", [&] { keep(write_by_stdcpp(path, size)); });
//     suite.compare();                                                       // interleaved rounds, verdicts
//
// This header needs nothing else: C++17 and its standard library, no macro to write, nothing to link. As it is, every
// function is inline, in as many translation units as you like. A program of many translation units can have the
// implementation compiled once: HEADRACE_BENCH_IMPLEMENTATION=0 for all of them leaves only the declarations,
// and HEADRACE_BENCH_IMPLEMENTATION=1 (or defined empty) in exactly one holds the rest.
//
// Contract
// - Times are nanoseconds per call, rates are units per second. Nothing printed or written is ever NaN or infinite.
// - A wrong use (a name twice, a budget of zero, an unknown baseline) throws std::invalid_argument; a file that cannot
//   be written throws std::runtime_error; built with -fno-exceptions both print their sentence and abort.
//   What a measured function throws passes through run() and compare(); that function's row is then left out.
// - Memory: at most 4096 kept samples and 60 rounds per function, however long it runs.
// - One suite belongs to one thread. The functions measured may use threads of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// The inline namespace of the library (HEADRACE_ABI of config.hpp, which this header does without).
#if defined(__cpp_exceptions)
#define HEADRACE_BENCH_ABI v0_2_0
#else
#define HEADRACE_BENCH_ABI v0_2_0_no_exceptions
#endif

// HEADRACE_BENCH_IMPLEMENTATION is empty or not 0 in the one place of the definitions: (1 - X - 1) is 0 for 0, and 2
// where X is empty. Cold, which means compiled for size, halves the compile time; none of these functions runs inside
// a timed loop.
#if defined(HEADRACE_BENCH_IMPLEMENTATION) && (1 - HEADRACE_BENCH_IMPLEMENTATION - 1) != 0
#define HEADRACE_BENCH_INLINE [[gnu::cold]]
#else
#define HEADRACE_BENCH_INLINE [[gnu::cold]] inline
#endif

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {

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

// The counts of a processor in one call, the loop around it (two instructions) included.
struct bench_counters {
  bool present = false;  // false where the machine, the kernel or its settings have none: all are 0 then
  double cycles = 0, instructions = 0, branches = 0, branch_misses = 0;
};

// One function's measurement. A sample is the time of `calls` calls, divided by `calls`.
struct bench_result {
  std::string name;
  std::string unit = "op";      // what one call does `batch` of
  double batch = 1;             // units per call
  std::uint64_t size = 0;       // the n of scale(), 0 without
  std::uint64_t calls = 0;      // calls per sample
  std::uint64_t samples = 0;    // samples taken
  double first = 0;             // the very first call, which is no sample; nanoseconds as all below
  double median = 0, mean = 0;  // the mean, minimum and maximum: of all samples
  union {
    double min = 0;
    [[deprecated("it is called min")]] double least;
  };
  union {
    double max = 0;
    [[deprecated("it is called max")]] double most;
  };
  double p75 = 0, p99 = 0;   // the median and percentiles: of the kept samples
  double error = 0;          // median of |sample - median| / median, a share: 0.01 is 1 %
  bool like_empty = false;   // no slower than an empty loop: folded, removed, or too small to be told
  bool below_clock = false;  // timed singly (with a setup) and too short for the clock
  bool unoptimised = false;  // the caller was compiled without optimisation
  bench_counters counters;
  std::vector<double> values;  // kept samples: all while there are at most 4096, then a uniform choice of 4096
  std::vector<double> rounds;  // one value per round of compare()
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
  bench& budget(double seconds);  // per function, run() and compare() together; HEADRACE_BENCH_SECONDS overrides it
  bench& batch(double units, std::string_view unit);  // one call does this many of it: adds a rate to the row
  bench& baseline(std::string_view name);             // compare() measures against this one
  bench& seed(std::uint64_t value);                   // of the shuffles and of the choice of kept samples
  bench& output(std::FILE* file);                     // stdout unless set; nullptr: print nothing
  bench& look(bench_look how);
  bench& machine(bool consult);          // false: no look at the machine, no warnings about it, no counters
  bench& clock(std::uint64_t (*now)());  // nanoseconds since any moment, never backwards; for tests and cycle counters

  // Measures `f()` and prints its row. `name` must be new. What f returns is kept. The first call is a warm-up.
  template <class F>
  const bench_result& run(std::string_view name, F&& f);

  // Measures `f()` with `setup()` before every call, outside the timing. Where setup returns a value, f gets it by
  // reference, and it is destroyed outside the timing too: run("sort", [&] { return data; }, [](auto& v) { sort(v); })
  template <class S, class F>
  const bench_result& run(std::string_view name, S&& setup, F&& f);

  // Measures f(n) for each n, at least 1, as "name/n" and prints how the time grows; with `make`, f(make(n)) where only
  // f is timed.
  template <class F>
  const bench_growth& scale(std::string_view name, std::initializer_list<std::size_t> sizes, F&& f);
  template <class S, class F>
  const bench_growth& scale(std::string_view name, std::initializer_list<std::size_t> sizes, S&& make, F&& f);

  // Measures all functions of run() again in up to 60 rounds, each in freshly shuffled order, and prints a verdict per
  // pair. A function leaves when its verdict is known or its time budget is used up.
  const bench_comparison& compare();

  std::size_t size() const noexcept;
  const bench_result& operator[](std::size_t index) const;
  const bench_result& operator[](std::string_view name) const;

  std::string json() const;  // everything, kept samples and rounds included
  std::string csv() const;   // a header and a row per function
  std::string markdown() const;
  void save(const std::string& path) const;  // by the ending: .json, .csv or .md

 private:
  static void check_sizes(std::string_view name, std::initializer_list<std::size_t> sizes);
  const bench_result& measure(detail::timing::task* owned, std::string_view name, std::uint64_t n);
  const bench_growth& grow(std::string_view name);
  detail::timing::suite_state* state_;
};

}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace

// ---------------------------------------------------------------------------------------------------------------

#include "bench/tasks.hpp"
#if !defined(HEADRACE_BENCH_IMPLEMENTATION) || (1 - HEADRACE_BENCH_IMPLEMENTATION - 1) != 0
#include "bench/suite.hpp"
#endif
