// headrace/bench/growth.hpp: how times grow with the size: least squares over six models. Not for users.
#pragma once

#include "suite.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

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

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
