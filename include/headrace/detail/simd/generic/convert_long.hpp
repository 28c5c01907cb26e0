// headrace/detail/simd/generic/convert_long.hpp: text that an instruction set of 16 bytes includes into its namespace:
// a token of up to twenty digits at a time, which is what convert.hpp does with longer ones. Needs the same.

// One token, or false: sixteen digits in a vector, up to four more in a general register.
template <unsigned Width>
HEADRACE_INLINE bool convert_long(const char* base, const std::uint16_t* edges, char* out,
                                  integer_range range) noexcept {
  const bool negative = base[edges[0]] == '-';
  const unsigned length = static_cast<unsigned>(edges[1] - edges[0]) - negative;
  if (unlikely(length - 1 >= 20)) return false;
  const bytes keep = bytes(signed_bytes(all_bytes(every_byte(length))) >
                           signed_bytes(in_each_lane(0x08090a0b0c0d0e0f, 0x0001020304050607)));
  const bytes digits = (load(base - 16 + edges[1]) - all_bytes(every_byte('0'))) & keep;
  if (unlikely(mask_of_bytes(digits | (digits + all_bytes(every_byte(0x76)))) != 0)) return false;
  const bytes fours = join_fours(digits);
  const std::uint64_t eights = qwords(add_pairs_of_words(pack_words(fours, fours), all_bytes(0x0001271000012710)))[0];
  std::uint64_t sum = (eights & 0xffffffff) * 100000000 + (eights >> 32);
  if (length > 16) {
    const std::uint64_t left = last_digits(base - 24 + edges[1], length - 16);
    const std::uint64_t high = join_eight_digits(left);
    if (not_digits(left) || high > 1843) return false;  // what is close to 2^64 is left to the scalar function
    sum += high * 10000000000000000u;
  }
  std::uint64_t value;
  if (unlikely(!apply_sign(sum, negative, range, value))) return false;
  store_value<Width>(out, value);
  return true;
}

template <unsigned Width>
__attribute__((noinline)) std::size_t convert_mixed(const char* base, const std::uint16_t* edges, std::size_t done,
                                                    std::size_t count, char* out, integer_range range) noexcept {
  const std::size_t first = done;
  while (done < count && likely(convert_long<Width>(base, edges + 2 * done, out + done * Width, range))) {
    ++done;
    if ((done - first) % 4 == 0 && edges[2 * done - 1] - edges[2 * done - 2] <= 8) break;
  }
  return done;
}
