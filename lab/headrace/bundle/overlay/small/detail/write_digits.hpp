// Three digits at a time are less code than six or sixteen.
namespace headrace::HEADRACE_ABI::detail {

HEADRACE_INLINE char* write_nine(char* to, std::uint32_t value) noexcept {
  to = write_three(write_three(to, value / 1000000), value / 1000 % 1000);
  return write_three(to, value % 1000);
}

HEADRACE_INLINE char* write_below_billion(char* to, std::uint32_t value) noexcept {
  if (value < 1000) return write_leading(to, value);
  const std::uint32_t thousands = value / 1000;
  to = thousands < 1000 ? write_leading(to, thousands)
                        : write_three(write_leading(to, thousands / 1000), thousands % 1000);
  return write_three(to, value % 1000);
}

inline char* write_long(char* to, std::uint64_t value) noexcept {
  const std::uint64_t upper = value / billion;
  to = upper < billion ? write_below_billion(to, std::uint32_t(upper))
                       : write_nine(write_leading(to, upper / billion), std::uint32_t(upper % billion));
  return write_nine(to, std::uint32_t(value % billion));
}

inline char* write_eighteen(char* to, std::uint64_t value) noexcept {
  return write_nine(write_nine(to, std::uint32_t(value / billion)), std::uint32_t(value % billion));
}

}  // namespace headrace::HEADRACE_ABI::detail
