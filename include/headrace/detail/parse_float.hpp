// headrace/detail/parse_float.hpp: how float, double and long double are read: ../parse.hpp says what is accepted. Not
// for users.
//
// Algorithm: up to 19 digits in a 64-bit integer, times a power of ten from a table of 128 bits (D. Lemire, "Number
// Parsing at a Gigabyte per Second", 2021, after M. Eisel; N. Mushtak and D. Lemire, "Fast Number Parsing Without
// Fallback", 2023). Where more than 19 digits leave two candidates, and for long double, exact big integers decide.
#pragma once

#include <cfloat>

#include "big_integer.hpp"
#include "../parse.hpp"
#include "powers.hpp"
#include "read_digits.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A binary format: `digits` bits of significand, one of them implied, and the exponent of its least bit ("ulp").
template <class Float>
struct float_format;
template <>
struct float_format<float> {
  using bits = std::uint32_t;
  static constexpr int digits = 24;
  static constexpr int least_ulp = -149;
  static constexpr int greatest_ulp = 104;
  static constexpr int least_power_of_ten = -65;  // below, 19 digits are less than half the smallest number
  static constexpr int greatest_power_of_ten = 38;
  static constexpr int least_even_power = -17;  // only between these can a product of 128 bits be a tie
  static constexpr int greatest_even_power = 10;
};
template <>
struct float_format<double> {
  using bits = std::uint64_t;
  static constexpr int digits = 53;
  static constexpr int least_ulp = -1074;
  static constexpr int greatest_ulp = 971;
  static constexpr int least_power_of_ten = -342;
  static constexpr int greatest_power_of_ten = 308;
  static constexpr int least_even_power = -4;
  static constexpr int greatest_even_power = 23;
};

// What a text says: significand * 10^exponent, its digits at [digits, digits_end) with at most one point.
struct decimal {
  std::uint64_t significand = 0;  // the first 19 significant digits
  std::int64_t exponent = 0;
  bool truncated = false;  // digits that are not zero follow
  const char* digits = nullptr;
  const char* digits_end = nullptr;
  std::int64_t written_exponent = 0;
};

// The exponent at `at`, which is on an e; leaves `at` there when no digit follows.
inline const char* parse_exponent(const char* at, const char* last, std::int64_t& exponent) noexcept {
  const char* digit = at + 1;
  const bool negative = digit != last && *digit == '-';
  if (digit != last && (*digit == '-' || *digit == '+')) ++digit;
  if (digit == last || !is_digit(*digit)) return at;
  std::int64_t sum = 0;
  for (; digit != last && is_digit(*digit); ++digit) {
    if (sum < 1000000000000) sum = sum * 10 + (*digit - '0');
  }
  exponent = negative ? -sum : sum;
  return digit;
}

// More than 19 digits: takes the first 19 that are significant, and notes whether the rest matters.
HEADRACE_COLD inline void take_nineteen_digits(decimal& number) noexcept {
  number.significand = 0;
  number.exponent = number.written_exponent;
  bool after_point = false;
  int taken = 0;
  for (const char* at = number.digits; at != number.digits_end; ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    if (taken < 19) {
      number.significand = number.significand * 10 + static_cast<unsigned>(*at - '0');
      taken += number.significand != 0;
      number.exponent -= after_point;
    } else {
      number.truncated |= *at != '0';
      number.exponent += !after_point;
    }
  }
}

// Digits with a point among the first eight: takes it out, so that up to seven digits are joined at once. Returns where
// they end, `first` when there is no such point. `after_point`: how many of them are after it.
//     "12.3456 "   ->   1 2 3 4 5 6 and a byte that is none
template <bool Padded>
HEADRACE_INLINE const char* join_around_point(const char* first, const char* last, std::uint64_t& sum,
                                              std::ptrdiff_t& after_point) noexcept {
  std::uint64_t digits;
  if (Padded || last - first >= 8) {
    digits = load_eight(first) ^ every_byte('0');
  } else if (last - first >= 4) {
    digits = load_fewer(first, static_cast<std::size_t>(last - first)) ^ every_byte('0');
  } else {
    return first;
  }
  const std::uint64_t wrong = not_digits(digits);
  if (wrong == 0) return first;
  const auto whole = static_cast<unsigned>(__builtin_ctzll(wrong)) & ~7u;
  if ((digits >> whole & 0xff) != ('.' ^ '0')) return first;
  const std::uint64_t before = (std::uint64_t(1) << whole) - 1;
  const std::uint64_t joined = (digits & before) | (digits >> 8 & ~before) | std::uint64_t(0xff) << 56;
  const char* const end = append_some(first, joined, not_digits(joined), sum) + 1;
  after_point = end - first - 1 - static_cast<std::ptrdiff_t>(whole / 8);
  return end;
}

