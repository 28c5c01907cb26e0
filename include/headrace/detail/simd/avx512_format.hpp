// headrace/detail/simd/avx512_format.hpp: eight integers at a time to text, without a table: text
// that avx512.hpp includes into its namespace.
//
// Each number is laid out in a slot of fixed width, leading zeros and all; one compress then drops the bytes that are
// not wanted, from all slots at once:
//     slots     -000042_ -123456_ -000000_    (sign, six digits, separator)
//     mask      ......## .####### ......##
//     text      42_123456_0_

using i64x8 = std::int64_t __attribute__((vector_size(64)));

HEADRACE_INLINE u16x32 mulhuw(u16x32 a, u16x32 b) noexcept { HEADRACE_TWO(u16x32, "vpmulhuw", a, b); }
HEADRACE_INLINE mask64 nonzero_bytes(u64x8 bytes) noexcept {
  HEADRACE_ASM(mask64, "=k", "vptestmb %1, %1, %0", "v"(bytes));
}

// The upper or the lower 52 bits of a product of 52 x 52 bits, added to `sum`.
HEADRACE_INLINE u64x8 add_upper_52(u64x8 sum, u64x8 a, u64x8 b) noexcept {
  HEADRACE_INTO(sum, "vpmadd52huq %2, %1, %0", "v"(a), "v"(b));
}
HEADRACE_INLINE u64x8 add_lower_52(u64x8 sum, u64x8 a, u64x8 b) noexcept {
  HEADRACE_INTO(sum, "vpmadd52luq %2, %1, %0", "v"(a), "v"(b));
}

// Eight numbers of 4 or 8 bytes, as 64 bits each; of a float the bits.
template <class Number>
HEADRACE_INLINE u64x8 load_eight_values(const Number* from) noexcept {
  u64x8 result;
  if constexpr (sizeof(Number) == 8) {
    result = load<u64x8>(from);
  } else if constexpr (is_signed_integer<Number>) {
    asm("vpmovsxdq %1, %0" : "=v"(result) : "m"(*reinterpret_cast<const Number(*)[8]>(from)));
  } else {
    asm("vpmovzxdq %1, %0" : "=v"(result) : "m"(*reinterpret_cast<const Number(*)[8]>(from)));
  }
  return result;
}

// Eight decimal digits of each qword (below 10^8), one a byte, the first one lowest.
HEADRACE_INLINE u64x8 split_digits(u64x8 values) noexcept {
  // 1. two groups of four digits in 32 bits each: x / 10000 = x * 3518437209 >> 45 for x < 2^32
  const u64x8 upper = muludq(values, all_qwords(3518437209)) >> 45;
  const u64x8 fours = upper | (values - muludq(upper, all_qwords(10000))) << 32;
  // 2. four groups of two in 16 bits each: x / 100 = x * 5243 >> 19 for x < 10000
  const u16x32 hundreds = mulhuw(u16x32(fours), u16x32(all_qwords(0x0000147b0000147b))) >> 3;
  const u64x8 pairs = u64x8(hundreds) | (fours - u64x8(hundreds * u16x32(all_qwords(0x0000006400000064)))) << 16;
  // 3. eight single digits: x / 10 = x * 6554 >> 16 for x < 100
  const u16x32 tens = mulhuw(u16x32(pairs), u16x32(all_qwords(0x199a199a199a199a)));
  const u16x32 ones = u16x32(pairs) - tens * u16x32(all_qwords(0x000a000a000a000a));
  return u64x8(tens | ones << 8);
}

// In each qword: every bit from its lowest one upwards.
HEADRACE_INLINE u64x8 from_lowest_bit(u64x8 values) noexcept { return values | (u64x8{} - values); }

HEADRACE_INLINE char* compress_to(char* to, u64x8 slots, u64x8 wanted) noexcept {
  const mask64 mask = nonzero_bytes(wanted);
  store(to, compressb(mask, u8x64(slots)));
  return to + __builtin_popcountll(mask);
}

// Magnitudes below 10^6, in slots of eight bytes.
HEADRACE_INLINE char* write_eight_short(char* to, u64x8 magnitudes, u64x8 signs, u64x8 punctuation) noexcept {
  const u64x8 digits = split_digits(magnitudes) >> 8;  // bytes 1 to 6
  const u64x8 wanted = from_lowest_bit(digits | all_qwords(std::uint64_t{1} << 48)) | signs;
  return compress_to(to, digits + punctuation, wanted);
}

