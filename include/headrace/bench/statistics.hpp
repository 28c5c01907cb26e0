// headrace/bench/statistics.hpp: order statistics, the verdict on a pair, and how times grow with the size; pure. Not
// for users.
#pragma once

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

constexpr std::size_t judged_after[] = {12, 24, 36, 60};  // rounds after which pairs are judged
inline constexpr std::size_t judgement_count = sizeof judged_after / sizeof *judged_after;
// Bonferroni: all together share 5 %.
inline constexpr double judgement_alpha = 0.05 / static_cast<double>(judgement_count);
inline constexpr std::size_t min_rounds = 8;  // fewer give no interval at this level
inline constexpr double min_margin = 0.01;
// A reference that differs more from itself cannot show that two are the same.
inline constexpr double max_same_margin = 0.05;

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

// The median of sorted values; 0 for none.
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
  const std::size_t rank = order_rank(x.size(), judgement_alpha);
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
  return reach > min_margin ? reach : min_margin;
}

HEADRACE_BENCH_INLINE double same_margin(double margin) { return margin < max_same_margin ? margin : max_same_margin; }

// The whole interval in [1/(1+m), 1+m].
HEADRACE_BENCH_INLINE bool is_within(const bench_pair& pair, double margin) {
  return pair.low >= 1 / (1 + margin) && pair.high <= 1 + margin;
}

// Faster or slower: the whole interval is beyond the margin. Same: it holds 1 and is within the margin, or within 5
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
// counts for the smallest margin only: after few rounds it is wide because the A/A pair's interval is, and narrows with
// more.
HEADRACE_BENCH_INLINE bool is_known(const bench_pair& pair, double margin) {
  const double up = 1 + margin, down = 1 / up;
  return pair.bounded && (is_within(pair, min_margin) || pair.high < down || pair.low > up);
}

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
