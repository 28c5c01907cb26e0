// headrace/detail/simd/generic/convert_floats.hpp: text that an instruction set includes into its namespace: stage 2
// for floats, `lanes` tokens at a time; scalar.hpp has the contract.
//
//     text        -12.3456      the last 24 bytes of each token, right-aligned in up to three qwords
//     1. digits   mD2p3456      '0' taken away, what is before the token 0; here the minus and the point show
//     2. closed   .D123456      the bytes before the point move up by one; places = how many are after it
//     3. joined   w             up to 19 digits as a sum of two doubles
//     4. scaled   w / 10^places where both are doubles, so that one division rounds once (W. Clinger, 1990); else
//                 w * 10^-places as a sum of two doubles, exact to about 102 bits, rounded to one
// Ziv's test (A. Ziv, "Fast Evaluation of Elementary Mathematical Functions with Correctly Rounded Last Bit", 1991)
// tells whether an error of that size could have changed the rounding. Such a token, and whatever else is unusual, goes
// to the exact parser.
//
// Doubles are computed by one instruction per operation, so the compiler's flags (-ffast-math, -ffp-contract) change no
// bit.
//
// Needs vectors of a group (`bytes`, `qwords`, `doubles`, `floats`), what marks some bytes or lanes of them
// (`byte_flags`, `lane_flags`: a mask register, or all bits of each), and the primitives that are called below; in
// convert.hpp and avx512.hpp, note_malformed(), which has no branch on how many there are. After it the instruction set
// defines what is declared here.

inline constexpr unsigned all_lanes = (1u << lanes) - 1;

// The last 8 * Width bytes of the tokens of a group: of[0] has the last eight of each, of[1] those before, and so on.
template <unsigned Width>
struct token_bytes {
  bytes of[Width];
};

// A group of tokens before a look at their text.
struct token_group {
  const char* base;
  const std::uint16_t* edges;
  qwords ends;
  qwords lengths;
};

// The bytes before each of a group's ends.
template <unsigned Width>
HEADRACE_INLINE token_bytes<Width> load_group(const token_group& group) noexcept;
template <unsigned Width, class End>
HEADRACE_INLINE token_bytes<Width> load_before(const char* base, End end_of) noexcept;

// Whether a look for a byte is worth its time; true: it may be there.
template <unsigned Width>
HEADRACE_INLINE bool may_have(const token_bytes<Width>& digits, bytes byte) noexcept;

// Closes the gap that the point leaves: what is before it moves up by a byte. Returns how many bytes are after it, as
// count_places() reads them, and in `points` the lanes that have one. A second point stays, and is no digit.
//     of[1]      of[0]
//     ......12   3.456789   ->   .......1 23456789
template <unsigned Width>
HEADRACE_INLINE qwords take_points(token_bytes<Width>& digits, lane_flags& points) noexcept;

// A number as a sum of two doubles, of which the lower one is no more than a rounding error.
struct double_pairs {
  doubles upper;
  doubles lower;
};

// 10^places as a double, for tokens of up to 8 * max_divided bytes; 10^-places as a pair, for longer ones.
template <unsigned Width>
HEADRACE_INLINE doubles look_up_divisors(qwords places) noexcept;
template <unsigned Width, class Void = void>
HEADRACE_INLINE double_pairs look_up_factors(qwords places, lane_flags& beyond) noexcept;

// ---- 1. and 2.: the digits ----

// Takes the minus in front of some tokens away: their sign bits. They have one byte less then.
template <unsigned Width>
HEADRACE_INLINE qwords take_signs(token_bytes<Width>& digits, bytes length_bytes, qwords& lengths) noexcept {
  const bytes minus = all_bytes(every_byte('-' - '0' + 256));
  if (!may_have(digits, minus)) return qwords{};
  byte_flags found{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const byte_flags is_first = equal(length_bytes, all_bytes(0x0102030405060708 + every_byte(8 * i)));
    const byte_flags at_front = equal_among(is_first, digits.of[i], minus);
    found |= at_front;
    digits.of[i] = without(digits.of[i], at_front);
  }
  const lane_flags negative = lanes_of(found);
  lengths = decrement(lengths, negative);
  return keep_qwords(negative, all_qwords(std::uint64_t{1} << 63));
}

