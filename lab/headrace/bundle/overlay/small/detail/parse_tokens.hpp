// More than eight digits take a call.
namespace headrace::HEADRACE_ABI::detail {

HEADRACE_INLINE std::errc parse_integer_token(const char* first, const char* last, char minus, integer_range range,
                                              std::uint64_t& value) noexcept {
  const bool negative = *first == minus;
  const auto length = static_cast<std::size_t>(last - first) - negative;
  if (unlikely(length - 1 >= 8) || !sixteen_characters::join_few(last, length, value)) {
    return parse_integer(first, last, range, value);
  }
  value = negative ? 0 - value : value;
  return std::errc{};
}

}  // namespace headrace::HEADRACE_ABI::detail