// Reads a decimal at [first, last). Returns where it ends, `first` when there is none.
template <bool Padded>
HEADRACE_INLINE const char* parse_decimal(const char* first, const char* last, decimal& number) noexcept {
  number.digits = first;
  std::uint64_t sum = 0;
  std::ptrdiff_t after_point = 0;
  const char* at = join_around_point<Padded>(first, last, sum, after_point);
  std::ptrdiff_t count = at - first - (at != first);
  if (count == 7) {
    const char* const more = at;
    at = append_digits<Padded>(more, last, sum);
    after_point += at - more;
    count += at - more;
  } else if (count == 0) {
    at = append_digits<Padded>(first, last, sum);
    count = at - first;
    if (at != last && *at == '.') {
      const char* const fraction = at + 1;
      at = append_digits<Padded>(fraction, last, sum);
      after_point = at - fraction;
      count += after_point;
    }
  }
  if (unlikely(count == 0)) return first;
  number.digits_end = at;
  number.significand = sum;
  if (at != last && (*at | 0x20) == 'e') at = parse_exponent(at, last, number.written_exponent);
  number.exponent = number.written_exponent - after_point;
  if (unlikely(count > 19)) take_nineteen_digits(number);
  return at;
}

// A minus or none, digits, a point, digits: the common shape, without a loop over them. Seven bytes at most before the
// point; one to eight digits after it, or nineteen when `Long` (as far as 64 bits hold them all). False where the text
// is of another shape.
//     "-23.456789"    find the point;  move what is before it to the top of its 8 bytes, a minus as a leading zero;
//                     keep the digits after it of the 8 (16, 24) bytes that end with the token:
//                     0 0 0 0 0 0 2 3    0 0 4 5 6 7 8 9
template <bool Long>
HEADRACE_INLINE bool parse_short_decimal(const char* first, const char* last, std::uint64_t& significand,
                                         unsigned& places, bool& negative) noexcept {
  const std::uint64_t bytes = load_eight(first);
  const std::uint64_t differs = bytes ^ every_byte('.');
  const std::uint64_t point = (differs - every_byte(1)) & ~differs & every_byte(0x80);  // lowest bit exact
  if (point == 0) return false;
  const unsigned bits = static_cast<unsigned>(__builtin_ctzll(point)) & ~7u;
  const auto after = static_cast<std::size_t>(last - first) - bits / 8 - 1;
  if (unlikely(after - 1 >= (Long ? 19 : 8))) return false;

  negative = (bytes & 0xff) == '-';
  const std::uint64_t minus = negative ? '-' ^ '0' : 0;
  const std::uint64_t before = ((bytes ^ every_byte('0') ^ minus) << 8) << (56 - bits);
  const std::uint64_t low = last_digits(last - 8, Long && after > 8 ? 8 : after);
  const std::uint64_t whole = join_eight_digits(before);
  std::uint64_t wrong = not_digits(before) | not_digits(low);
  std::uint64_t fraction = join_eight_digits(low);
  if (Long && after > 8) {
    const std::uint64_t middle = last_digits(last - 16, after > 16 ? 8 : after - 8);
    wrong |= not_digits(middle);
    fraction += std::uint64_t(join_eight_digits(middle)) * 100000000;
    if (after > 16) {
      const std::uint64_t high = last_digits(last - 24, after - 16);
      wrong |= not_digits(high);
      fraction += join_eight_digits(high) * powers_of_ten[16];
    }
    if (unlikely(after + bits / 8 > 19 && whole != 0)) return false;
  }
  if (unlikely(wrong)) return false;
  significand = whole * powers_of_ten[after] + fraction;
  places = static_cast<unsigned>(after);
  return true;
}