// Slots of sixteen bytes: digits in the lower and in the upper half, what makes them text, the places of the signs.
HEADRACE_INLINE char* write_eight_slots(char* to, u64x8 lower, u64x8 upper, u64x8 lower_ascii, u64x8 upper_ascii,
                                        u64x8 signs) noexcept {
  // what is wanted: from the first digit that is not 0, or the last one; the top bit of the lower half says whether
  // that digit stood there
  const u64x8 lower_wanted = from_lowest_bit(lower);
  const u64x8 upper_wanted =
      from_lowest_bit(upper | all_qwords(std::uint64_t{1} << 48)) | u64x8(i64x8(lower_wanted) >> 63);
  const u64x8 lower_text = lower + lower_ascii, upper_text = upper + upper_ascii;
  const u64x8 first = {0, 8, 1, 9, 2, 10, 3, 11};
  const u64x8 second = {4, 12, 5, 13, 6, 14, 7, 15};
  const u64x8 lower_mask = lower_wanted | signs;
  to = compress_to(to, permi2q(first, lower_text, upper_text), permi2q(first, lower_mask, upper_wanted));
  return compress_to(to, permi2q(second, lower_text, upper_text), permi2q(second, lower_mask, upper_wanted));
}

// Magnitudes below 2^32: four unused bytes, sign, ten digits, separator.
HEADRACE_INLINE char* write_eight_long(char* to, u64x8 magnitudes, u64x8 signs, std::uint64_t last) noexcept {
  // 1. the first two digits and the other eight: x / 10^8 = x * 1441151881 >> 57 for x < 2^32
  const u64x8 top = muludq(magnitudes, all_qwords(1441151881)) >> 57;
  const u64x8 rest = split_digits(magnitudes - muludq(top, all_qwords(100000000)));
  const u64x8 top_ten = muludq(top, all_qwords(103)) >> 10;
  const u64x8 top_one = top - muludq(top_ten, all_qwords(10));
  // 2. lower half of a slot: sign in byte 4, three digits; upper half: seven digits, separator
  const u64x8 lower = top_ten << 40 | top_one << 48 | rest << 56;
  return write_eight_slots(to, lower, rest >> 8, all_qwords(0x3030302d00000000), all_qwords(last | 0x30303030303030),
                           signs << 32);
}

// x / 10^8 for x < 2^60: (x / 2^8) * 3022314549036573 / 2^70, whose factor is 2^78 / 10^8, rounded up.
HEADRACE_INLINE u64x8 divide_by_hundred_million(u64x8 values) noexcept {
  return add_upper_52(u64x8{}, values >> 8, all_qwords(3022314549036573)) >> 18;
}

// Magnitudes below 10^14: sign, fourteen digits, separator.
HEADRACE_INLINE char* write_eight_longer(char* to, u64x8 magnitudes, u64x8 signs, std::uint64_t last) noexcept {
  const u64x8 top = divide_by_hundred_million(magnitudes);
  const u64x8 rest = split_digits(magnitudes - muludq(top, all_qwords(100000000)));
  return write_eight_slots(to, split_digits(top) >> 8 | rest << 56, rest >> 8, all_qwords(0x303030303030302d),
                           all_qwords(last | 0x30303030303030), signs);
}

// Three qwords of each value, in the order of the values: slots of 24 bytes.
struct wide_slots {
  u64x8 of[3];
};
HEADRACE_INLINE wide_slots interleave(u64x8 a, u64x8 b, u64x8 c) noexcept {
  // a0 b0 .. a1 b1 .. a2 b2 | .. a3 b3 .. a4 b4 .. a5 | b5 .. a6 b6 .. a7 b7 ..     then c where the dots are
  const u64x8 ab[3] = {permi2q(u64x8{0, 8, 0, 1, 9, 0, 2, 10}, a, b), permi2q(u64x8{0, 3, 11, 0, 4, 12, 0, 5}, a, b),
                       permi2q(u64x8{13, 0, 6, 14, 0, 7, 15, 0}, a, b)};
  return {{permi2q(u64x8{0, 1, 8, 3, 4, 9, 6, 7}, ab[0], c), permi2q(u64x8{10, 1, 2, 11, 4, 5, 12, 7}, ab[1], c),
           permi2q(u64x8{0, 13, 2, 3, 14, 5, 6, 15}, ab[2], c)}};
}

