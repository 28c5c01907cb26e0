// headrace/detail/simd/generic/convert.hpp: text that an instruction set includes into its namespace: stage 2;
// scalar.hpp has the contract. Needs vectors.hpp, load_last_8(), load_last_16(), lookup(), is_clean(), mask_of_bytes(),
// add_pairs(), add_pairs_of_words(), pack_words(), max_signed(), even_dwords() and widen().

// `lengths` holds that of token i in dword i; `first` and `second`, in each of their bytes, say where the lengths of
// the two tokens are in the lane.
HEADRACE_INLINE digit_block load_digits(const char* base, const std::uint16_t* edges, dwords lengths,
                                        std::uint64_t first, std::uint64_t second) noexcept {
  const bytes text = load_last_8(base, edges);
  const bytes length_of_byte = lookup((bytes)lengths, in_each_lane(first, second));
  digit_block block;
  block.keep = (bytes)((signed_bytes)length_of_byte > (signed_bytes)all_bytes(0x0001020304050607));
  block.digits = (text - all_bytes(every_byte('0'))) & block.keep;
  return block;
}

// Pairs, then fours: four digits in each dword.
HEADRACE_INLINE bytes join_fours(bytes digits) noexcept {
  return add_pairs_of_words(add_pairs(digits, all_bytes(0x010a010a010a010a)), all_bytes(0x0001006400010064));
}

// All bits of each qword that has a minus.
HEADRACE_INLINE bytes find_signs(bytes digits) noexcept {
  return (bytes)((qwords)(digits & all_bytes(every_byte(0x80))) != 0);
}

// Stores the signed values unless one is out of range; eight digits fit 32 bits.
template <unsigned Width>
HEADRACE_INLINE bool store_values(dwords values, dwords negative, char* out, integer_range range) noexcept {
  if (unlikely(range.max_negative <= 99999999)) {  // unsigned, or narrower than 32 bits
    if (range.max_negative == 0 && mask_of_bytes((bytes)negative) != 0) return false;
    for (unsigned i = 0; i < vector_size / 4; ++i) {
      const std::int64_t value = values[i];
      if (value > 0 && static_cast<std::uint64_t>(value) > range.max) return false;
      if (value < 0 && static_cast<std::uint64_t>(-value) > range.max_negative) return false;
    }
  }
  if constexpr (Width == 8) {
    const qwords low = widen(values, 0), high = widen(values, 1);
    __builtin_memcpy(out, &low, vector_size);
    __builtin_memcpy(out + vector_size, &high, vector_size);
  } else {
    __builtin_memcpy(out, &values, vector_size);
  }
  return true;
}

// A group: a token for each dword of a vector, of up to eight bytes; or false.
//     text   42 -7 123 0        edges    pairs of begin and end, a dword each
//     1. load the 8 bytes that end with each token, subtract '0', zero what is before the token:  a b | c d
//     2. check
//     3. join pairs and fours, put both halves into one vector, join eights; negate; store
template <unsigned Width>
HEADRACE_INLINE bool convert_group(const char* base, const std::uint16_t* edges, char* out,
                                   integer_range range) noexcept {
  const dwords pairs = (dwords)load(edges);
  const dwords lengths = ((dwords)((qwords)pairs >> 16) & 0xffff) - (pairs & 0xffff);
  if (unlikely(mask_of_bytes((bytes)(lengths > 8)) != 0)) return false;
  const digit_block a = load_digits(base, edges, lengths, 0, every_byte(4));
  const digit_block b = load_digits(base, edges + 4, lengths, every_byte(8), every_byte(12));
  if (unlikely(!is_clean(a) || !is_clean(b))) return false;

  const bytes fours = pack_words(join_fours(max_signed(a.digits, bytes{})), join_fours(max_signed(b.digits, bytes{})));
  const dwords sums = (dwords)add_pairs_of_words(fours, all_bytes(0x0001271000012710));
  const dwords negative = even_dwords(find_signs(a.digits), find_signs(b.digits));
  return store_values<Width>((sums ^ negative) - negative, negative, out, range);
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

// A token per lane, of up to twenty bytes, or false: sixteen digits in a lane, up to four more in a general register.
template <unsigned Width>
HEADRACE_INLINE bool convert_long(const char* base, const std::uint16_t* edges, char* out,
                                  integer_range range) noexcept {
  constexpr unsigned count = vector_size / 16;
  unsigned char length[count];
  bool negative[count];
  for (unsigned i = 0; i < count; ++i) {
    const token next = token_at(edges, i);
    negative[i] = base[next.begin] == '-';
    const unsigned digits = static_cast<unsigned>(next.end - next.begin) - negative[i];
    if (unlikely(digits - 1 >= 20)) return false;
    length[i] = static_cast<unsigned char>(digits);
  }
  const bytes keep =
      (bytes)((signed_bytes)spread(length) > (signed_bytes)in_each_lane(0x08090a0b0c0d0e0f, 0x0001020304050607));
  const bytes digits = (load_last_16(base, edges) - all_bytes(every_byte('0'))) & keep;
  if (unlikely(mask_of_bytes(digits | (digits + all_bytes(every_byte(0x76)))) != 0)) return false;
  const bytes fours = join_fours(digits);
  const qwords eights = (qwords)add_pairs_of_words(pack_words(fours, fours), all_bytes(0x0001271000012710));
  for (unsigned i = 0; i < count; ++i) {
    std::uint64_t sum = (eights[2 * i] & 0xffffffff) * 100000000 + (eights[2 * i] >> 32);
    if (length[i] > 16) {
      const std::uint64_t left = last_digits(base + token_at(edges, i).end - 24, length[i] - 16u);
      const std::uint64_t high = join_eight_digits(left);
      if (not_digits(left) || high > 1843) return false;  // what is close to 2^64 is left to the scalar function
      sum += high * 10000000000000000u;
    }
    std::uint64_t value;
    if (unlikely(!apply_sign(sum, negative[i], range, value))) return false;
    store_value<Width>(out + i * Width, value);
  }
  return true;
}

// Where the next group has a token that is longer than eight bytes, or wrong: goes on until a group ends with a short
// one, which may begin a run of them. Returns how many were converted.
template <unsigned Width>
__attribute__((noinline)) std::size_t convert_mixed(const char* base, const std::uint16_t* edges, std::size_t count,
                                                    char* out, integer_range range) noexcept {
  constexpr std::size_t step = vector_size / 16, group = vector_size / 4;
  std::size_t done = 0;
  while (done + step <= count && likely(convert_long<Width>(base, edges + 2 * done, out + done * Width, range))) {
    done += step;
    if (done % group == 0 && edges[2 * done - 1] - edges[2 * done - 2] <= 8) break;
  }
  return done;
}

template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                             integer_range range) noexcept {
  std::size_t done = 0;
  const auto go_on = [&](auto convert, std::size_t most) {
    const std::size_t before = done;
    done += convert(base, edges + 2 * done, most, out + done * Width, range);
    return done != before;
  };
  for (;;) {
    bool advanced = go_on(convert_groups<Width>, count - done);
    advanced |= go_on(convert_mixed<Width>, count - done);
    if (!advanced && (done == count || !go_on(scalar::convert_integers<Width>, 1))) return done;
  }
}