// The lanes that have a plus or a letter of exponents, infinities and NaN.
template <unsigned Width>
HEADRACE_INLINE lane_flags find_letters(const token_bytes<Width>& digits) noexcept {
  constexpr char letters[] = {'e', 'i', 'n', '+'};
  byte_flags found{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const bytes small = digits.of[i] | all_bytes(every_byte(0x20));
    for (const char letter : letters) {
      found |= equal(small, all_bytes(every_byte(static_cast<unsigned char>((letter - '0') | 0x20))));
    }
  }
  return lanes_of(found);
}

// ---- 3. and 4.: the value ----

// The numbers that digits without signs and points are: exactly, but for those that are too long.
template <unsigned Width>
HEADRACE_INLINE double_pairs join_all(const token_bytes<Width>& digits, lane_flags& too_long) noexcept {
  const doubles last = to_doubles(join_eights(digits.of[0]));
  if constexpr (Width == 1) {
    return {last, doubles{}};
  } else {
    const doubles scale = all_doubles(1e8);
    doubles first = to_doubles(join_eights(digits.of[1]));
    if constexpr (Width > 2) {
      const qwords top = swap_halves(qwords(join_fours(digits.of[2])));
      too_long = where_above(top, 999);  // 20 digits or more
      first = multiply_add(to_doubles(top), scale, first);
    }
    const doubles sum = multiply_add(first, scale, last);
    return {sum, add(multiply_subtract(first, scale, sum), last)};
  }
}

// 10^exponent; `beyond` are lanes whose power is not in the table.
template <class Void = void>  // like the table
HEADRACE_INLINE double_pairs look_up_powers(qwords exponents, lane_flags& beyond) noexcept {
  beyond = where_outside(exponents, min_pair, max_pair);
  alignas(sizeof(qwords)) std::uint64_t place[lanes];
  store(place, without_lanes(exponents - all_qwords(static_cast<std::uint64_t>(min_pair)), beyond));
  const power_pair_table& table = power_pairs<Void>;
  const halves found = load_halves([&](int i) { return table.of + place[i]; });
  return {doubles(found.first), doubles(found.second)};
}

// Subnormal floats and what is too great for one, as well as those that are `close` to call; not zeros.
HEADRACE_INLINE lane_flags unsure_floats(doubles numbers, lane_flags close) noexcept {
  constexpr std::int64_t min_normal = std::int64_t{1023 - 125} << 52, max_normal = std::int64_t{1023 + 127} << 52;
  return (close | where_outside(qwords(numbers), min_normal, max_normal - 1)) & is_nonzero(qwords(numbers));
}

// Stores numbers that are rounded to doubles, with the sign bits; returns the lanes whose rounding is not certain.
HEADRACE_INLINE lane_flags store_rounded(doubles numbers, qwords signs, double* out) noexcept {
  store(out, qwords(numbers) | signs);
  return lane_flags{};
}
// A double that is not half-way between two floats is rounded as the number itself would be. (One that is may come from
// a number next to it.)
HEADRACE_INLINE lane_flags store_rounded(doubles numbers, qwords signs, float* out) noexcept {
  store(out, to_floats(doubles(qwords(numbers) | signs)));
  return unsure_floats(numbers, is_zero((qwords(numbers) & all_qwords(0x1fffffff)) - all_qwords(0x10000000)));
}

