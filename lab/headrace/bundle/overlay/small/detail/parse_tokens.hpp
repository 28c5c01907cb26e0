// A token that is not scanned takes a call.
namespace headrace::HEADRACE_ABI::detail {

HEADRACE_INLINE std::errc parse_integer_token(const char* first, const char* last, unsigned, integer_range range,
                                              std::uint64_t& value) noexcept {
  return parse_integer(first, last, range, value);
}

}  // namespace headrace::HEADRACE_ABI::detail
