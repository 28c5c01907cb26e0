// spin: does N steps of work that no compiler can shorten, for `headrace selftest`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: spin STEPS\n", stderr);
    return 2;
  }
  const unsigned long long steps = std::strtoull(words[1], nullptr, 10);
  // Each step needs the one before (Knuth's MMIX generator, The Art of Computer Programming 2, 3.3.4), and the
  // volatile store ends the chain: time is steps times the latency of a multiplication and an addition.
  std::uint64_t state = steps;
  for (unsigned long long step = 0; step < steps; ++step) {
    state = state * 6364136223846793005u + 1442695040888963407u;
  }
  volatile std::uint64_t result = state;
  (void)result;
  return 0;
}
