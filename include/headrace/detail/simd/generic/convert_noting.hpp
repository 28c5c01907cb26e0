// headrace/detail/simd/generic/convert_noting.hpp: text that an instruction set includes into its namespace, after
// convert.hpp, where masks of bytes are cheap: stage 2 past tokens that are none. scalar.hpp has the contract. Needs
// check_digits.hpp and widen_places().

// Tokens of the group at `place`, a bit for each.
HEADRACE_INLINE void note_malformed(unsigned which, std::size_t place, refusals& refused) noexcept {
  const words_of_16 found =
      widen_places(bit_places::get().of[which]) + static_cast<std::uint16_t>(place | refusals::malformed);
  __builtin_memcpy(refused.next, &found, 16);
  refused.next += __builtin_popcount(which);
}

#if !defined(HEADRACE_SMALL)
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

// As many groups as have no token of more than eight bytes. What is wrong is malformed, but for a plus, and a minus
// where the type has none: then the scalar function looks at the token.
template <unsigned Width>
__attribute__((noinline)) std::size_t convert_noting(const char* base, const std::uint16_t* edges, std::size_t done,
                                                     std::size_t count, char* out, integer_range range,
                                                     refusals& refused) noexcept {
  constexpr std::size_t group = vector_size / 4;
  const auto signs = places_of_signs(range);
  const std::uint64_t either = range.max_negative != 0 ? 0 : every_byte('+' ^ '-');
  for (; count - done >= group; done += group) {
    const std::uint16_t* const tokens = edges + 2 * done;
    const dwords pairs = dwords(load(tokens));
    const dwords lengths = (dwords(qwords(pairs) >> 16) & 0xffff) - (pairs & 0xffff);
    if (unlikely(mask_of_bytes(bytes(lengths > 8)) != 0)) break;
    const digit_block a = load_digits(base, tokens, lengths, 0, every_byte(4));
    const digit_block b = load_digits(base, tokens + 4, lengths, every_byte(8), every_byte(12));
    store_values<Width>(join_group(a, b), out + done * Width);
    const unsigned wrong = find_tokens(find_wrong(a, signs), find_wrong(b, signs));
    const bytes sign = all_bytes(every_byte('+' - '0' + 256) | either), same = all_bytes(either);
    const bytes has_sign = bytes((a.digits | same) == sign) | bytes((b.digits | same) == sign);
    if (unlikely(mask_of_bytes(has_sign) != 0)) {
      convert_or_note<Width>(base, edges, done, wrong, out, range, refused);
      continue;
    }
    note_malformed(wrong, done, refused);
  }
  return done;
}
#endif