// A minus or none and at most eight digits, sixteen when `Long`.
template <bool Long>
HEADRACE_INLINE bool parse_short_whole(const char* first, const char* last, std::uint64_t& significand,
                                       bool& negative) noexcept {
  negative = *first == '-';
  const auto length = static_cast<std::size_t>(last - first) - negative;
  if (length - 1 >= (Long ? 16 : 8)) return false;
  const std::uint64_t low = last_digits(last - 8, Long && length > 8 ? 8 : length);
  std::uint64_t wrong = not_digits(low);
  significand = join_eight_digits(low);
  if (Long && length > 8) {
    const std::uint64_t high = last_digits(last - 16, length - 8);
    wrong |= not_digits(high);
    significand += join_eight_digits(high) * powers_of_ten[8];
  }
  return wrong == 0;
}

// significand * 2^ulp, rounded; `significand` has at most float_format::digits bits.
struct binary {
  std::uint64_t significand;
  int ulp;
};

// Eisel-Lemire: the double (or float) next to significand * 10^power.
template <class Float>
HEADRACE_INLINE binary multiply_by_power(std::uint64_t significand, std::int64_t exponent) noexcept {
  using format = float_format<Float>;
  if (significand == 0 || exponent < format::least_power_of_ten) return {0, format::least_ulp};
  if (exponent > format::greatest_power_of_ten) return {1, format::greatest_ulp + 1};
  const int power = static_cast<int>(exponent);
  const int leading = __builtin_clzll(significand);
  significand <<= leading;

  // 1. the upper bits of the product; the table's lower half only where it could still change them
  uint64_pair five = power_of_five(power);
  five.low += power < 0 && power >= -27;  // exact quotients need the rounded-up reciprocal
  uint64_pair product = multiply_64(significand, five.high);
  constexpr std::uint64_t below = ~std::uint64_t(0) >> (format::digits + 2);
  if ((product.high & below) == below) {
    const std::uint64_t carry = multiply_64(significand, five.low).high;
    product.low += carry;
    product.high += product.low < carry;
  }

  // 2. one bit more than the format has, and the exponent of that bit
  const int top = static_cast<int>(product.high >> 63);
  int shift = top + 64 - format::digits - 2;
  std::uint64_t bits = product.high >> shift;
  int ulp = floor_log2_power_of_ten(power) + top - leading + 63 - format::digits;
  if (unlikely(ulp + 1 < format::least_ulp)) {  // subnormal: fewer bits
    const int lost = format::least_ulp - ulp - 1;
    if (lost >= 64) return {0, format::least_ulp};
    bits >>= lost;
    return {(bits + (bits & 1)) >> 1, format::least_ulp};
  }

  // 3. round to nearest; a tie goes to the even one
  const bool tie = product.low <= 1 && power >= format::least_even_power && power <= format::greatest_even_power &&
                   (bits & 3) == 1 && (bits << shift) == product.high;
  if (tie) bits &= ~std::uint64_t(1);
  bits = (bits + (bits & 1)) >> 1;
  ++ulp;
  if (bits >> format::digits != 0) {
    bits >>= 1;
    ++ulp;
  }
  return {bits, ulp};
}

// Bits for the longest decimals that still matter: a tie of `Float` has this many digits, and one more decides.
template <class Float>
constexpr int greatest_digits = sizeof(Float) == 4   ? 114
                                : sizeof(Float) == 8 ? 769
                                                     : 11600;

// The same of any type, long double included; from <cfloat>, as <limits> costs the compile time of a kernel.
template <int Digits, int LeastExponent, int GreatestExponent>
struct exact_limits {
  static constexpr int digits = Digits;
  static constexpr int least_ulp = LeastExponent - Digits;
  static constexpr int greatest_ulp = GreatestExponent - Digits;
};
template <class Float>
struct exact_format;
template <>
struct exact_format<float> : exact_limits<FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP> {};
template <>
struct exact_format<double> : exact_limits<DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP> {};
template <>
struct exact_format<long double> : exact_limits<LDBL_MANT_DIG, LDBL_MIN_EXP, LDBL_MAX_EXP> {};

// Exact rounding of any decimal by division of big integers, a bit at a time. Returns the significand's upper and
// lower 64 bits, and its ulp; ulp > greatest_ulp means infinity.
struct wide_binary {
  uint64_pair significand;
  int ulp;
};

