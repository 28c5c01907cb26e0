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
#include "plain_decimal.hpp"
#include "powers.hpp"
#include "read_digits.hpp"
#include "simd/sixteen_bytes.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A binary format: `digits` bits of significand, one of them implied, and the exponent of its least bit ("ulp"). From
// <cfloat>, as <limits> costs the compile time of a kernel.
template <int Digits, int LeastExponent, int GreatestExponent>
struct float_limits {
  static constexpr int digits = Digits;
  static constexpr int least_ulp = LeastExponent - Digits;
  static constexpr int greatest_ulp = GreatestExponent - Digits;
};
template <class Float>
struct float_format;
template <>
struct float_format<float> : float_limits<FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP> {
  using bits = std::uint32_t;
  static constexpr int least_power_of_ten = -65;  // below, 19 digits are less than half the smallest number
  static constexpr int greatest_power_of_ten = 38;
  static constexpr int least_even_power = -17;  // only between these can a product of 128 bits be a tie
  static constexpr int greatest_even_power = 10;
};
template <>
struct float_format<double> : float_limits<DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP> {
  using bits = std::uint64_t;
  static constexpr int least_power_of_ten = -342;
  static constexpr int greatest_power_of_ten = 308;
  static constexpr int least_even_power = -4;
  static constexpr int greatest_even_power = 23;
};
template <>
struct float_format<long double> : float_limits<LDBL_MANT_DIG, LDBL_MIN_EXP, LDBL_MAX_EXP> {};

// The number in a text: significand * 10^exponent, its digits at [digits, digits_end) with at most one point.
struct decimal {
  std::uint64_t significand;  // the first 19 significant digits
  std::int64_t exponent;
  bool truncated;  // digits that are not zero follow
  const char* digits;
  const char* digits_end;
  std::int64_t written_exponent;
};

// Adds the exponent at `at`, which is on an e; leaves `at` there when no digit follows.
inline const char* parse_exponent(const char* at, const char* last, std::int64_t& exponent) noexcept {
  const char* digit = at + 1;
  const bool negative = digit != last && *digit == '-';
  if (digit != last && (*digit == '-' || *digit == '+')) ++digit;
  if (digit == last || !is_digit(*digit)) return at;
  std::int64_t sum = 0;
  for (; digit != last && is_digit(*digit); ++digit) {
    if (sum < 1000000000000) sum = sum * 10 + (*digit - '0');
  }
  exponent += negative ? -sum : sum;
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

// multiply_by_power() where nothing is special, as the bits of a Float without a sign: false where the number is zero,
// where the result might be subnormal or infinite, and where the upper half of the power does not decide.
template <class Float>
HEADRACE_INLINE bool multiply_quickly(std::uint64_t significand, std::int64_t power, std::uint64_t& bits) noexcept {
  using format = float_format<Float>;
  // of double, no significand with these powers is too small or too great; of float, too many would be left out
  constexpr bool any_power = sizeof(Float) == 4;
  constexpr std::int64_t min = any_power ? format::least_power_of_ten : -307;
  constexpr std::int64_t max = any_power ? format::greatest_power_of_ten : 288;
  if (unlikely(significand == 0 || power < min || power > max)) return false;
  const int leading = __builtin_clzll(significand), exponent = static_cast<int>(power);
  const uint64_pair product = multiply_64(significand << leading, power_of_five(exponent).high);
  constexpr std::uint64_t below = ~std::uint64_t(0) >> (format::digits + 2);
  if (unlikely(((product.high + 1) & below) == 0)) return false;                // what was left out may carry
  if (unlikely(product.low == 0) && (product.high & below) == 0) return false;  // may be a tie
  const int top = static_cast<int>(product.high >> 63);
  const std::uint64_t longer = product.high >> (top + 62 - format::digits);  // by a bit
  const int ulp = floor_log2_power_of_ten(exponent) + top - leading + 64 - format::digits;
  if (any_power && unlikely(ulp < format::least_ulp || ulp >= format::greatest_ulp)) return false;
  // the implied bit adds 1 to the exponent; so does a carry, and then the fraction is 0
  bits = (static_cast<std::uint64_t>(ulp - format::least_ulp) << (format::digits - 1)) + ((longer + (longer & 1)) >> 1);
  return true;
}

// Bits for the longest decimals that still matter: a tie of `Float` has this many digits, and one more decides.
template <class Float>
constexpr int greatest_digits = sizeof(Float) == 4   ? 114
                                : sizeof(Float) == 8 ? 769
                                                     : 11600;

// Exact rounding of any decimal by division of big integers, a bit at a time. Returns the significand's upper and
// lower 64 bits, and its ulp; ulp > greatest_ulp means infinity.
struct wide_binary {
  uint64_pair significand;
  int ulp;
};

template <class Float>
HEADRACE_COLD wide_binary round_exactly(const decimal& number) noexcept {
  using format = float_format<Float>;
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
  __builtin_memcpy(&value, &result, sizeof value);
  return true;
}

// A long double is made by arithmetic, which is exact here: its layout differs between machines.
template <class Float>
HEADRACE_COLD bool assemble_wide(const wide_binary& number, bool negative, Float& value) noexcept {
  if (number.ulp > float_format<Float>::greatest_ulp) return false;
  // All bits of a significand and one more: 2 to the power of digits. (Not by isinf, which -ffast-math takes for
  // false.)
  constexpr int digits = float_format<Float>::digits;
  const std::uint64_t carry =
      digits < 64 ? number.significand.low >> (digits % 64) : number.significand.high >> (digits % 64);
  if (carry != 0 && number.ulp == float_format<Float>::greatest_ulp) return false;
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
#if defined(__aarch64__)
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
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits << 1 == 0;
  }
}

