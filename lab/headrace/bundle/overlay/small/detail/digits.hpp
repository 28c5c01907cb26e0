// The tables, worked out by the compiler, which takes longer.
#pragma once

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

struct digit_table {
  char text[4000]{};

  constexpr digit_table(bool leading) {
    for (int n = 0; n < 1000; ++n) {
      const int size = leading ? 1 + (n > 9) + (n > 99) : 3;
      char* const to = text + 4 * n;
      to[1] = to[2] = ' ';
      to[3] = leading ? static_cast<char>('0' + size) : ' ';
      int rest = n;
      for (int i = size; i > 0; rest /= 10) to[--i] = static_cast<char>('0' + rest % 10);
    }
  }
};

alignas(64) inline constexpr digit_table three_digit_table(false), leading_digit_table(true);
inline constexpr const char* three_digits = three_digit_table.text;
inline constexpr const char* leading_digits = leading_digit_table.text;

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
