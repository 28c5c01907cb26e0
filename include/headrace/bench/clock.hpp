// headrace/bench/clock.hpp: the clock: reading it, its step and its cost. Not for users.
#pragma once

#include "suite.hpp"

#ifdef _WIN32
#include <chrono>
#else
#include <time.h>
#endif

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

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

HEADRACE_BENCH_INLINE double elapsed(const suite_state& s, std::uint64_t since) {
  return static_cast<double>(s.now() - since);
}

// The smallest step between two readings, and what one reading costs.
HEADRACE_BENCH_INLINE void measure_clock(suite_state& s) {
  constexpr std::size_t pairs = 501, patience = 1000000;
  std::vector<double> costs;
  double smallest = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::uint64_t first = s.now();
    std::uint64_t next = s.now();
    costs.push_back(static_cast<double>(next - first));
    for (std::size_t k = 0; next == first && k < patience / pairs; ++k) next = s.now();
    const auto step = static_cast<double>(next - first);
    if (step > 0 && (smallest <= 0 || step < smallest)) smallest = step;
  }
  if (smallest <= 0)
    give_up({"the clock of \"", s.title, "\" stands still: clock() needs one that counts nanoseconds"});
  s.resolution = smallest;
  s.overhead = median_of(costs);
}

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
