// bench/ten_functions.hpp: functions from a nanosecond to a tenth of a second, for two harnesses to time. They are
// compiled apart, so that neither harness is optimised together with them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ten {

std::uint64_t multiply_add(std::uint64_t x);                    // about 1 ns
double divide_root(double x);                                   // about 10 ns
std::uint64_t congruential(std::uint64_t x, long steps);        // a nanosecond a step
std::size_t find(const std::string& text, char wanted);         // 4 KiB: tens of nanoseconds
int print(char (&to)[40], double x);                            // about 100 ns
void sort(const std::vector<int>& from, std::vector<int>& to);  // 1,000 elements: microseconds

}  // namespace ten