// Stores w * power with the sign bits, and returns the lanes whose rounding is not certain.
HEADRACE_INLINE lane_flags store_products(const double_pairs& w, const double_pairs& power, qwords signs,
                                          double* out) noexcept {
  const doubles product = multiply(w.upper, power.upper);
  // all that `product` lacks: what it rounded away (FMA has it exactly), and the two smaller products
  const doubles lost = multiply_subtract(w.upper, power.upper, product);
  const doubles rest = multiply_add(w.lower, power.upper, multiply_add(w.upper, power.lower, lost));
  const doubles result = add(product, rest);
  // Ziv's test: the part that `result` rounded away, made a little greater, is still rounded away. The errors of
  // `rest` are below 2^-47 of it wherever it is close to half a unit of `result`.
  const doubles rounded_away = subtract(rest, subtract(result, product));
  const doubles again = multiply_add(rounded_away, all_doubles(1 + 0x1p-44), result);
  store(out, qwords(result) | signs);
  return where_different(qwords(again), qwords(result));
}
HEADRACE_INLINE lane_flags store_products(const double_pairs& w, const double_pairs& power, qwords signs,
                                          float* out) noexcept {
  // off by less than 2^-51 of it: two that enclose the number nearly always round to one float
  const doubles product = multiply(w.upper, power.upper), with_signs = doubles(qwords(product) | signs);
  const floats low = to_floats(multiply(with_signs, all_doubles(1 - 0x1p-49)));
  const floats high = to_floats(multiply(with_signs, all_doubles(1 + 0x1p-49)));
  store(out, low);
  return unsure_floats(product, where_different(low, high));
}

// Stores what the digits are, and returns the lanes that are left to the exact parser.
template <unsigned Width, class Float>
HEADRACE_INLINE lane_flags store_numbers(const token_bytes<Width>& digits, qwords places, const qwords* exponents,
                                         qwords signs, Float* out) noexcept {
  lane_flags too_long{}, beyond{};
  const double_pairs w = join_all(digits, too_long);
  if constexpr (Width <= max_divided) {
    if (exponents == nullptr) {
      if (Width > 1) too_long = where_above(qwords(w.upper), (std::int64_t{1023 + 53} << 52) - 1);  // not below 2^53
      return too_long | store_rounded(divide(w.upper, look_up_divisors<Width>(places)), signs, out);
    }
  }
  const double_pairs power = exponents == nullptr ? look_up_factors<Width>(places, beyond)
                                                  : look_up_powers(*exponents - count_places(places), beyond);
  return too_long | beyond | store_products(w, power, signs, out);
}

// ---- a group ----

// The numbers of the text that was loaded; `exponents` are null where none was looked for. Returns the lanes that are
// left to the exact parser, of which some are certainly `malformed`; all, where there may be exponents after all.
template <unsigned Width, class Float>
HEADRACE_INLINE unsigned convert_text(const token_bytes<Width>& text, qwords lengths, const qwords* exponents,
                                      Float* out, unsigned& malformed) noexcept {
  const bytes length_bytes = spread_low_byte(lengths);
  token_bytes<Width> digits;
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) digits.of[i] = digits_of(text.of[i], length_bytes, 8 * i);
  const qwords signs = take_signs(digits, length_bytes, lengths);
  lane_flags points;
  const qwords places = take_points(digits, points);
  const lane_flags empty = is_zero(decrement(lengths, points));
  bytes largest = digits.of[0];
#pragma GCC unroll 3
  for (unsigned i = 1; i < Width; ++i) largest = max_unsigned(largest, digits.of[i]);
  unsigned left = 0;
  if (unlikely(has_others(largest, empty))) {
    const lane_flags letters = find_letters(digits);
    if (exponents == nullptr && mask_of_lanes(letters) != 0) return all_lanes;
    const lane_flags wrong = lanes_of_others(largest, empty);
    left = mask_of_lanes(wrong);
    malformed = left & ~mask_of_lanes(letters);
#pragma GCC unroll 3
    for (unsigned i = 0; i < Width; ++i) digits.of[i] = bytes(without_lanes(qwords(digits.of[i]), wrong));
  }
  return left | mask_of_lanes(store_numbers(digits, places, exponents, signs, out));
}

