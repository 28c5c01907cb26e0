// headrace/bench/statistics.hpp: order statistics of plain numbers: sorting, medians, percentiles, ranks of
// intervals. Not for users.
#pragma once

#include "suite.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

// Shellsort with Ciura's gaps (2001): a few lines, and it never gets more than 4096 doubles.
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

// Nearest rank: the smallest value that at least `share` of all values do not exceed.
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

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