template <class Float>
HEADRACE_COLD wide_binary round_exactly(const decimal& number) noexcept {
  using format = exact_format<Float>;
  constexpr int most = greatest_digits<Float>;
  // 10^most digits over 10^(most - least exponent): 3.33 bits a digit, 32 bits a limb, and some room to shift
  constexpr std::size_t limbs = (most * 2 - format::least_ulp / 3) / 9 + 16;
  using integer = big_integer<limbs>;

  // 1. numerator / denominator
  integer numerator;
  std::int64_t exponent = number.written_exponent;
  bool after_point = false;
  bool more = false;
  int taken = 0;
  for (const char* at = number.digits; at != number.digits_end; ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    exponent -= after_point;
    if (taken < most) {
      numerator.multiply(10);
      numerator.add(static_cast<std::uint32_t>(*at - '0'));
      taken += !numerator.is_zero();
    } else {
      more |= *at != '0';
      ++exponent;
    }
  }
  if (more) {  // a digit that stands for all that are cut off
    numerator.multiply(10);
    numerator.add(1);
    --exponent;
    ++taken;
  }
  if (numerator.is_zero() || exponent + taken < format::least_ulp / 3 - 20) return {{0, 0}, format::least_ulp};
  if (exponent + taken > format::greatest_ulp / 3 + 60) return {{0, 1}, format::greatest_ulp + 1};
  integer denominator(1);
  if (exponent >= 0) {
    numerator.multiply_by_power_of_ten(static_cast<std::size_t>(exponent));
  } else {
    denominator.multiply_by_power_of_ten(static_cast<std::size_t>(-exponent));
  }

  // 2. scale so that the quotient is the significand, with `digits` bits (or one more) unless it is subnormal
  int ulp = static_cast<int>(numerator.bit_length()) - static_cast<int>(denominator.bit_length()) - format::digits;
  if (ulp < format::least_ulp) ulp = format::least_ulp;
  if (ulp >= 0) {
    denominator.shift_left(static_cast<std::size_t>(ulp));
  } else {
    numerator.shift_left(static_cast<std::size_t>(-ulp));
  }

  // 3. divide, from the top bit down
  uint64_pair quotient{0, 0};
  constexpr int top = format::digits + 1;
  denominator.shift_left(top);
  for (int bit = top; bit >= 0; --bit) {
    quotient.high = quotient.high << 1 | quotient.low >> 63;
    quotient.low <<= 1;
    if (numerator.compare(denominator) >= 0) {
      numerator.subtract(denominator);
      quotient.low |= 1;
    }
    numerator.shift_left(1);  // instead of halving the denominator
  }

  // 4. round the remainder, which is numerator / (2 denominator) of a unit; drop a bit too many first
  const bool too_long =
      (format::digits < 64 ? quotient.low >> (format::digits % 64) : quotient.high >> (format::digits % 64)) != 0;
  bool up;
  if (too_long) {
    const bool half = quotient.low & 1;
    quotient.low = quotient.low >> 1 | quotient.high << 63;
    quotient.high >>= 1;
    ++ulp;
    up = half && (!numerator.is_zero() || (quotient.low & 1));
  } else {
    const int order = numerator.compare(denominator);
    up = order > 0 || (order == 0 && (quotient.low & 1));
  }
  quotient.low += up;
  quotient.high += up && quotient.low == 0;
  return {quotient, ulp};
}

// significand * 2^ulp to a Float, or false when it is out of range.
template <class Float>
HEADRACE_INLINE bool assemble(binary number, bool negative, Float& value) noexcept {
  using format = float_format<Float>;
  using bits = typename format::bits;
  if (unlikely(number.ulp > format::greatest_ulp)) return false;
  constexpr std::uint64_t implied = std::uint64_t(1) << (format::digits - 1);
  bits result = static_cast<bits>(number.significand & ~implied);
  if (number.significand & implied) {
    result |= static_cast<bits>(static_cast<bits>(number.ulp - format::least_ulp + 1) << (format::digits - 1));
  }
  result |= static_cast<bits>(static_cast<bits>(negative) << (sizeof(bits) * 8 - 1));
  std::memcpy(&value, &result, sizeof value);
  return true;
}

