// headrace/bench/rng.hpp: random bits. Not for users.
#pragma once

#include "../bench.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {

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
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
