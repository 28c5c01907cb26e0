// One way to a float where the library has a faster one for each shape.
namespace headrace::HEADRACE_ABI::detail {

template <class Float>
constexpr int max_exact_places = sizeof(Float) == 4 ? 10 : 18;

template <class Float>
HEADRACE_INLINE Float divide_exactly(std::int64_t significand, std::uint64_t places) noexcept {
  return static_cast<Float>(significand) / static_cast<Float>(static_cast<std::int64_t>(powers_of_ten[places]));
}

template <class Float, class Division>
HEADRACE_INLINE bool convert_plain(const plain_decimal& number, std::uint64_t negative, Division divides,
                                   typename float_format<Float>::bits& value) noexcept {
  typename float_format<Float>::bits bits;
  const auto places = static_cast<std::uint64_t>(-number.exponent);
  if (places <= max_exact_places<Float> && divides(number.significand)) {
    const auto quotient = divide_exactly<Float>(static_cast<std::int64_t>(number.significand), places);
    __builtin_memcpy(&bits, &quotient, sizeof bits);
  } else {
    return false;
  }
  value = bits | static_cast<decltype(bits)>(negative) << (sizeof bits * 8 - 1);
  return true;
}

template <class Float>
__attribute__((aligned(64))) parse_result parse_float(const char* first, const char* last, Float& value) noexcept {
  return parse_any_float<false>(first, last, value);
}

template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
HEADRACE_INLINE std::errc parse_token_in_buffer(const char* first, const char* last, Float& value) noexcept {
  return parse_float_token(first, last, value);
}

template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
HEADRACE_INLINE bool parse_token_in_turn(const char* first, const char* last, Float& value) noexcept {
  return parse_float_token(first, last, value) == std::errc{};
}

template <class Float>
std::size_t scan_float_tokens(const char* text, std::size_t size, std::uint16_t* edges, char* out,
                              std::size_t room) noexcept {
  std::size_t done = 0;
  for (const char *at = text, *const end = text + size; done != room && at != end; ++at) {
    if (is_whitespace(*at)) continue;
    Float value;
    const char* last = parse_longer(at, end, load_head(at), exact_division<true, Float>{}, value);
    if (unlikely(last == nullptr) || unlikely(!is_whitespace(*last))) {
      for (last = at; !is_whitespace(*last);) ++last;
      if (parse_rare_token(at, last, value) != std::errc{}) break;
    }
    __builtin_memcpy(out + done * sizeof value, &value, sizeof value);
    edges[2 * done] = static_cast<std::uint16_t>(at - text);
    edges[2 * done + 1] = static_cast<std::uint16_t>(last - text);
    ++done;
    at = last;
  }
  return done;
}

}  // namespace headrace::HEADRACE_ABI::detail