// The powers of ten that a Float holds exactly, and that are at hand.
template <class Float>
constexpr int max_exact_places = sizeof(Float) == 4 ? 10 : 22;

// So many digits are always exact in a Float. Of one more, some are: to ask which would be mispredicted.
template <class Float>
constexpr int always_exact_digits = sizeof(Float) == 4 ? 7 : 15;

// significand / 10^places where both are exact, so that one division rounds once (W. Clinger, "How to Read Floating
// Point Numbers Accurately", 1990). Needs arithmetic in Float's own precision, and the default rounding mode.
template <class Float>
HEADRACE_INLINE Float divide_exactly(std::int64_t significand, std::uint64_t places) noexcept {
  static constexpr double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  return static_cast<Float>(significand) / static_cast<Float>(exact[places]);
}

// Whether a significand may be divided by a power of ten: it is exact, and arithmetic rounds to nearest. `Once`: see
// rounds_to_nearest().
template <bool Once, class Float>
struct exact_division {
  HEADRACE_INLINE bool operator()(std::uint64_t significand) const noexcept {
    return FLT_EVAL_METHOD == 0 && significand < powers_of_ten[always_exact_digits<Float>] && rounds_to_nearest<Once>();
  }
};

// A short decimal to the bits of a Float; false where it is none, or ends with a point.
template <class Float, class Division>
HEADRACE_INLINE bool convert_short(std::uint64_t digits, std::uint64_t negative, Division divides,
                                   typename float_format<Float>::bits& value) noexcept {
  typename float_format<Float>::bits bits;
  Float magnitude;
  const digit_joiner& k = joiner_in_memory();
  const std::uint64_t wrong = k.not_digits(digits);
  if (likely(wrong == 0)) {
    const std::uint64_t sum = k.join(digits);
    if (unlikely(sum < negative)) return false;  // a minus alone; -0 is rare
    magnitude = static_cast<Float>(static_cast<std::int64_t>(sum));
  } else {
    const auto point = static_cast<unsigned>(__builtin_ctzll(wrong));
    if (unlikely((wrong & (wrong - 1)) != 0) || unlikely((digits >> (point - 7) & 0xff) != ('.' ^ '0'))) return false;
    if (unlikely(point == 63)) return false;
    const std::uint64_t sum = k.join(close_point(digits, wrong));
    if (unlikely(!divides(sum))) return false;
    magnitude = divide_exactly<Float>(static_cast<std::int64_t>(sum), (63 ^ point) / 8);
  }
  __builtin_memcpy(&bits, &magnitude, sizeof bits);
  value = bits | static_cast<decltype(bits)>(negative) << (sizeof bits * 8 - 1);
  return true;
}

// A plain decimal to the bits of a Float; false where it takes more.
template <class Float, class Division>
HEADRACE_INLINE bool convert_plain(const plain_decimal& number, std::uint64_t negative, Division divides,
                                   typename float_format<Float>::bits& value) noexcept {
  typename float_format<Float>::bits bits;
  const auto places = static_cast<std::uint64_t>(-number.exponent);
  if (places <= max_exact_places<Float> && divides(number.significand)) {
    const auto quotient = divide_exactly<Float>(static_cast<std::int64_t>(number.significand), places);
    __builtin_memcpy(&bits, &quotient, sizeof bits);
  } else {
    std::uint64_t magnitude;
    if (unlikely(!multiply_quickly<Float>(number.significand, number.exponent, magnitude))) return false;
    bits = static_cast<decltype(bits)>(magnitude);
  }
  value = bits | static_cast<decltype(bits)>(negative) << (sizeof bits * 8 - 1);
  return true;
}

