// headrace/detail/simd/generic/convert.hpp: text that an instruction set includes into its namespace: stage 2;
// scalar.hpp has the contract. Needs vectors.hpp, load_last_8(), lookup(), mask_of_bytes(), even_dwords(), widen(),
// add_pairs(), add_pairs_of_words(), pack_words(), widen_places() and masks_have_places.

// Pairs, then fours: four digits in each dword.
HEADRACE_INLINE bytes join_fours(bytes digits) noexcept {
  return add_pairs_of_words(add_pairs(digits, all_bytes(0x010a010a010a010a)), all_bytes(0x0001006400010064));
}

// `lengths` holds that of token i in dword i; `first` and `second`, in each of their bytes, say where the lengths of
// the two tokens are in the lane.
HEADRACE_INLINE digit_block load_digits(const char* base, const std::uint16_t* edges, dwords lengths,
                                        std::uint64_t first, std::uint64_t second) noexcept {
  const bytes text = load_last_8(base, edges);
  const bytes length_of_byte = lookup(bytes(lengths), in_each_lane(first, second));
  digit_block block;
  block.keep = bytes(signed_bytes(length_of_byte) > signed_bytes(all_bytes(0x0001020304050607)));
  block.digits = (text - all_bytes(every_byte('0'))) & block.keep;
  return block;
}

// Where a minus may be in a token: not last, and nowhere of a type without a sign.
HEADRACE_INLINE bytes places_of_signs(integer_range range) noexcept {
  return all_bytes(range.max_negative != 0 ? ~std::uint64_t(0) >> 8 : 0);
}

// Makes each minus that is first in its token, and at a place for one, a 0; returns all bits of those.
HEADRACE_INLINE bytes take_signs(digit_block& block, bytes places) noexcept {
  const bytes minus = bytes(block.digits == all_bytes(every_byte('-' - '0' + 256)));
  const bytes follows = bytes(qwords(block.keep) << 8);
  const bytes signs = minus & ~follows & places;
  block.digits &= ~signs;
  return signs;
}

// The top bit of each byte that is no digit.
HEADRACE_INLINE bytes find_wrong(bytes digits) noexcept { return digits | (digits + all_bytes(every_byte(0x76))); }

// Eight digits with a sign fit any type of 32 bits or more: there is no range to check.
template <unsigned Width>
HEADRACE_INLINE void store_values(dwords values, char* out) noexcept {
  if constexpr (Width == 8) {
    const qwords low = widen(values, 0), high = widen(values, 1);
    __builtin_memcpy(out, &low, vector_size);
    __builtin_memcpy(out + vector_size, &high, vector_size);
  } else {
    __builtin_memcpy(out, &values, vector_size);
  }
}

HEADRACE_INLINE dwords join_group(bytes a, bytes b, bytes signs_a, bytes signs_b) noexcept {
  const bytes fours = pack_words(join_fours(a), join_fours(b));
  const dwords sums = dwords(add_pairs_of_words(fours, all_bytes(0x0001271000012710)));
  const dwords unsigned_ones = even_dwords(bytes(qwords(signs_a) == 0), bytes(qwords(signs_b) == 0));
  return unsigned_ones - (sums ^ unsigned_ones);  // -1 - ~sum, or 0 - sum
}

// The digits of a group: a token for each dword of a vector, of up to eight bytes; or false.
//     text   42 -7 123 0        edges    pairs of begin and end, a dword each
//     1. load the 8 bytes that end with each token, subtract '0', zero what is before the token:  a b | c d
//     2. take the signs out, and check what is left
//     3. join pairs and fours, put both halves into one vector, join eights; negate; store
HEADRACE_INLINE bool load_group(const char* base, const std::uint16_t* edges, digit_block& a, digit_block& b) noexcept {
  const dwords pairs = dwords(load(edges));
  const dwords lengths = (pairs >> 16) - (pairs & 0xffff);  // edges are below 2^15
  if (unlikely(mask_of_bytes(bytes(lengths > 8)) != 0)) return false;
  a = load_digits(base, edges, lengths, 0, every_byte(4));
  b = load_digits(base, edges + 4, lengths, every_byte(8), every_byte(12));
  return true;
}

// Tokens of the group at `place`, a bit for each.
HEADRACE_INLINE void note_malformed(unsigned which, std::size_t place, refusals& refused) noexcept {
  const words_of_16 found =
      widen_places(bit_places::get().of[which]) + static_cast<std::uint16_t>(place | refusals::malformed);
  __builtin_memcpy(refused.next, &found, 16);
  refused.next += __builtin_popcount(which);
}

// A bit for each token of a group, set where its bytes have one in `a` or `b`, which hold them by turns.
//     tokens   0 1 | 4 5     2 3 | 6 7        a byte of the masks each
HEADRACE_INLINE unsigned find_tokens(std::uint32_t a, std::uint32_t b) noexcept {
  std::uint64_t found = (a & 0xffff) | (b & 0xffff) << 16;
  if constexpr (vector_size == 32) found |= std::uint64_t(a >> 16) << 32 | std::uint64_t(b >> 16) << 48;
  found |= found >> 4;
  found |= found >> 2;
  found |= found >> 1;
  return static_cast<unsigned>((found & every_byte(1)) * 0x0102040810204080 >> 56);
}