// A long double is made by arithmetic, which is exact here: its layout differs between machines.
template <class Float>
HEADRACE_COLD bool assemble_wide(const wide_binary& number, bool negative, Float& value) noexcept {
  if (number.ulp > exact_format<Float>::greatest_ulp) return false;
  // All bits of a significand and one more: 2 to the power of digits. (Not by isinf, which -ffast-math takes for
  // false.)
  constexpr int digits = exact_format<Float>::digits;
  const std::uint64_t carry =
      digits < 64 ? number.significand.low >> (digits % 64) : number.significand.high >> (digits % 64);
  if (carry != 0 && number.ulp == exact_format<Float>::greatest_ulp) return false;
  Float result = static_cast<Float>(number.significand.high) * 18446744073709551616.0L +
                 static_cast<Float>(number.significand.low);
  if (result != 0) result = static_cast<Float>(__builtin_ldexpl(result, number.ulp));
  value = negative ? -result : result;
  return true;
}

template <class Float>
HEADRACE_COLD bool convert_exactly(const decimal& number, bool negative, Float& value) noexcept {
  const wide_binary rounded = round_exactly<Float>(number);
  if constexpr (std::is_same_v<Float, long double>) {
    return assemble_wide(rounded, negative, value);
  } else {
    binary narrow{rounded.significand.low, rounded.ulp};
    if (narrow.significand >> float_format<Float>::digits != 0) narrow = {narrow.significand >> 1, narrow.ulp + 1};
    return assemble(narrow, negative, value);
  }
}

// Whether arithmetic rounds to nearest, as it does unless a program calls fesetround(): neither 1 + tiny nor 1 - tiny
// is anything but 1. The compiler must not know it beforehand. (As in fast_float, by D. Lemire and others.) Where it
// may shuffle terms (-ffast-math) the answer is no, and integers do the work. `Once`: a loop may ask once for all its
// tokens, which nothing but the library's own functions may do.
template <bool Once>
HEADRACE_INLINE bool rounds_to_nearest() noexcept {
  float tiny = FLT_MIN;
#if HEADRACE_X86
  __asm__("" : "+x"(tiny));
#elif defined(__aarch64__)
  __asm__("" : "+w"(tiny));
#else
  __asm__("" : "+m"(tiny));
#endif
  if constexpr (!Once) __asm__ volatile("" : "+m"(tiny));
  return tiny + 1.0f == 1.0f - tiny;
}

// Compares bits: to a processor that takes subnormal numbers for zero (-ffast-math asks for it), 5e-324 equals 0.
template <class Float>
HEADRACE_INLINE bool is_zero(const Float& value) noexcept {
  if constexpr (std::is_same_v<Float, long double>) {
    return value == 0;  // never computed so
  } else {
    typename float_format<Float>::bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits << 1 == 0;
  }
}

// Sets the sign of a number without one.
template <class Float>
HEADRACE_INLINE void set_sign(Float& value, bool negative) noexcept {
  typename float_format<Float>::bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits |= static_cast<decltype(bits)>(negative) << (sizeof bits * 8 - 1);
  std::memcpy(&value, &bits, sizeof bits);
}

// significand / 10^places, at most eight, where both are exact, so that one division rounds once (W. Clinger, "How to
// Read Floating Point Numbers Accurately", 1990). Needs arithmetic in Float's own precision, and the default rounding
// mode.
template <class Float>
HEADRACE_INLINE void divide_exactly(std::int64_t significand, unsigned places, Float& value) noexcept {
  static constexpr Float exact[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f};
  value = static_cast<Float>(significand) / exact[places];
}

// A decimal to a Float; false when it is out of range, `value` then unchanged.
template <class Float>
HEADRACE_INLINE bool convert_decimal(const decimal& number, bool negative, Float& value) noexcept {
  Float result;
  if constexpr (std::is_same_v<Float, long double>) {
    if (!convert_exactly(number, negative, result)) return false;
  } else {
    const bool few_places = number.exponent <= 0 && number.exponent >= -8;
    if (FLT_EVAL_METHOD == 0 && few_places && number.significand >> float_format<Float>::digits == 0 &&
        number.significand != 0 && rounds_to_nearest<false>()) {
      const auto significand = static_cast<std::int64_t>(number.significand);
      divide_exactly(negative ? -significand : significand, static_cast<unsigned>(-number.exponent), value);
      return true;
    }
    const binary nearest = multiply_by_power<Float>(number.significand, number.exponent);
    bool exact = !number.truncated;
    if (unlikely(!exact)) {
      const binary above = multiply_by_power<Float>(number.significand + 1, number.exponent);
      exact = above.significand == nearest.significand && above.ulp == nearest.ulp;
    }
    if (!(likely(exact) ? assemble(nearest, negative, result) : convert_exactly(number, negative, result)))
      return false;
  }
  if (unlikely(is_zero(result) && number.significand != 0)) return false;
  value = result;
  return true;
}