HEADRACE_INLINE token_group group_of(const char* base, const std::uint16_t* edges) noexcept {
  const qwords pairs = load_edges(edges), ends = pairs >> 16;
  return {base, edges, ends, ends - (pairs & 0xffff)};
}
HEADRACE_INLINE bool has_longer(qwords lengths, unsigned limit) noexcept {
  return mask_of_lanes(where_above(lengths, limit)) != 0;
}

// A group of which some have exponents, of up to seven bytes, or are no numbers: cuts the exponents off, reads them,
// and goes on with what is left.
//     -1.25e-17   ->   -1.25, -17
template <class Float>
HEADRACE_INLINE tokens_left convert_any(const char* base, const std::uint16_t* edges, Float* out,
                                        bool& exponents_found) noexcept {
  const token_group group = group_of(base, edges);
  const bytes one = all_bytes(every_byte(1));
  // 1. where an e or E is among the last eight bytes of a token
  const bytes text = load_before<1>(base, [=](int i) { return edges[2 * i + 1]; }).of[0];
  const byte_flags is_e = equal_among(bytes_of_tokens(spread_low_byte(group.lengths), 0),
                                      text | all_bytes(every_byte(0x20)), all_bytes(every_byte('e')));
  const qwords e = qwords(keep_bytes(is_e, one));
  const lane_flags some = is_nonzero(e);
  exponents_found = mask_of_lanes(some) != 0;
  // 2. what is after it: a sign, perhaps, and digits; another e is none
  const qwords count = count_bytes_after(e), size = keep_qwords(some, count + 1);  // with the e
  bytes digits = (text - all_bytes(every_byte('0'))) & bytes(qwords{} - (e << 8));
  const byte_flags is_first = equal(bytes(e << 8), one);
  const byte_flags minus = equal_among(is_first, digits, all_bytes(every_byte('-' - '0' + 256)));
  const byte_flags sign = minus | equal_among(is_first, digits, all_bytes(every_byte('+' - '0' + 256)));
  digits = without(digits, sign);
  const lane_flags empty = is_zero(decrement(count, lanes_of(sign))) & some;
  const lane_flags wrong = lanes_of_others(digits, empty);
  const qwords exponents = negate_lanes(join_eights(bytes(without_lanes(qwords(digits), wrong))), lanes_of(minus));
  // 3. the tokens without it
  const qwords lengths = group.lengths - size;
  alignas(sizeof(qwords)) std::uint64_t ends[lanes];
  store(ends, group.ends - size);
  const auto end_of = [&](int i) { return ends[i]; };
  unsigned malformed = 0;
  const unsigned left = has_longer(lengths, 16)
                            ? convert_text(load_before<3>(base, end_of), lengths, &exponents, out, malformed)
                            : convert_text(load_before<2>(base, end_of), lengths, &exponents, out, malformed);
  const unsigned longer = mask_of_lanes(where_above(lengths, 24));  // of which it sees the last bytes only
  return {left | longer | mask_of_lanes(wrong), (malformed & ~longer) | mask_of_lanes(wrong)};
}

// A group without exponents. Returns the lanes that are left to others: all, where one may have an exponent.
template <class Float>
HEADRACE_INLINE unsigned convert_plain(const char* base, const std::uint16_t* edges, Float* out,
                                       unsigned& malformed) noexcept {
  const token_group group = group_of(base, edges);
  if (!has_longer(group.lengths, 8)) return convert_text(load_group<1>(group), group.lengths, nullptr, out, malformed);
  if (!has_longer(group.lengths, 16)) return convert_text(load_group<2>(group), group.lengths, nullptr, out, malformed);
  if (has_longer(group.lengths, 24)) return all_lanes;
  return convert_text(load_group<3>(group), group.lengths, nullptr, out, malformed);
}

