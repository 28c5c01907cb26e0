// As in numbers.hpp.
namespace headrace::HEADRACE_ABI::detail {

namespace avx512 {

template <unsigned Width>
__attribute__((noinline)) std::size_t convert_unusual(const char* base, const std::uint16_t* edges, std::size_t done,
                                                      std::size_t count, char* out, integer_range range,
                                                      refusals* refused) noexcept {
  const bool is_longer = Width == 8 && has_longer(edges + 2 * done);  // 32 bits hold none, but for leading zeros
  std::size_t next = done;
  if (is_longer) next = convert_groups<Width, true, false>(base, edges, done, count, out, range, nullptr);
  return next != done ? next : scalar::convert_integers<Width>(base, edges, done, done + 8, out, range, refused);
}

}  // namespace avx512

}  // namespace headrace::HEADRACE_ABI::detail
