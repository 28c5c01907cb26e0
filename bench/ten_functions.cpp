#include "ten_functions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ten {

std::uint64_t multiply_add(std::uint64_t x) { return x * 3 + 1; }

double divide_root(double x) { return std::sqrt(x) / x + 1; }

// The constants of D. Knuth's MMIX (The Art of Computer Programming, volume 2, 1997).
std::uint64_t congruential(std::uint64_t x, long steps) {
  for (long i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

std::size_t find(const std::string& text, char wanted) { return text.find(wanted); }

int print(char (&to)[40], double x) { return std::snprintf(to, sizeof to, "%.17g", x); }

void sort(const std::vector<int>& from, std::vector<int>& to) {
  to = from;
  std::sort(to.begin(), to.end());
}

}  // namespace ten
