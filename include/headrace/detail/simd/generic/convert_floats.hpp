// headrace/detail/simd/generic/convert_floats.hpp: text that an instruction set includes into its namespace: stage 2
// for floats, `lanes` tokens at a time; scalar.hpp has the contract. Needs convert_plain() and
// convert_with_exponents(), which return the lanes that are left to others: `all_lanes` where a group is not for them.

// The lanes of a group that are left, one at a time. Returns how many of the group are numbers before one that is none.
template <class Float>
__attribute__((noinline)) std::size_t convert_rest(const char* base, const std::uint16_t* edges, tokens_left left,
                                                   Float* out) noexcept {
  for (unsigned rest = left.all; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(__builtin_ctz(rest));
    if ((left.malformed >> i & 1) != 0) return i;
    if (scalar::convert_floats<Float>(base, edges + 2 * i, 1, reinterpret_cast<char*>(out + i), nullptr) == 0) return i;
  }
  return lanes;
}

// At least `lanes` tokens.
template <class Float>
HEADRACE_INLINE std::size_t convert_groups_of_floats(const char* base, const std::uint16_t* edges, std::size_t count,
                                                     char* out, tokens_left* rest) noexcept {
  bool exponents = false;  // the last group had some
  std::size_t done = 0;
  for (;;) {
    const std::uint16_t* const tokens = edges + 2 * done;
    Float group[lanes];  // and not `out`, in which nothing changes from the first token on that is no number
    tokens_left left{all_lanes, 0};
    if (exponents) left = convert_with_exponents(base, tokens, group);
    exponents = left.all != all_lanes;
    if (!exponents) left = convert_plain(base, tokens, group);
    if (unlikely(left.all == all_lanes)) {
      left = convert_with_exponents(base, tokens, group);
      exponents = left.all != all_lanes;
    }
    const std::size_t good = likely(left.all == 0) ? lanes : convert_rest(base, tokens, left, group);
    if (unlikely(good != lanes)) {
      if (rest != nullptr) {
        std::memcpy(out + done * sizeof(Float), group, sizeof group);
        *rest = {left.all >> good, left.malformed >> good, static_cast<unsigned>(lanes - good)};
        return done + good;
      }
      std::memcpy(out + done * sizeof(Float), group, good * sizeof(Float));
      return done + good;
    }
    std::memcpy(out + done * sizeof(Float), group, sizeof group);
    done += lanes;
    if (done == count) return done;
    if (count - done < lanes) done = count - lanes;  // the last group, of which some were done before
  }
}
