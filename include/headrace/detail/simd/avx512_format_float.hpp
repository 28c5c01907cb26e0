// headrace/detail/simd/avx512_format_float.hpp: eight doubles or floats at a time to their shortest texts: text
// that avx512.hpp includes into its namespace.
//
//     value      c * 2^q
//     1. times the factor of q: a whole part, which is a digit short, and a fraction of 52 bits
//     2. a whole number within reach of the value is shortest (Schubfach: R. Giulietti, "The Schubfach way to render
//        doubles", 2020); else one more digit, rounded, from the fraction (as Xiang JunBo's "xjb", 2025, has it)
//     3. the digits of the whole part by IFMA (J. Champagne Gareau, D. Lemire, "Converting an Integer to a Decimal
//        String in Under Two Nanoseconds", 2026), which of them are wanted, and where the point is
//     4. one permutation of bytes per value, by a row of a table
// Where the fraction is too near to a limit to be certain, and for powers of two, whose rounding interval is lopsided,
// the value is written alone, exactly.

// ---- primitives ----

// The lower qword shifted down by 24 bits, bits of the upper one above it.
HEADRACE_INLINE u64x8 shift_right_24(u64x8 high, u64x8 low) noexcept {
  HEADRACE_ASM(u64x8, "=v", "vpshrdq $24, %1, %2, %0", "v"(high), "v"(low));
}
HEADRACE_INLINE mask8 at_least(u64x8 a, u64x8 b) noexcept { HEADRACE_MASK(mask8, "vpcmpnltuq", a, b); }
HEADRACE_INLINE mask8 top_bits(u64x8 a) noexcept { HEADRACE_ASM(mask8, "=k", "vpmovq2m %1, %0", "v"(a)); }
HEADRACE_INLINE u64x8 count_bits(u64x8 a) noexcept { HEADRACE_ONE(u64x8, "vpopcntq", a); }
HEADRACE_INLINE u16x32 mullw(u16x32 a, u16x32 b) noexcept { HEADRACE_TWO(u16x32, "vpmullw", a, b); }
HEADRACE_INLINE u64x8 mulld(u64x8 a, u64x8 b) noexcept { HEADRACE_TWO(u64x8, "vpmulld", a, b); }

// ---- 1. the product ----

// c * factor = whole + fraction / 2^52. The rounding interval reaches `half` / 2^52 down and up.
struct eight_products {
  u64x8 whole;
  u64x8 fraction;
  u64x8 half;
};

struct eight_factors {
  u64x8 low;
  u64x8 high;
};
template <class Float>
HEADRACE_INLINE eight_factors look_up_factors(const Float* values) noexcept {
  constexpr int fraction_bits = written_format<Float>::digits - 1;
  const char* const table = reinterpret_cast<const char*>(factors<Float>.of);
  const halves found = load_halves([=](int i) {
    typename written_format<Float>::bits bits;
    __builtin_memcpy(&bits, values + i, sizeof bits);
    return table + (bits >> fraction_bits & written_format<Float>::max_biased) * sizeof(decimal_factor);
  });
  return {found.first, found.second};
}

inline constexpr std::uint64_t bits_52 = (std::uint64_t{1} << 52) - 1;

// c = 2^52 + m: its lower bits times a factor of 104 bits, plus the factor. At most 3 units too small.
HEADRACE_INLINE eight_products multiply(u64x8 m, const eight_factors& factor, double) noexcept {
  const u64x8 upper = factor.high >> 12;
  const u64x8 lower = shift_right_24(factor.high, factor.low) & all_qwords(bits_52);
  const u64x8 middle = add_lower_52(add_upper_52(lower, lower, m), upper, m);
  const u64x8 whole = add_upper_52(upper, upper, m) + (middle >> 52);
  return {whole, middle & all_qwords(bits_52), upper >> 1};
}
// c = 2^23 + m, the factor cut off after 52 bits. Less than 2^24 units too small.
HEADRACE_INLINE eight_products multiply(u64x8 m, const eight_factors& factor, float) noexcept {
  const u64x8 upper = factor.high >> 12, c = m | all_qwords(1 << 23);
  return {add_upper_52(u64x8{}, upper, c), add_lower_52(u64x8{}, upper, c), upper >> 1};
}

