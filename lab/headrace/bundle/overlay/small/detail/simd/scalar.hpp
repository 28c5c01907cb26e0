// Digit by digit, in the least text: it matters to 32-bit programs, as others have a kernel.
namespace headrace::HEADRACE_ABI::detail::scalar {

template <unsigned Width>
constexpr scan_function choose_scan() noexcept {
  return scan_digits<Width>;
}

}  // namespace headrace::HEADRACE_ABI::detail::scalar
