// headrace/detail/simd/avx2_parse_float.hpp: four decimals at a time to doubles or floats: text that avx2.hpp includes
// into its namespace.
//
// These instructions round as the program wishes: convert_floats() asks first.

constexpr std::size_t lanes = 4;
constexpr unsigned max_divided = 2;  // 16 digits below 2^53, by a power of ten that is a double
HEADRACE_INLINE bool can_round() noexcept { return rounds_to_nearest<true>(); }
// From what take_points() gives.
HEADRACE_INLINE qwords count_places(qwords places) noexcept { return places; }

#include "generic/convert_floats.hpp"

template <unsigned Width, class End>
HEADRACE_INLINE token_bytes<Width> load_before(const char* base, End end_of) noexcept {
  token_bytes<Width> text;
  if constexpr (Width == 1) {
    const char* const from = base - 8;
    text.of[0] = bytes(qwords{load_eight(from + end_of(0)), load_eight(from + end_of(1)), load_eight(from + end_of(2)),
                              load_eight(from + end_of(3))});
  } else {
    const halves last = load_halves([=](int i) { return base - 16 + end_of(i); });
    text.of[0] = bytes(last.second);
    text.of[1] = bytes(last.first);
    if constexpr (Width > 2) text.of[2] = bytes(load_halves([=](int i) { return base - 32 + end_of(i); }).second);
  }
  return text;
}
template <unsigned Width>
HEADRACE_INLINE token_bytes<Width> load_group(const token_group& group) noexcept {
  const std::uint16_t* const edges = group.edges;
  return load_before<Width>(group.base, [=](int i) { return edges[2 * i + 1]; });
}

template <unsigned Width>
HEADRACE_INLINE bool may_have(const token_bytes<Width>&, bytes) noexcept {
  return true;
}

template <unsigned Width>
HEADRACE_INLINE qwords take_points(token_bytes<Width>& digits, lane_flags& points) noexcept {
  const bytes point = all_bytes(every_byte('.' - '0' + 256));
  const qwords one = all_qwords(every_byte(1));
  qwords after{}, blocks_after{}, none{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const qwords qword = qwords(digits.of[i]);
    qwords found = qwords(digits.of[i] == point) & one;
    if (i > 0) found &= none;
    const qwords not_here = is_zero(found), above = qwords{} - (found << 8);
    after |= above & one;
    blocks_after |= ~not_here & (8 * i);
    none = i == 0 ? not_here : none & not_here;
    const qwords before = i + 1 < Width ? qwords(digits.of[i + 1 < Width ? i + 1 : i]) >> 56 : qwords{};
    digits.of[i] = bytes(select(above | none, qword, (qword << 8) | before));
  }
  points = ~none;
  return count_ones(after) + blocks_after;
}

// Up to 10^9 the lower half of a double is zero, so a permutation of dwords looks eight of them up. It takes three bits
// of an index.
template <unsigned Width>
HEADRACE_INLINE doubles look_up_divisors(qwords places) noexcept {
  constexpr dwords upper = {0x3ff00000, 0x40240000, 0x40590000, 0x408f4000,
                            0x40c38800, 0x40f86a00, 0x412e8480, 0x416312d0};
  qwords found;
  asm("vpermd %2, %1, %0" : "=x"(found) : "x"(places), "x"(upper));
  const doubles to_seven = doubles(found << 32);
  if constexpr (Width == 1) return to_seven;
  const qwords from_8 = where_above(places, 7);
  return multiply(to_seven, doubles(select(from_8, qwords(all_doubles(1e8)), qwords(all_doubles(1)))));
}
template <unsigned Width, class Void>
HEADRACE_INLINE double_pairs look_up_factors(qwords places, lane_flags& beyond) noexcept {
  return look_up_powers<Void>(qwords{} - places, beyond);
}