// inf, infinity and nan, in any case.
template <class Float>
HEADRACE_COLD parse_result parse_special(const char* first, const char* at, const char* last, bool negative,
                                         Float& value) noexcept {
  const auto starts_with = [at, last](const char* word) {
    const char* byte = at;
    for (; *word != '\0'; ++word, ++byte) {
      if (byte == last || (*byte | 0x20) != *word) return false;
    }
    return true;
  };
  if (starts_with("nan")) {
    value = static_cast<Float>(negative ? -__builtin_nan("") : __builtin_nan(""));
    return {at + 3, std::errc{}};
  }
  if (!starts_with("inf")) return {first, std::errc::invalid_argument};
  value = static_cast<Float>(negative ? -__builtin_inf() : __builtin_inf());
  return {at + (starts_with("infinity") ? 8 : 3), std::errc{}};
}

template <bool Padded, class Float>
parse_result parse_float(const char* first, const char* last, Float& value) noexcept {
  const bool negative = first != last && *first == '-';
  const char* const begin = first + (negative || (first != last && *first == '+'));
  decimal number;
  const char* const end = parse_decimal<Padded>(begin, last, number);
  if (unlikely(end == begin)) return parse_special(first, begin, last, negative, value);
  return {end, likely(convert_decimal(number, negative, value)) ? std::errc{} : std::errc::result_out_of_range};
}

// Any other token, or one that needs more than a division.
template <class Float>
__attribute__((noinline)) std::errc parse_float_token(const char* first, const char* last, Float& value) noexcept {
  Float parsed;
  const parse_result result = parse_float<true>(first, last, parsed);
  if (unlikely(result.ptr != last)) return std::errc::invalid_argument;
  if (likely(result.ec == std::errc{})) value = parsed;
  return result.ec;
}

// The common token, of few digits with or without a point, without a call; false when it is another, or none. 16 bytes
// before `first` and after `last` may be read; `last` is no digit, so no run of digits passes it.
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
HEADRACE_INLINE bool parse_short_token(const char* first, const char* last, Float& value) noexcept {
  if constexpr (FLT_EVAL_METHOD == 0 && !std::is_same_v<Float, long double>) {
    std::uint64_t significand;
    unsigned places = 0;
    bool negative;
    if (likely(parse_short_decimal<false>(first, last, significand, places, negative))) {
      if (unlikely(!rounds_to_nearest<true>())) return false;
    } else if (!parse_short_whole<false>(first, last, significand, negative)) {
      return false;
    }
    if (sizeof(Float) == 4 && significand >> float_format<Float>::digits != 0) return false;
    divide_exactly(static_cast<std::int64_t>(significand), places, value);
    set_sign(value, negative);
    return true;
  }
  return false;
}

// The same for any token, with what is wrong with it.
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
HEADRACE_INLINE std::errc parse_token_in_buffer(const char* first, const char* last, Float& value) noexcept {
  if constexpr (!std::is_same_v<Float, long double>) {
    if (parse_short_token(first, last, value)) return std::errc{};
    std::uint64_t significand;
    unsigned places = 0;
    bool negative;
    if (likely(parse_short_decimal<true>(first, last, significand, places, negative)) ||
        parse_short_whole<true>(first, last, significand, negative)) {
      const binary nearest = multiply_by_power<Float>(significand, -static_cast<int>(places));
      return assemble(nearest, negative, value) ? std::errc{} : std::errc::result_out_of_range;
    }
  }
  return parse_float_token(first, last, value);
}

}  // namespace detail

template <class Float, std::enable_if_t<detail::is_float<Float>, int>>
parse_result parse(const char* first, const char* last, Float& value) noexcept {
  if constexpr (std::is_same_v<Float, long double> && LDBL_MANT_DIG == DBL_MANT_DIG) {
    double narrow;
    const parse_result result = detail::parse_float<false>(first, last, narrow);
    if (result.ec == std::errc{}) value = narrow;
    return result;
  } else {
    return detail::parse_float<false>(first, last, value);
  }
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