// ---- 2. which decimal ----

struct eight_decimals {
  u64x8 whole;
  u64x8 next_digit;  // 0 where the whole part is all
  mask8 is_longer;   // it is not
  mask8 is_unsure;
};

// How far a product may be off, in units of 2^-52, and a margin.
template <class Float>
constexpr std::uint64_t doubt = sizeof(Float) == 8 ? 8 : 1 << 25;

// Whether a is within `distance` of a limit, counted modulo 2^64.
HEADRACE_INLINE mask8 is_near(u64x8 a, u64x8 limit, std::uint64_t distance) noexcept {
  return static_cast<mask8>(~above(a - limit + all_qwords(distance), all_qwords(2 * distance)));
}

template <class Float>
HEADRACE_INLINE eight_decimals choose_decimals(u64x8 m, const eight_products& value) noexcept {
  const u64x8 one = all_qwords(bits_52 + 1), above_value = value.fraction + value.half;
  // the whole number below, the one above, or neither is in the interval
  const mask8 down = above(value.half, value.fraction), up = at_least(above_value, one);
  const mask8 longer = static_cast<mask8>(~(up | down));
  // ten times the fraction, rounded
  const u64x8 rounded = add_lower_52(all_qwords(std::uint64_t{1} << 51), value.fraction, all_qwords(10));
  const u64x8 next = add_upper_52(rounded >> 52, value.fraction, all_qwords(10));
  const mask8 no_tie =
      above((rounded + all_qwords(10 * doubt<Float>)) & all_qwords(bits_52), all_qwords(20 * doubt<Float>));
  const mask8 limit = is_near(value.fraction, value.half, doubt<Float>) | is_near(above_value, one, doubt<Float>);
  // a power of two that is no whole number here
  const mask8 lopsided = is_zero(m) & above(value.fraction, all_qwords(10 * doubt<Float>));
  return {add_masked(value.whole, up, all_qwords(1)), keep_qwords(longer, next), longer,
          static_cast<mask8>(limit | (longer & ~no_tie) | lopsided)};
}

// ---- 3. its digits ----

// Eight decimal digits of each qword (below 10^8), one a byte, the LAST one lowest, which saves shifts.
//     12345678   ->   1234 above 5678, 32 bits each: x + (x / 10000) * (2^32 - 10000)   ->   the same with 100, with 10
HEADRACE_INLINE u64x8 split_reversed(u64x8 values) noexcept {
  const u64x8 thousands = add_upper_52(u64x8{}, values, all_qwords(450359962738));  // 2^52 / 10000
  const u64x8 fours = values + muludq(thousands, all_qwords((std::uint64_t{1} << 32) - 10000));
  const u16x32 hundreds = mulhuw(u16x32(fours), u16x32(all_qwords(0x0000147b0000147b))) >> 3;
  const u64x8 pairs = fours + mulld(u64x8(hundreds), all_qwords(0x0000ff9c0000ff9c));
  const u16x32 tens = mulhuw(u16x32(pairs), u16x32(all_qwords(0x199a199a199a199a)));
  return u64x8(u16x32(pairs) + mullw(tens, u16x32(all_qwords(0x00f600f600f600f6))));
}

