// Nobody reads any.
namespace headrace::HEADRACE_ABI::detail {

template <class>
bool scan_to_floats(const number_type&, const char*, std::size_t, std::uint16_t*, char*, std::size_t,
                    std::size_t&) noexcept {
  return false;
}

}  // namespace headrace::HEADRACE_ABI::detail
