// headrace/detail/simd/generic/convert_floats.hpp: text that an instruction set includes into its namespace: stage 2
// for floats, `lanes` tokens at a time; scalar.hpp has the contract. Needs convert_plain(), which returns the lanes
// that are left to others, `all_lanes` where a group is not for it, and says which of them are certainly malformed, and
// convert_any(), which takes every group.

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

// A group to `out`; false: only those before the one that is no number. What is after it goes there, too, only where
// somebody wants to know what of it there is.
template <class Float>
HEADRACE_INLINE bool store_group(const char* base, const std::uint16_t* edges, tokens_left left, Float* group,
                                 char* out, tokens_left* rest, std::size_t& done) noexcept {
  const std::size_t good = likely(left.all == 0) ? lanes : convert_rest(base, edges, left, group);
  done += good;
  if (likely(good == lanes) || rest != nullptr) std::memcpy(out, group, lanes * sizeof(Float));
  if (likely(good == lanes)) return true;
  if (rest == nullptr) {
    std::memcpy(out, group, good * sizeof(Float));
  } else {
    *rest = {left.all >> good, left.malformed >> good, static_cast<unsigned>(lanes - good)};
  }
  return false;
}

// A group that is not for convert_plain(), and those after it as long as they have exponents. Adds how many tokens were
// taken to `done`; false: the next one is no number.
template <class Float>
__attribute__((noinline)) bool convert_others(const char* base, const std::uint16_t* edges, std::size_t count,
                                              char* out, tokens_left* rest, std::size_t& done) noexcept {
  bool exponents = true;
  for (; exponents && count >= lanes; count -= lanes, edges += 2 * lanes, out += lanes * sizeof(Float)) {
    Float group[lanes];
    const tokens_left left = convert_any(base, edges, group, exponents);
    if (!store_group(base, edges, left, group, out, rest, done)) return false;
  }
  return true;
}

// At least `lanes` tokens.
template <class Float>
HEADRACE_INLINE std::size_t convert_groups_of_floats(const char* base, const std::uint16_t* edges, std::size_t count,
                                                     char* out, tokens_left* rest) noexcept {
  std::size_t done = 0;
  for (;;) {
    const std::uint16_t* const tokens = edges + 2 * done;
    char* const to = out + done * sizeof(Float);
    Float group[lanes];  // and not `out`, in which nothing changes from the first token on that is no number
    lane_mask malformed = 0;
    const unsigned left = convert_plain(base, tokens, group, malformed);
    const bool good = likely(left != all_lanes)
                          ? store_group(base, tokens, {left, malformed, lanes}, group, to, rest, done)
                          : convert_others<Float>(base, tokens, count - done, to, rest, done);
    if (unlikely(!good) || done == count) return done;
    if (count - done < lanes) done = count - lanes;  // the last group, of which some were done before
  }
}