// A decimal to a Float; false when it is out of range, `value` then unchanged.
template <class Float>
HEADRACE_INLINE bool convert_decimal(const decimal& number, bool negative, Float& value) noexcept {
  Float result;
  if constexpr (std::is_same_v<Float, long double>) {
    if (!convert_exactly(number, negative, result)) return false;
  } else {
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

// A token of up to seven bytes to a Float: see find_short_end(). Returns where it ends; null: it is another, or none.
template <class Float, class Division>
HEADRACE_INLINE const char* parse_short(const char* first, const number_head& head, Division divides,
                                        Float& value) noexcept {
  typename float_format<Float>::bits bits;
  std::uint64_t digits;
  const char* const end = find_short_end(first, head, digits);
  if (end == nullptr || unlikely(!convert_short<Float>(digits, head.negative, divides, bits))) return nullptr;
  __builtin_memcpy(&value, &bits, sizeof value);
  return end;
}

// The other common shapes: see parse_plain(). An exponent is before `last`. `value` changes only where what is returned
// is not null.
template <class Float, class Division>
HEADRACE_INLINE const char* parse_longer(const char* first, const char* last, const number_head& head, Division divides,
                                         Float& value) noexcept {
  plain_decimal number{};
  const char* at = parse_plain(first, head, number);
  if (unlikely(at == nullptr || at > last)) return nullptr;
  if (at != last && (*at | 0x20) == 'e') at = parse_exponent(at, last, number.exponent);
  typename float_format<Float>::bits bits;
  if (unlikely(!convert_plain<Float>(number, head.negative, divides, bits))) return nullptr;
  __builtin_memcpy(&value, &bits, sizeof value);
  return at;
}

template <bool Padded, class Float>
parse_result parse_any_float(const char* first, const char* last, Float& value) noexcept {
  const bool negative = first != last && *first == '-';
  const char* const begin = first + (negative || (first != last && *first == '+'));
  decimal number{};
  const char* const end = parse_decimal<Padded>(begin, last, number);
  if (unlikely(end == begin)) return parse_special(first, begin, last, negative, value);
  return {end, likely(convert_decimal(number, negative, value)) ? std::errc{} : std::errc::result_out_of_range};
}

// Aligned, as the loops of a scan are: how fast they are depends on where they are in a line of the instruction cache.
template <class Float>
__attribute__((aligned(64))) parse_result parse_float(const char* first, const char* last, Float& value) noexcept {
  if constexpr (!std::is_same_v<Float, long double>) {
    if (likely(last - first >= 24)) {
      const number_head head = load_head(first);
      const char* end = parse_short(first, head, exact_division<false, Float>{}, value);
      if (end == nullptr) end = parse_longer(first, last, head, exact_division<false, Float>{}, value);
      if (likely(end != nullptr)) return {end, std::errc{}};
    }
  }
  return parse_any_float<false>(first, last, value);
}

// A token of another shape, or none.
template <class Float>
__attribute__((noinline)) std::errc parse_rare_token(const char* first, const char* last, Float& value) noexcept {
  Float parsed;
  const parse_result result = parse_any_float<true>(first, last, parsed);
  if (unlikely(result.ptr != last)) return std::errc::invalid_argument;
  if (likely(result.ec == std::errc{})) value = parsed;
  return result.ec;
}

// Any token in a buffer, whose 24 bytes from `first` may be read.
template <class Float>
__attribute__((noinline)) std::errc parse_float_token(const char* first, const char* last, Float& value) noexcept {
  if constexpr (!std::is_same_v<Float, long double>) {
    Float parsed;
    if (likely(parse_longer(first, last, load_head(first), exact_division<true, Float>{}, parsed) == last)) {
      value = parsed;
      return std::errc{};
    }
  }
  return parse_rare_token(first, last, value);
}

// The same; short ones without a call.
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
HEADRACE_INLINE std::errc parse_token_in_buffer(const char* first, const char* last, Float& value) noexcept {
  if constexpr (!std::is_same_v<Float, long double>) {
    Float parsed;
    if (likely(parse_short(first, load_head(first), exact_division<true, Float>{}, parsed) == last)) {
      value = parsed;
      return std::errc{};
    }
  }
  return parse_float_token(first, last, value);
}

// A token whose end is known, the common shapes without a look for it and without a call; false when it is no number.
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
HEADRACE_INLINE bool parse_token_in_turn(const char* first, const char* last, Float& value) noexcept {
  if constexpr (!std::is_same_v<Float, long double>) {
    std::size_t negative = *first == '-';
    asm("" : "+r"(negative));  // as in load_head()
    const std::size_t length = static_cast<std::size_t>(last - first) - negative;
    const exact_division<true, Float> divides{};
    typename float_format<Float>::bits bits;
    plain_decimal number{};
    if (likely(length <= 16) &&
        likely(sixteen_characters::join_decimal(last, length, number.significand, number.exponent)) &&
        likely(convert_plain<Float>(number, negative, divides, bits))) {
      __builtin_memcpy(&value, &bits, sizeof value);
      return true;
    }
  }
  return parse_float_token(first, last, value) == std::errc{};
}

// Both stages in one pass, as choose_scan() of simd/scalar.hpp is for integers.
// Where a scan is: before the token that is the `done`th.
struct scan_place {
  const char* at;
  std::size_t done;
};

// The arguments of a scan; choose_scan() of simd/scalar.hpp says what each is.
template <class Float>
struct float_scan {
  using bits = typename float_format<Float>::bits;
  const char* text;
  const char* end;
  std::uint16_t* edges;
  char* out;
  std::size_t room;
  std::uint64_t limit;  // what is less may be divided, as exact_division says; 0: nothing

  HEADRACE_INLINE bool is_over(scan_place place) const noexcept { return place.done == room || place.at == end; }
  HEADRACE_INLINE scan_place take(scan_place place, const char* last, bits value) const noexcept {
    __builtin_memcpy(out + place.done * sizeof value, &value, sizeof value);
    edges[2 * place.done] = static_cast<std::uint16_t>(place.at - text);
    edges[2 * place.done + 1] = static_cast<std::uint16_t>(last - text);
    return {last + 1, place.done + 1};
  }
};

// Short tokens, up to one that is not: two loops, so that each keeps what it needs in registers.
template <class Float>
__attribute__((noinline, aligned(64))) scan_place scan_short_floats(const float_scan<Float>& of,
                                                                    scan_place place) noexcept {
  const float_scan<Float> scan = of;
  const auto divides = [&](std::uint64_t significand) { return significand < scan.limit; };
  while (!scan.is_over(place)) {
    const number_head head = load_head(place.at);
    std::uint64_t digits;
    const char* const last = find_short_end(place.at, head, digits);
    if (unlikely(last == nullptr)) break;
    typename float_format<Float>::bits value;
    if (unlikely(!is_whitespace(*last)) || unlikely(!convert_short<Float>(digits, head.negative, divides, value))) {
      if (!is_whitespace(*place.at)) break;
      ++place.at;
      continue;
    }
    place = scan.take(place, last, value);
  }
  return place;
}

// One token, and those after it up to a short one.
template <class Float>
__attribute__((noinline, aligned(64))) scan_place scan_long_floats(const float_scan<Float>& of,
                                                                   scan_place place) noexcept {
  const float_scan<Float> scan = of;
  const auto divides = [&](std::uint64_t significand) { return significand < scan.limit; };
  number_head head = load_head(place.at);
  do {
    plain_decimal number{};
    const char* last = parse_plain(place.at, head, number);
    if (unlikely(last == nullptr)) break;
    if (unlikely(!is_whitespace(*last)) && (*last | 0x20) == 'e') {
      last = parse_exponent(last, scan.end, number.exponent);
    }
    typename float_format<Float>::bits value;
    if (unlikely(!is_whitespace(*last)) || unlikely(!convert_plain<Float>(number, head.negative, divides, value)))
      break;
    place = scan.take(place, last, value);
    if (scan.is_over(place)) break;
    head = load_head(place.at);
  } while (joiner_in_memory().find_end(head.text) == 0);
  return place;
}

template <class Float>
std::size_t scan_float_tokens(const char* text, std::size_t size, std::uint16_t* edges, char* out,
                              std::size_t room) noexcept {
  const std::uint64_t limit = exact_division<true, Float>{}(0) ? powers_of_ten[always_exact_digits<Float>] : 0;
  const float_scan<Float> scan{text, text + size, edges, out, room, limit};
  scan_place place{text, 0};
  for (;;) {
    place = scan_short_floats(scan, place);
    if (scan.is_over(place)) break;
    const std::size_t before = place.done;
    place = scan_long_floats(scan, place);
    if (place.done != before) continue;
    // what neither takes is rare, or wrong
    const char* last = place.at;
    while (!is_whitespace(*last)) ++last;
    Float value;
    if (parse_rare_token(place.at, last, value) != std::errc{}) break;
    typename float_format<Float>::bits bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    place = scan.take(place, last, bits);
  }
  return place.done;
}

}  // namespace detail

template <class Float, std::enable_if_t<detail::is_float<Float>, int>>
parse_result parse(const char* first, const char* last, Float& value) noexcept {
  if constexpr (std::is_same_v<Float, long double> && LDBL_MANT_DIG == DBL_MANT_DIG) {
    double narrow;
    const parse_result result = detail::parse_float(first, last, narrow);
    if (result.ec == std::errc{}) value = narrow;
    return result;
  } else {
    return detail::parse_float(first, last, value);
  }
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
