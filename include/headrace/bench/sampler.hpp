// headrace/bench/sampler.hpp: one function: warm-up, number of calls, samples. Not for users.
#pragma once

#include "suite.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

// The time budget's parts: a quarter for run(), the rest for compare(). Nanoseconds.
HEADRACE_BENCH_INLINE double row_budget(const suite_state& s) { return s.seconds * 1e9 / 4; }
HEADRACE_BENCH_INLINE double slot_budget(const suite_state& s) {
  return s.seconds * 1e9 * 3 / 4 / static_cast<double>(judged_after[judgement_count - 1]);
}

HEADRACE_BENCH_INLINE double sample_of(const suite_state& s, task& t, std::size_t calls) {
  auto took = static_cast<double>(t.time(calls, s.now)) / static_cast<double>(calls);
  if (t.singly) took -= s.overhead;
  return took > min_time ? took : min_time;
}

// More calls per sample, so that it lasts at least the target; false where the limit or the budget stops it.
HEADRACE_BENCH_INLINE bool sampler::grow(double took) {
  if (calls_ >= max_calls) return false;
  const double wanted = took > 0 ? target_ * 1.2 / took : 16;
  const double factor = wanted > 16 ? 16 : wanted < 2 ? 2 : wanted;
  if (wall_ * factor > row_budget(s_) / 32) return false;
  const auto more = static_cast<std::size_t>(static_cast<double>(calls_) * factor);
  calls_ = more < max_calls ? more : max_calls;
  return true;
}

// The first call is apart: it loads pages, fills caches, and may initialise something once. A later sample that comes
// out short (a cold second call had set the number of calls) starts the samples again with more calls.
HEADRACE_BENCH_INLINE void sampler::measure() {
  t_.result.first = static_cast<double>(t_.time(1, s_.now));
  const double warm = row_budget(s_) / 8;
  for (bool sized = elapsed(s_, begin_) > row_budget(s_); !sized || elapsed(s_, begin_) < warm;) {
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
  while (r.samples < 3 || (elapsed(s_, begin_) < row_budget(s_) && r.samples < max_samples)) {
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
  r.min = r.samples == 1 || value < r.min ? value : r.min;
  r.max = r.samples == 1 || value > r.max ? value : r.max;
  if (r.values.size() < max_kept) {
    r.values.push_back(value);
    return;
  }
  const std::uint64_t place = s_.random.below(r.samples);
  if (place < max_kept) r.values[static_cast<std::size_t>(place)] = value;
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
  if (s_.consult && !t_.singly) r.counters = s_.counters.count(t_, calls_, s_.now, row_budget(s_) / 4);
}

// Where the function is no slower than the loop around it, there is nothing left of it to measure.
HEADRACE_BENCH_INLINE void sampler::check_against_empty_loop() {
  if (t_.result.median > 20) return;  // no empty loop takes so long, optimised or not
  std::vector<double> empty;
  for (std::size_t i = 0; i < 11; ++i)
    empty.push_back(static_cast<double>(t_.time_nothing(calls_, s_.now)) / static_cast<double>(calls_));
  t_.result.like_empty = t_.result.median <= 1.25 * median_of(empty);
}

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