// Any magnitudes of 64 bits, in slots of 24 bytes: two unused, sign, twenty digits, separator.
HEADRACE_INLINE char* write_eight_wide(char* to, u64x8 magnitudes, u64x8 signs, std::uint64_t last) noexcept {
  // 1. four digits, eight and eight: x / 10^16 = (x / 2^16) / 5^16, by the factor 2^89 / 5^16, rounded up
  const u64x8 top = add_upper_52(u64x8{}, magnitudes >> 16, all_qwords(4056481920730335)) >> 37;
  const u64x8 rest = magnitudes - top * 10000000000000000u;
  const u64x8 middle = divide_by_hundred_million(rest);
  const u64x8 a = split_digits(top), b = split_digits(middle),
              c = split_digits(rest - muludq(middle, all_qwords(100000000)));
  // 2. moved by a byte, to make room for the separator
  const u64x8 first = a >> 8 | b << 56, second = b >> 8 | c << 56, third = c >> 8;
  // 3. what is wanted, as in write_eight_long()
  const u64x8 first_wanted = from_lowest_bit(first);
  const u64x8 second_wanted = from_lowest_bit(second) | u64x8(i64x8(first_wanted) >> 63);
  const u64x8 third_wanted =
      from_lowest_bit(third | all_qwords(std::uint64_t{1} << 48)) | u64x8(i64x8(second_wanted) >> 63);
  const u64x8 ascii = all_qwords(every_byte('0'));
  const wide_slots text =
      interleave(first + all_qwords(0x30303030302d0000), second + ascii, third + all_qwords(last | 0x30303030303030));
  const wide_slots wanted = interleave(first_wanted | signs << 16, second_wanted, third_wanted);
  for (unsigned i = 0; i < 3; ++i) to = compress_to(to, text.of[i], wanted.of[i]);
  return to;
}

// Magnitudes of 64 bits or, where `Narrow`, of 32.
template <bool Narrow>
HEADRACE_INLINE char* write_eight(char* to, u64x8 magnitudes, u64x8 signs, std::uint64_t last) noexcept {
  if (likely(above(magnitudes, all_qwords(999999)) == 0)) {
    return write_eight_short(to, magnitudes, signs, all_qwords(last | 0x3030303030302d));
  }
  if (Narrow || above(magnitudes, all_qwords(0xffffffff)) == 0) return write_eight_long(to, magnitudes, signs, last);
  if (above(magnitudes, all_qwords(99999999999999)) == 0) return write_eight_longer(to, magnitudes, signs, last);
  return write_eight_wide(to, magnitudes, signs, last);
}

template <class Int>
char* write_integers(char* to, const Int* values, std::size_t count, char separator) noexcept {
  static_assert(sizeof(Int) == 4 || sizeof(Int) == 8);
  const std::uint64_t last = static_cast<std::uint64_t>(static_cast<unsigned char>(separator)) << 56;
  constexpr bool is_narrow = sizeof(Int) == 4;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    u64x8 magnitudes = load_eight_values(values + i);
    u64x8 signs{};
    if constexpr (is_signed_integer<Int>) {
      const u64x8 flips = u64x8(i64x8(magnitudes) >> 63);
      magnitudes = (magnitudes ^ flips) - flips;
      signs = flips >> 63;
    }
    to = write_eight<is_narrow>(to, magnitudes, signs, last);
  }
  return scalar::write_numbers(to, values + i, count - i, separator);
}

#if defined(__SIZEOF_INT128__)

// Eight integers of 128 bits: the halves of each.
struct wide_integers {
  u64x8 low;
  u64x8 high;
};

HEADRACE_INLINE wide_integers negate_wide(wide_integers values, mask8 some) noexcept {
  const mask8 borrowing = some & is_nonzero(values.low);
  return {negate_masked(values.low, some),
          add_masked(negate_masked(values.high, some), borrowing, all_qwords(~std::uint64_t{0}))};
}

// Forty digits each: eight in the lowest bytes of the first, and so on.
struct forty_digits {
  u64x8 of[5];
};

// Eight fractions in parts of 52 bits, the lowest first. A part may have more bits, which count for nothing.
struct wide_fractions {
  u64x8 parts[3];

  // Multiplies by 10^8 and returns what comes out at the top.
  HEADRACE_INLINE u64x8 take_eight_digits() noexcept {
    const u64x8 factor = all_qwords(100000000), none{};
    const u64x8 middle = add_lower_52(add_upper_52(none, parts[0], factor), parts[1], factor);
    const u64x8 top = add_lower_52(add_upper_52(middle >> 52, parts[1], factor), parts[2], factor);
    const u64x8 whole = add_upper_52(top >> 52, parts[2], factor);
    parts[0] = add_lower_52(none, parts[0], factor);
    parts[1] = middle;
    parts[2] = top;
    return whole;
  }
};