// Whether a sign is among the digits that only a look at its token can tell: a plus, and a minus where the type has
// none.
HEADRACE_INLINE bool has_rare_sign(const digit_block& a, const digit_block& b, integer_range range) noexcept {
  const std::uint64_t either = range.max_negative != 0 ? 0 : every_byte('+' ^ '-');
  const bytes sign = all_bytes(every_byte('+' - '0' + 256) | either), same = all_bytes(either);
  return mask_of_bytes(bytes((a.digits | same) == sign) | bytes((b.digits | same) == sign)) != 0;
}

// Tokens of the group at `place` that are no numbers, without a branch on how many there are. False: all of the group
// are left to the scalar function.
HEADRACE_INLINE bool note_group(const digit_block& a, const digit_block& b, integer_range range, bytes wrong_a,
                                bytes wrong_b, std::size_t place, refusals* refused) noexcept {
  if constexpr (masks_have_places) {
    if (refused == nullptr || unlikely(has_rare_sign(a, b, range))) return false;
    note_malformed(find_tokens(mask_of_bytes(wrong_a), mask_of_bytes(wrong_b)), place, *refused);
    return true;
  } else {
    return false;
  }
}

// A group of tokens at `place` to their values; those that are no numbers are noted, if at all. False where one is
// longer, or left to the scalar function.
template <unsigned Width>
HEADRACE_INLINE bool convert_group(const char* base, const std::uint16_t* edges, std::size_t place, char* out,
                                   integer_range range, refusals* refused) noexcept {
  digit_block a, b;
  if (unlikely(!load_group(base, edges + 2 * place, a, b))) return false;
  const bytes places = places_of_signs(range);
  const bytes signs_a = take_signs(a, places), signs_b = take_signs(b, places);
  const bytes wrong_a = find_wrong(a.digits), wrong_b = find_wrong(b.digits);
  if (unlikely(mask_of_bytes(wrong_a | wrong_b) != 0) && !note_group(a, b, range, wrong_a, wrong_b, place, refused)) {
    return false;
  }
  store_values<Width>(join_group(a.digits, b.digits, signs_a, signs_b), out + place * Width);
  return true;
}

// From token `done` on, as many as go a group at a time; without calls, so that constants stay in registers.
template <unsigned Width>
__attribute__((noinline)) std::size_t convert_groups(const char* base, const std::uint16_t* edges, std::size_t done,
                                                     std::size_t count, char* out, integer_range range,
                                                     refusals* refused) noexcept {
  constexpr std::size_t group = vector_size / 4;
  while (count - done >= group && likely(convert_group<Width>(base, edges, done, out, range, refused))) done += group;
  return done;
}

// Converts four tokens of any length, where vectors have 32 bytes; false: they are left to the scalar function.
template <unsigned Width>
bool convert_four(const char* base, const std::uint16_t* edges, char* out, integer_range range) noexcept;

// Long tokens: four at once, or one.
template <unsigned Width>
HEADRACE_INLINE bool convert_long(const char* base, const std::uint16_t* edges, char* out,
                                  integer_range range) noexcept {
  if constexpr (vector_size == 32) {
    return convert_four<Width>(base, edges, out, range);
  } else {
    const bool negative = base[edges[0]] == '-';
    const unsigned length = unsigned(edges[1]) - edges[0] - negative;
    std::uint64_t value;
    if (unlikely(length - 1 >= 20 || join_twenty_digits(base + edges[1], length, value) != std::errc{})) return false;
    if (unlikely(!apply_sign(value, negative, range, value))) return false;
    store_value<Width>(out, value);
    return true;
  }
}

// From token `done` on, where the next group has one that is longer than eight bytes, or wrong: goes on until a group
// ends with a short one, which may begin a run of them. Returns the first that was not converted.
template <unsigned Width>
__attribute__((noinline)) std::size_t convert_mixed(const char* base, const std::uint16_t* edges, std::size_t done,
                                                    std::size_t count, char* out, integer_range range) noexcept {
  constexpr std::size_t step = vector_size == 32 ? 4 : 1;
  [[maybe_unused]] const std::size_t first = done;
  while (count - done >= step && likely(convert_long<Width>(base, edges + 2 * done, out + done * Width, range))) {
    done += step;
    if ((step == 4 || (done - first) % 4 == 0) && edges[2 * done - 1] - edges[2 * done - 2] <= 8) break;
  }
  return done;
}

template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t done, std::size_t count,
                             char* out, integer_range range, refusals* refused) noexcept {
  constexpr std::size_t group = vector_size / 4;
  for (;;) {
    done = convert_groups<Width>(base, edges, done, count, out, range, refused);
    if (count - done < group) break;
    const std::size_t next = convert_mixed<Width>(base, edges, done, count, out, range);
    if (next != done) {
      done = next;
      continue;
    }
    // The rest is wrong, or so rare that one at a time will do.
    const std::size_t end = done + group;
    done = scalar::convert_integers<Width>(base, edges, done, end, out, range, refused);
    if (done != end) return done;
  }
  return scalar::convert_integers<Width>(base, edges, done, count, out, range, refused);
}
