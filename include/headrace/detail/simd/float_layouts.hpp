// headrace/detail/simd/float_layouts.hpp: how the bytes of a number move into its text. Not for users.
#pragma once

#include <cstdint>

#include "../../config.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A row has an index into a source of 32 bytes for each byte of the text, and in its last byte the text's length, with
// the separator. The source:
//      0 to 15   the whole part as sixteen digits, the LAST one first
//      16        the digit after them      17   '.'      18   '0'      19   the separator
//      24 to 28  the exponent: "e-123", always three digits
// There is a row for each place of the point with each number of digits, and for each number of digits with each of the
// exponent; `sixteen` says whether the whole part has sixteen digits or begins with a 0.
struct layout_table {
  static constexpr unsigned char last_digit = 16, point = 17, nought = 18, separator = 19, e = 24;
  static constexpr int row_size = 32, length_at = 31, max_point = 16, min_point = -3;

  static constexpr unsigned zero_row = 0;  // "0"; no other number has the point there with no digits
  static constexpr unsigned fixed_row(unsigned point_and_3, unsigned digits, unsigned sixteen) noexcept {
    return point_and_3 * 34 + digits * 2 + sixteen;
  }
  static constexpr unsigned scientific_rows = 20 * 34 + 2;
  static constexpr unsigned scientific_row(unsigned digits, unsigned three, unsigned sixteen) noexcept {
    return scientific_rows + digits * 4 + three * 2 + sixteen;
  }
  static constexpr unsigned row_count = scientific_rows + 18 * 4;

  alignas(64) unsigned char rows[row_count][row_size]{};

  constexpr layout_table() noexcept {
    rows[zero_row][0] = nought;
    rows[zero_row][1] = separator;
    rows[zero_row][length_at] = 2;
    for (unsigned sixteen = 0; sixteen < 2; ++sixteen) {
      for (unsigned digits = 1; digits <= 16 + sixteen; ++digits) {
        for (int at = min_point; at <= max_point; ++at) {
          const auto point_and_3 = static_cast<unsigned>(at - min_point);
          lay_out_fixed(rows[fixed_row(point_and_3, digits, sixteen)], at, static_cast<int>(digits), sixteen);
        }
        for (unsigned three = 0; three < 2; ++three) {
          lay_out_scientific(rows[scientific_row(digits, three, sixteen)], static_cast<int>(digits), three, sixteen);
        }
      }
    }
  }

 private:
  // Where the source has the digit that comes i-th.
  static constexpr unsigned char place_of(int i, unsigned sixteen) noexcept {
    const int of_sixteen = sixteen != 0 ? i : i + 1;
    return static_cast<unsigned char>(of_sixteen >= 16 ? int{last_digit} : 15 - of_sixteen);
  }
  // 0.00125, 12.5, 1500
  static constexpr void lay_out_fixed(unsigned char* row, int at, int digits, unsigned sixteen) noexcept {
    int size = 0;
    for (int i = at < 1 ? at - 1 : 0; i < digits || i < at; ++i) {
      if (i == at) row[size++] = point;
      row[size++] = i < 0 || i >= digits ? nought : place_of(i, sixteen);
    }
    row[size++] = separator;
    row[length_at] = static_cast<unsigned char>(size);
  }
  // 1.25e-07, 1e+100
  static constexpr void lay_out_scientific(unsigned char* row, int digits, unsigned three, unsigned sixteen) noexcept {
    int size = 0;
    for (int i = 0; i < digits; ++i) {
      if (i == 1) row[size++] = point;
      row[size++] = place_of(i, sixteen);
    }
    for (int i = 0; i < 5; ++i) {
      if (i != 2 || three != 0) row[size++] = static_cast<unsigned char>(e + i);
    }
    row[size++] = separator;
    row[length_at] = static_cast<unsigned char>(size);
  }
};

template <class Void = void>
inline constexpr layout_table layouts = make_table<layout_table, Void>();

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