// value / 10^40, rounded up: by less than a unit of the last of the forty digits, which the following products do not
// see. In units of 2^-156 that is 2^23.1: five products of lower parts are left out, and 2^10 added instead.
HEADRACE_INLINE wide_fractions divide_by_forty_digits(wide_integers values) noexcept {
  // 2^284 / 10^40, rounded up; 2^28 * value, and the upper 156 bits of the product
  const u64x8 c0 = all_qwords(0xb3da0153b62bf), c1 = all_qwords(0xe2c62323ac4b3), c2 = all_qwords(0x8b61313bbabc);
  const u64x8 v0 = values.low << 28, v1 = values.low >> 24 | values.high << 40, v2 = values.high >> 12;
  const u64x8 low = add_upper_52(add_upper_52(add_upper_52(all_qwords(1024), v0, c2), v1, c1), v2, c0);
  const u64x8 first = add_lower_52(add_lower_52(low, v1, c2), v2, c1);
  const u64x8 second = add_lower_52(add_upper_52(add_upper_52(first >> 52, v1, c2), v2, c1), v2, c2);
  return {{first, second, add_upper_52(second >> 52, v2, c2)}};
}

HEADRACE_INLINE forty_digits split_forty_digits(wide_integers values) noexcept {
  wide_fractions fractions = divide_by_forty_digits(values);
  forty_digits digits;
#pragma GCC unroll 5
  for (unsigned i = 0; i < 5; ++i) {
    digits.of[i] = split_digits(fractions.take_eight_digits());
    // what can no longer reach a digit
    if (i == 1) fractions.parts[0] = u64x8{};
    if (i == 3) fractions.parts[1] = u64x8{};
  }
  return digits;
}

// Any magnitudes of 128 bits: the forty digits of each in a register, from which a permutation takes those without
// leading zeros.
HEADRACE_INLINE char* write_eight_of_forty(char* to, wide_integers magnitudes, mask8 negative,
                                           char separator) noexcept {
  forty_digits text = split_forty_digits(magnitudes);
#pragma GCC unroll 5
  for (u64x8& eight : text.of) eight += all_qwords(every_byte('0'));
  const u64x8 first[2] = {unpack_low(text.of[0], text.of[1]), unpack_high(text.of[0], text.of[1])};
  const u64x8 second[2] = {unpack_low(text.of[2], text.of[3]), unpack_high(text.of[2], text.of[3])};
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8; ++i) {
    const std::uint64_t lane = i / 2 * 2;
    const u64x8 four = permi2q(u64x8{lane, lane + 1, 8 + lane, 9 + lane, 0, 0, 0, 0}, first[i % 2], second[i % 2]);
    const u8x64 digits = u8x64(permi2q(u64x8{0, 1, 2, 3, 8 + i, 0, 0, 0}, four, text.of[4]));
    const mask64 wanted = above(digits, all_bytes(every_byte('0'))) | mask64{1} << 39;
    const auto zeros = static_cast<unsigned>(__builtin_ctzll(wanted));
    *to = '-';
    to += negative >> i & 1;
    store(to, permb(digits, load<u8x64>(byte_places) + static_cast<unsigned char>(zeros)));
    to += 40 - zeros;
    *to++ = separator;
  }
  return to;
}

template <class Wide>
char* write_wide_integers(char* to, const Wide* values, std::size_t count, char separator) noexcept {
  const std::uint64_t last = static_cast<std::uint64_t>(static_cast<unsigned char>(separator)) << 56;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const u64x8 first = load<u64x8>(values + i), second = load<u64x8>(values + i + 4);
    wide_integers magnitudes = {permi2q(u64x8{0, 2, 4, 6, 8, 10, 12, 14}, first, second),
                                permi2q(u64x8{1, 3, 5, 7, 9, 11, 13, 15}, first, second)};
    mask8 negative = 0;
    if constexpr (is_signed_integer<Wide>) {
      negative = any_common_bit(magnitudes.high, all_qwords(std::uint64_t{1} << 63));
      magnitudes = negate_wide(magnitudes, negative);
    }
    if (is_nonzero(magnitudes.high) == 0) {
      to = write_eight<false>(to, magnitudes.low, keep_qwords(negative, all_qwords(1)), last);
    } else {
      to = write_eight_of_forty(to, magnitudes, negative, separator);
    }
  }
  return scalar::write_numbers(to, values + i, count - i, separator);
}

#endif

// Integers of other widths are written by the scalar function.
template <class Integer>
constexpr auto choose_writer() noexcept {
  if constexpr (sizeof(Integer) == 4 || sizeof(Integer) == 8) {
    return write_integers<Integer>;
#if defined(__SIZEOF_INT128__)
  } else if constexpr (sizeof(Integer) == 16) {
    return write_wide_integers<Integer>;
#endif
  } else {
    return scalar::write_numbers<Integer>;
  }
}
