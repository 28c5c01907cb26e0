// headrace/detail/simd/generic/convert_floats.hpp: text that an instruction set includes into its namespace: stage 2
// for floats, `lanes` tokens at a time; scalar.hpp has the contract. Needs convert_plain(), which returns the lanes
// that are left to others, `all_lanes` where a group is not for it, and says which of them are certainly malformed, and
// convert_any(), which takes every group, and note_malformed(), which has no branch on how many there are.

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

// The same of the group at `place`; those that are no numbers are noted.
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

// At least `lanes` tokens.
template <class Float>
HEADRACE_INLINE std::size_t convert_groups_of_floats(const char* base, const std::uint16_t* edges, std::size_t count,
                                                     char* out, refusals* refused) noexcept {
  std::size_t done = 0;
  for (;;) {
    const std::uint16_t* const tokens = edges + 2 * done;
    char* const to = out + done * sizeof(Float);
    Float group[lanes];  // and not `out`, in which nothing changes from the first token on that is no number
    lane_mask malformed = 0;
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
