// Does headrace::bench give the medians that nanobench gives? Ten functions, each timed by both in turn, some rounds.
// nanobench gets epochs of 5 ms: with those it chooses (about 20 us) its medians move by several per cent.
#define ANKERL_NANOBENCH_IMPLEMENT
#include <headrace/bench.hpp>

#include <nanobench.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "ten_functions.hpp"

namespace {

using headrace::keep;

struct comparison {
  const char* name;
  std::vector<double> ours, theirs, ratios;  // ns, ns, ours / theirs; one per round
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class F>
double by_nanobench(F& f) {
  ankerl::nanobench::Bench bench;
  bench.output(nullptr).warmup(1).minEpochTime(std::chrono::milliseconds(5)).run("f", f);
  return bench.results().back().median(ankerl::nanobench::Result::Measure::elapsed) * 1e9;
}

template <class F>
double by_headrace(F& f) {
  headrace::bench suite{"f"};
  suite.output(nullptr).machine(false).budget(0.4);
  return suite.run("f", f).median;
}

// nanobench before and after, so that a drift of the machine cancels.
template <class F>
void compare(comparison& to, F f) {
  const double before = by_nanobench(f), ours = by_headrace(f), after = by_nanobench(f);
  to.ours.push_back(ours);
  to.theirs.push_back((before + after) / 2);
  to.ratios.push_back(ours / to.theirs.back());
}

void compare_all(std::vector<comparison>& all) {
  std::uint64_t x = 7;
  double root = 2.5;
  headrace::rng random{1};
  const std::string text(4096, 'x');
  std::vector<int> unsorted(1000), sorted;
  for (int& value : unsorted) value = static_cast<int>(random.below(100000));

  compare(all[0], [&] { keep(ten::multiply_add(x)); });
  compare(all[1], [&] { keep(root = ten::divide_root(root)); });
  compare(all[2], [&] { keep(x = ten::congruential(x, 10)); });
  compare(all[3], [&] { keep(x = ten::congruential(x, 100)); });
  compare(all[4], [&] { keep(ten::find(text, 'y')); });
  compare(all[5], [&] {
    char to[40];
    keep(ten::print(to, 0.1));
  });
  compare(all[6], [&] { ten::sort(unsorted, sorted); });
  compare(all[7], [&] { keep(x = ten::congruential(x, 10000)); });
  compare(all[8], [&] { keep(x = ten::congruential(x, 1000000)); });
  compare(all[9], [&] { keep(x = ten::congruential(x, 100000000)); });
}

}  // namespace

int main() {
  std::vector<comparison> all;
  for (const char* name : {"multiply and add", "root and division", "10 steps", "100 steps", "find in 4 KiB",
                           "snprintf %.17g", "sort of 1,000", "10^4 steps", "10^6 steps", "10^8 steps"})
    all.push_back({name, {}, {}, {}});
  constexpr int rounds = 7;
  for (int i = 0; i < rounds; ++i) compare_all(all);

  std::printf("medians of %d rounds; headrace / nanobench: median of the rounds' ratios [min, max]\n\n", rounds);
  std::size_t close = 0;
  for (const comparison& function : all) {
    const double ratio = median(function.ratios);
    close += ratio > 0.97 && ratio < 1.03;
    std::printf("%-18s headrace %12.2f ns   nanobench %12.2f ns   %.3f [%.3f, %.3f]\n", function.name,
                median(function.ours), median(function.theirs), ratio,
                *std::min_element(function.ratios.begin(), function.ratios.end()),
                *std::max_element(function.ratios.begin(), function.ratios.end()));
  }
  std::printf("\n%zu of %zu within 3 %%\n", close, all.size());
}
