// spin: does N steps of work of one kind that no compiler can shorten, for `headrace selftest`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>
#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

namespace {

// Each step needs the one before (Knuth's MMIX generator, The Art of Computer Programming 2, 3.3.4): time is
// steps times the latency of a multiplication and an addition.
std::uint64_t next(std::uint64_t state) { return state * 6364136223846793005u + 1442695040888963407u; }

std::uint64_t compute(std::uint64_t steps) {
  std::uint64_t state = steps;
  for (std::uint64_t step = 0; step < steps; ++step) state = next(state);
  return state;
}

// Each step loads what the one before has found, anywhere in 4 MiB: time is steps times the latency of a cache.
std::uint64_t memory(std::uint64_t steps) {
  std::vector<std::uint32_t> table(1u << 20);
  for (std::uint32_t at = 0; at < table.size(); ++at) table[at] = static_cast<std::uint32_t>(next(at) >> 44);
  std::uint64_t state = 1;
  for (std::uint64_t step = 0; step < steps; ++step) {
    state = (table[state & (table.size() - 1)] + step) & (table.size() - 1);
  }
  return state;
}

// Each step is a system call that does next to nothing.
std::uint64_t calls(std::uint64_t steps) {
  std::uint64_t state = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
#if defined(_WIN32)
    state += static_cast<std::uint64_t>(_lseek(0, 0, SEEK_CUR));
#else
    state += static_cast<std::uint64_t>(lseek(0, 0, SEEK_CUR));
#endif
  }
  return state;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view kind = count == 3 ? words[1] : "";
  if (kind != "compute" && kind != "memory" && kind != "calls") {
    std::fputs("usage: spin compute|memory|calls STEPS\n", stderr);
    return 2;
  }
  const std::uint64_t steps = std::strtoull(words[2], nullptr, 10);
  // The volatile store ends the chain.
  volatile std::uint64_t result = kind == "compute" ? compute(steps) : kind == "memory" ? memory(steps) : calls(steps);
  (void)result;
  return 0;
}
