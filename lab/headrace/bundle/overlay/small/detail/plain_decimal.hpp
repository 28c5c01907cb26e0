// As in parse_float.hpp.
namespace headrace::HEADRACE_ABI::detail {

HEADRACE_INLINE const char* parse_plain(const char* first, const number_head& head, plain_decimal& number) noexcept {
  const digit_joiner& k = joiner_in_memory();
  const std::uint64_t text = head.digits, wrong = k.not_digits(text);
  number.exponent = 0;
  if (unlikely(wrong == 0)) {  // a whole number of eight to fifteen digits
    const std::uint64_t more = load_eight(first + 8) ^ k.to_digits[0], end = k.not_digits(more);
    if (unlikely(end == 0)) return nullptr;
    const unsigned bits = bits_before(end);
    const std::uint64_t whole = k.join(text) * powers_of_ten[bits / 8] + k.join(more << 8 << (56 - bits));
    first += 8 + bits / 8;
    number.significand = whole;
    if (likely(*first != '.')) return first;
    return nullptr;
  }
  const auto point = static_cast<unsigned>(__builtin_ctzll(wrong));  // 7 and 8 for each byte before it
  const std::uint64_t after = wrong & (wrong - 1);
  if (unlikely(after != 0) || unlikely(first[point / 8] != '.')) {
    const unsigned least_bits = 1 + 8 * static_cast<unsigned>(head.negative);
    const unsigned whole = point & ~7u;
    if (first[point / 8] != '.') {  // one of up to seven
      if (unlikely(whole < least_bits)) return nullptr;
      number.significand = k.join_first(text, whole);
      return first + whole / 8;
    }
    const unsigned bits = bits_before(after);
    if (unlikely(bits < 8 + least_bits)) return nullptr;
    number.significand = k.join_first(close_point(text, wrong & (0 - wrong)), bits);
    number.exponent = -static_cast<int>((bits - whole) / 8 - 1);
    return first + bits / 8;
  }
  // 1. without the point: the first byte becomes a leading zero
  std::uint64_t sum = k.join(close_point(text, wrong));
  std::int64_t exponent = static_cast<std::int64_t>(point / 8) - 7;
  // 2. up to eight more, or up to fifteen
  std::uint64_t more = load_eight(first + 8) ^ k.to_digits[0], end = k.not_digits(more);
  first += 8;
  if (likely(end == 0)) {
    sum = sum * 100000000 + k.join(more);
    exponent -= 8;
    first += 8;
    more = load_eight(first) ^ k.to_digits[0];
    end = k.not_digits(more);
    if (unlikely(end == 0)) return nullptr;
  }
  const auto rest = static_cast<unsigned>(__builtin_ctzll(end));
  const std::uint64_t count = rest / 8;
  if (unlikely(rest > 39 && sum >= powers_of_ten[19 - count])) return nullptr;
  number.significand = sum * powers_of_ten[count] + k.join(more << 8 << (63 - rest));
  number.exponent = exponent - static_cast<std::int64_t>(count);
  return first + count;
}

}  // namespace headrace::HEADRACE_ABI::detail