// ---- all groups ----

// The lanes of a group that are left, one at a time. Returns how many of the group are numbers before one that is none.
template <class Float>
__attribute__((noinline)) std::size_t convert_rest(const char* base, const std::uint16_t* edges, tokens_left left,
                                                   Float* out) noexcept {
  for (unsigned rest = left.all; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(__builtin_ctz(rest));
    if ((left.malformed >> i & 1) != 0) return i;  // without a look at it
    if (scalar::convert_floats<Float>(base, edges + 2 * i, 1, reinterpret_cast<char*>(out + i), nullptr) == 0) return i;
  }
  return lanes;
}

// Converts the lanes of the group at `place` that are left, one at a time; those that are no numbers are noted.
template <class Float>
__attribute__((noinline)) void convert_or_note(const char* base, const std::uint16_t* edges, tokens_left left,
                                               Float* out, std::size_t place, refusals& refused) noexcept {
  for (unsigned rest = left.all; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(__builtin_ctz(rest));
    std::uint16_t mark = refusals::malformed;
    if ((left.malformed >> i & 1) == 0) {
      refusals found{&mark, &mark};
      scalar::convert_floats<Float>(base, edges + 2 * i, 1, reinterpret_cast<char*>(out + i), &found);
      if (found.next == &mark) continue;
    }
    *refused.next++ = static_cast<std::uint16_t>((place + i) | mark);
  }
}

// A group to `out`; false: only those before the one that is no number.
template <class Float>
HEADRACE_INLINE bool store_group(const char* base, const std::uint16_t* edges, tokens_left left, Float* group,
                                 char* out, refusals* refused, std::size_t& done) noexcept {
  std::size_t good = lanes;
  if (unlikely(left.all != 0)) {
    if (refused != nullptr && likely(left.all == left.malformed)) {
      note_malformed(left.all, done, *refused);
    } else if (refused != nullptr) {
      convert_or_note(base, edges, left, group, done, *refused);
    } else {
      good = convert_rest(base, edges, left, group);
    }
  }
  done += good;
  if (unlikely(good != lanes)) {
    __builtin_memcpy(out, group, good * sizeof(Float));
    return false;
  }
  __builtin_memcpy(out, group, lanes * sizeof(Float));
  return true;
}

// A group that is not for convert_plain(), and those after it as long as they have exponents. Adds how many tokens were
// taken to `done`; false: the next one is no number.
template <class Float>
__attribute__((noinline)) bool convert_others(const char* base, const std::uint16_t* edges, std::size_t count,
                                              char* out, refusals* refused, std::size_t& done) noexcept {
  bool exponents = true;
  for (; exponents && count >= lanes; count -= lanes, edges += 2 * lanes, out += lanes * sizeof(Float)) {
    Float group[lanes];
    const tokens_left left = convert_any(base, edges, group, exponents);
    if (!store_group(base, edges, left, group, out, refused, done)) return false;
  }
  return true;
}

template <class Float>
std::size_t convert_floats(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                           refusals* refused) noexcept {
  if (count < lanes || !can_round()) return scalar::convert_floats<Float>(base, edges, count, out, refused);
  std::size_t done = 0;
  for (;;) {
    const std::uint16_t* const tokens = edges + 2 * done;
    char* const to = out + done * sizeof(Float);
    Float group[lanes];  // and not `out`, in which nothing changes from the first token on that is no number
    unsigned malformed = 0;
    const unsigned left = convert_plain(base, tokens, group, malformed);
    const bool good = likely(left != all_lanes) ? store_group(base, tokens, {left, malformed}, group, to, refused, done)
                                                : convert_others<Float>(base, tokens, count - done, to, refused, done);
    if (unlikely(!good) || done == count) return done;
    if (count - done < lanes) {  // the last group, of which some were done before
      done = count - lanes;
      if (refused != nullptr) refused->forget_from(done);
    }
  }
}
