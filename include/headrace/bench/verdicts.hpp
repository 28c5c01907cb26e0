// headrace/bench/verdicts.hpp: pairs of functions: their ratio, its interval, the margin and the verdict. Not
// for users.
#pragma once

#include "suite.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

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

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
