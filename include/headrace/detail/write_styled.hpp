// headrace/detail/write_styled.hpp: floating point in a style and with a precision, alone and in ranges. Not for users:
// ../writer.hpp says what is written.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "../config.hpp"
#include "../format.hpp"
#include "../types.hpp"
#include "../writer.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

template <class Float>
void writer::put_styled(Float value, float_style style, int precision) {
  if (detail::likely(next_ < end_ && precision <= 17)) {
    const format_result result = format(next_, limit_ + slack, value, style, precision);
    if (detail::likely(bool(result))) {
      next_ = result.ptr;
      return;
    }
  }
  // Digits past the last one that any number has are zeros. In the scientific style the exponent follows them.
  constexpr int max_precision = detail::bits_of<Float>;
  prepare();
  if (limit_ - next_ < 2 * max_precision && !send_buffer()) report();
  const int given = precision < max_precision ? precision : max_precision;
  const format_result result = format(next_, limit_ + slack, value, style, given);
  if (!result) refuse("write with a negative precision");
  const bool is_finite = result.ptr[-1] <= '9';
  char* end = result.ptr;
  if (precision > given && is_finite) {
    if (style == float_style::scientific) {
      while (*--end != 'e') {}
    }
    char exponent[8];
    const auto size = static_cast<std::size_t>(result.ptr - end);
    std::memcpy(exponent, end, size);
    next_ = end;
    put_zeros(static_cast<std::size_t>(precision - given));
    put_text(exponent, size);
  } else {
    next_ = end;
  }
  apply_policy();
}

inline void writer::put_zeros(std::size_t count) {
  while (count > 0) {
    prepare();
    const std::size_t piece = count < slack ? count : slack;
    std::memset(next_, '0', piece);
    next_ += piece;
    count -= piece;
  }
}

template <class Range, class Separator>
void writer::put_styled_elements(Range& range, const Separator& separator, float_style style, int precision) {
  if constexpr (detail::is_float<detail::element_of<Range>>) {
    bool first = true;
    for (const auto value : range) {
      if (!first) put(separator);
      first = false;
      put_styled(value, style, precision);
    }
  } else {
    static_assert(sizeof(Range) == 0,
                  "headrace: write_range() takes a style with ranges of float, double or long double");
  }
}

template <class Range, class Separator>
void writer::write_range(Range&& range, const Separator& separator, float_style style, int precision) {
  detail::visit_range(range, [&](auto& elements) { put_styled_elements(elements, separator, style, precision); });
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