// Sixteen digits, in two qwords, and a seventeenth; and what the layout needs.
struct eight_digits {
  u64x8 upper;
  u64x8 lower;
  u64x8 next;
  mask8 is_full;   // the first of the sixteen is not 0
  mask8 is_tenth;  // in units of a tenth
};
HEADRACE_INLINE eight_digits split_decimals(const eight_decimals& decimal, double) noexcept {
  const u64x8 upper = divide_by_hundred_million(decimal.whole);
  const u64x8 lower = decimal.whole - muludq(upper, all_qwords(100000000));
  return {split_reversed(upper), split_reversed(lower), decimal.next_digit,
          at_least(decimal.whole, all_qwords(1000000000000000)), 0};
}
// A float has six, seven or eight digits; six and the next one become seven.
HEADRACE_INLINE eight_digits split_decimals(const eight_decimals& decimal, float) noexcept {
  const mask8 short_ones = static_cast<mask8>(~at_least(decimal.whole, all_qwords(1000000)));
  const u64x8 tenfold = muludq(decimal.whole, all_qwords(10)) + decimal.next_digit;
  const u64x8 whole = replace_qwords(decimal.whole, short_ones, tenfold);
  const u64x8 next = keep_qwords(static_cast<mask8>(~short_ones), decimal.next_digit);
  return {split_reversed(whole), next << 56, u64x8{}, at_least(whole, all_qwords(10000000)), short_ones};
}

// How many of the digits are wanted: all but the zeros at the end.
template <class Float>
HEADRACE_INLINE u64x8 count_digits(const eight_digits& digits, mask8 longer) noexcept {
  const mask8 short_ones = is_zero(digits.lower);
  const u64x8 last = replace_qwords(digits.lower, short_ones, digits.upper);
  const u64x8 zeros = count_bits(~last & (last - 1)) >> 3;
  u64x8 count = replace_qwords(all_qwords(15), short_ones, all_qwords(7)) - zeros;
  if (sizeof(Float) == 8) count = replace_qwords(count, longer, all_qwords(16));
  return add_masked(count, digits.is_full, all_qwords(1));
}

// The text "e-123" of exponents, always three digits.
HEADRACE_INLINE u64x8 spell_exponents(u64x8 exponents, u64x8& hundreds) noexcept {
  const mask8 negative = top_bits(exponents);
  const u64x8 size = negate_masked(exponents, negative);
  hundreds = add_upper_52(u64x8{}, size, all_qwords(45035996273705));  // 2^52 / 100
  const u64x8 rest = size - muludq(hundreds, all_qwords(100));
  const u64x8 tens = add_upper_52(u64x8{}, rest, all_qwords(450359962737050));
  const u64x8 ones = rest - muludq(tens, all_qwords(10));
  const u64x8 text =
      all_qwords('e' | '+' << 8 | std::uint64_t{0x303030} << 16) + (hundreds << 16) + (tens << 24) + (ones << 32);
  return add_masked(text, negative, all_qwords(('-' - '+') << 8));
}

// ---- 4. the text ----

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

struct eight_texts {
  alignas(64) unsigned char source[8][layout_table::row_size];  // in the order that place_of_source() says
  alignas(64) std::uint64_t row[8];                             // offset of the layout
  mask8 negative;
  mask8 exact;  // those that have to be written alone, exactly
};
constexpr unsigned place_of_source(unsigned i) noexcept { return (i & 1) * 4 + i / 2; }

