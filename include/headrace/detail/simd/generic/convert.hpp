// headrace/detail/simd/generic/convert.hpp: text that an instruction set includes into its namespace: stage 2;
// scalar.hpp has the contract. Needs vectors.hpp, load_last_8(), lookup(), is_clean(), mask_of_bytes(), max_signed(),
// even_dwords(), widen(), join_fours(), add_pairs_of_words(), pack_words(), and convert_mixed() for longer tokens.

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

// All bits of each qword without a minus.
HEADRACE_INLINE bytes find_unsigned(bytes digits) noexcept {
  return bytes(qwords(digits & all_bytes(every_byte(0x80))) == 0);
}

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

HEADRACE_INLINE dwords join_group(const digit_block& a, const digit_block& b) noexcept {
  const bytes fours = pack_words(join_fours(max_signed(a.digits, bytes{})), join_fours(max_signed(b.digits, bytes{})));
  const dwords sums = dwords(add_pairs_of_words(fours, all_bytes(0x0001271000012710)));
  const dwords unsigned_ones = even_dwords(find_unsigned(a.digits), find_unsigned(b.digits));
  return unsigned_ones - (sums ^ unsigned_ones);  // -1 - ~sum, or 0 - sum
}

// A group: a token for each dword of a vector, of up to eight bytes; or false.
//     text   42 -7 123 0        edges    pairs of begin and end, a dword each
//     1. load the 8 bytes that end with each token, subtract '0', zero what is before the token:  a b | c d
//     2. check
//     3. join pairs and fours, put both halves into one vector, join eights; negate; store
template <unsigned Width>
HEADRACE_INLINE bool convert_group(const char* base, const std::uint16_t* edges, char* out,
                                   integer_range range) noexcept {
  const dwords pairs = dwords(load(edges));
  const dwords lengths = (dwords(qwords(pairs) >> 16) & 0xffff) - (pairs & 0xffff);
  if (unlikely(mask_of_bytes(bytes(lengths > 8)) != 0)) return false;
  const digit_block a = load_digits(base, edges, lengths, 0, every_byte(4));
  const digit_block b = load_digits(base, edges + 4, lengths, every_byte(8), every_byte(12));
  const auto signs = places_of_signs(range);
  if (unlikely(!is_clean(a, signs) || !is_clean(b, signs))) return false;
  store_values<Width>(join_group(a, b), out);
  return true;
}

// As many as go a group at a time; without calls, so that constants stay in registers.
template <unsigned Width>
__attribute__((noinline)) std::size_t convert_groups(const char* base, const std::uint16_t* edges, std::size_t count,
                                                     char* out, integer_range range) noexcept {
  constexpr std::size_t group = vector_size / 4;
  std::size_t done = 0;
  while (done + group <= count && likely(convert_group<Width>(base, edges + 2 * done, out + done * Width, range))) {
    done += group;
  }
  return done;
}

template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                             integer_range range) noexcept {
  constexpr std::size_t group = vector_size / 4;
  std::size_t done = 0;
  for (;;) {
    done += convert_groups<Width>(base, edges + 2 * done, count - done, out + done * Width, range);
    if (count - done < group) break;
    const std::size_t longer = convert_mixed<Width>(base, edges + 2 * done, count - done, out + done * Width, range);
    done += longer;
    if (longer != 0) continue;
    // What neither takes is wrong, or so rare that one at a time will do.
    const std::size_t taken = scalar::convert_integers<Width>(base, edges + 2 * done, group, out + done * Width, range);
    done += taken;
    if (taken != group) return done;
  }
  return done + scalar::convert_integers<Width>(base, edges + 2 * done, count - done, out + done * Width, range);
}
