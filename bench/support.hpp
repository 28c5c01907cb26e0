// What the micro-benchmarks share: the kernels of this machine, and numbers as text.
#pragma once

#include <headrace/bench.hpp>
#include <headrace/detail/simd/kernels.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace support {

using kernel = unsigned;  // its row in the table

inline const char* name_of(kernel row) { return headrace::detail::kernel_table<headrace::detail::kernel_name>[row]; }

// Those that this machine can run, the best first.
inline std::vector<kernel> kernels() {
  std::vector<kernel> found;
  for (kernel row = 0; row < headrace::detail::kernel_count; ++row)
    if (headrace::detail::is_usable(row, headrace::detail::processor_features())) found.push_back(row);
  return found;
}

// From here on the library uses this kernel. Costs a store.
inline void use(kernel row) {
  __atomic_store_n(&headrace::detail::chosen_kernel_code, static_cast<unsigned char>(row + 1), __ATOMIC_RELAXED);
}

inline void introduce(const char* what) {
  std::printf("%s; kernel %s of", what, name_of(headrace::detail::chosen_kernel()));
  for (const kernel which : kernels()) std::printf(" %s", name_of(which));
  std::printf(" (HEADRACE_SIMD chooses)\n\n");
}

// Of the processor, where the system tells it: what else runs on the machine is not counted.
inline double nanoseconds() {
#if defined(CLOCK_PROCESS_CPUTIME_ID)
  std::timespec now{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0) {
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
  }
#endif
  const auto now_by_clock = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(now_by_clock).count();
}

struct way {
  std::string name;
  std::function<void()> run;
};

// Nanoseconds a value of each way, the least of all rounds, in which all take turns.
inline std::vector<double> race(const std::vector<way>& ways, std::size_t values, int rounds) {
  std::vector<double> best(ways.size(), 1e9);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const double start = nanoseconds();
      ways[i].run();
      best[i] = std::min(best[i], (nanoseconds() - start) / static_cast<double>(values));
    }
  }
  return best;
}

constexpr std::size_t many = 1000;  // numbers a call
constexpr double seconds = 0.5;     // a function

// Integers whose text has `digits` digits; every second one is negative where `is_signed`.
inline std::vector<long long> integers(int digits, bool is_signed, std::uint64_t seed = 1) {
  headrace::rng random(seed);
  std::uint64_t low = 1;
  for (int i = 1; i < digits; ++i) low *= 10;
  const std::uint64_t most = INT64_MAX, span = digits == 19 ? most - low : 9 * low;
  std::vector<long long> values;
  for (std::size_t i = 0; i < many; ++i) {
    const auto value = static_cast<long long>(low + random.below(span));
    values.push_back(is_signed && i % 2 == 1 ? -value : value);
  }
  return values;
}

// Integers of 1 to 19 digits, so many that no branch predictor remembers their lengths.
inline std::vector<long long> mixed_integers() {
  std::vector<std::vector<long long>> by_length;
  for (int digits = 1; digits <= 19; ++digits) by_length.push_back(integers(digits, true));
  headrace::rng random(2);
  std::vector<long long> values;
  for (std::size_t i = 0; i < 50 * many; ++i) values.push_back(by_length[random.below(19)][random.below(many)]);
  return values;
}

// Doubles of 17 digits from a range, or of at most six decimals.
inline std::vector<double> doubles(bool are_short, std::uint64_t seed = 1) {
  headrace::rng random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < many; ++i) {
    const double value = random.uniform() * 2000 - 1000;
    values.push_back(are_short ? static_cast<double>(static_cast<long long>(value * 100)) / 100 : value);
  }
  return values;
}

// The texts one after the other, and where each is.
struct texts {
  std::string all;
  std::vector<std::string_view> each;
};

inline texts join(const std::vector<std::string>& parts) {
  texts joined;
  for (const std::string& part : parts) joined.all.append(part).append(1, ' ');
  const char* at = joined.all.data();
  for (const std::string& part : parts) {
    joined.each.emplace_back(at, part.size());
    at += part.size() + 1;
  }
  return joined;
}

}  // namespace support