template <class Float>
HEADRACE_INLINE void prepare_eight(const Float* values, std::uint64_t separator, eight_texts& texts) noexcept {
  using format = written_format<Float>;
  const u64x8 bits = load_eight_values(values) << (64 - 8 * sizeof(Float));  // the sign on top
  constexpr std::uint64_t fraction = (std::uint64_t{1} << (format::digits - 1)) - 1;
  const u64x8 m = bits >> (64 - 8 * sizeof(Float)) & all_qwords(fraction);
  const eight_factors factor = look_up_factors(values);
  const eight_decimals decimal = choose_decimals<Float>(m, multiply(m, factor, Float{}));
  const eight_digits digits = split_decimals(decimal, Float{});
  const u64x8 count = count_digits<Float>(digits, decimal.is_longer);

  u64x8 point_and_3 = u64x8(i64x8(factor.low << 48) >> 48);
  point_and_3 = add_masked(point_and_3, digits.is_full, all_qwords(1));
  point_and_3 = add_masked(point_and_3, digits.is_tenth, all_qwords(~std::uint64_t{0}));
  const mask8 scientific = above(point_and_3, all_qwords(layout_table::max_point + 3));
  u64x8 row = muludq(point_and_3, all_qwords(34)) + count * 2;
  u64x8 exponent{};
  if (scientific != 0) {
    u64x8 hundreds;
    exponent = spell_exponents(point_and_3 - all_qwords(4), hundreds);
    row = replace_qwords(row, scientific, count * 4 + all_qwords(layout_table::scientific_rows));
    row = add_masked(row, scientific & is_nonzero(hundreds), all_qwords(2));
  }
  row = add_masked(row, digits.is_full, all_qwords(1));
  const mask8 nonzero = is_nonzero(bits + bits);
  store(texts.row, keep_qwords(nonzero, row << 5));

  // four qwords for each value: lower digits, upper digits, punctuation, exponent
  const u64x8 ascii = all_qwords(every_byte('0'));
  const u64x8 punctuation = digits.next + all_qwords('0' | '.' << 8 | '0' << 16 | separator << 24);
  const u64x8 lower = digits.lower | ascii, upper = digits.upper | ascii;
  const u64x8 even_digits = unpack_low(lower, upper), odd_digits = unpack_high(lower, upper);
  const u64x8 even_rest = unpack_low(punctuation, exponent), odd_rest = unpack_high(punctuation, exponent);
  const u64x8 first = {0, 1, 8, 9, 2, 3, 10, 11}, second = {4, 5, 12, 13, 6, 7, 14, 15};
  store(texts.source[0], permi2q(first, even_digits, even_rest));
  store(texts.source[2], permi2q(second, even_digits, even_rest));
  store(texts.source[4], permi2q(first, odd_digits, odd_rest));
  store(texts.source[6], permi2q(second, odd_digits, odd_rest));
  texts.negative = top_bits(bits);
  texts.exact = decimal.is_unsure & nonzero;
}

template <class Float, class Void = void>  // like the table that it looks into
HEADRACE_INLINE char* write_prepared(char* to, const eight_texts& texts, unsigned i) noexcept {
  const auto* const row = reinterpret_cast<const unsigned char*>(layouts<Void>.rows) + texts.row[i];
  const u8x32 text = permb(load<u8x32>(texts.source[place_of_source(i)]), load<u8x32>(row));
  store(to, text);
  return to + row[layout_table::length_at];
}

// Some have to be written alone.
template <class Float>
__attribute__((noinline)) char* write_mixed(char* to, const eight_texts& texts, const Float* values,
                                            char separator) noexcept {
  for (unsigned i = 0; i < 8; ++i) {
    if ((texts.exact >> i & 1) != 0) {
      to = write_short(to, values[i]);
      *to++ = separator;
    } else {
      *to = '-';
      to = write_prepared<Float>(to + (texts.negative >> i & 1), texts, i);
    }
  }
  return to;
}

template <class Float>
HEADRACE_INLINE char* write_eight(char* to, const eight_texts& texts, const Float* values, char separator) noexcept {
  if (unlikely(texts.exact != 0)) return write_mixed(to, texts, values, separator);
  if (texts.negative == 0) {
    for (unsigned i = 0; i < 8; ++i) to = write_prepared<Float>(to, texts, i);
  } else {
    for (unsigned i = 0; i < 8; ++i) {
      *to = '-';
      to = write_prepared<Float>(to + (texts.negative >> i & 1), texts, i);
    }
  }
  return to;
}

// Sixteen at a time, so that the arithmetic of eight fills the gaps in that of the other eight.
template <class Float>
char* write_floats(char* to, const Float* values, std::size_t count, char separator) noexcept {
  eight_texts texts[2];
  const std::uint64_t byte = static_cast<unsigned char>(separator);
  std::size_t done = 0;
  for (; done + 16 <= count; done += 16) {
    prepare_eight(values + done, byte, texts[0]);
    prepare_eight(values + done + 8, byte, texts[1]);
    to = write_eight(to, texts[0], values + done, separator);
    to = write_eight(to, texts[1], values + done + 8, separator);
  }
  if (done + 8 <= count) {
    prepare_eight(values + done, byte, texts[0]);
    to = write_eight(to, texts[0], values + done, separator);
    done += 8;
  }
  return scalar::write_numbers(to, values + done, count - done, separator);
}
