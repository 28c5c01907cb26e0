// headrace/detail/simd/dispatch_impl.hpp: the chosen kernel answers. Not for users.
#pragma once

#include "chosen_kernel.hpp"
#include "dispatch.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

HEADRACE_FUNC std::size_t index_tokens(const char* text, std::size_t size, std::uint16_t* edges) noexcept {
  return part_of_kernel<token_indexer>()(text, size, edges);
}

HEADRACE_FUNC std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* places) noexcept {
  return part_of_kernel<newline_indexer>()(text, size, places);
}

template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                             integer_range range, refusals* refused) noexcept {
  return part_of_kernel<integer_converter<Width>>()(base, edges, 0, count, out, range, refused);
}

template <class Float>
std::size_t convert_floats(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                           refusals* refused) noexcept {
  return part_of_kernel<float_converter<Float>>()(base, edges, count, out, refused);
}

template <unsigned Width>
bool scan_integers(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                   integer_range range, std::size_t& done) noexcept {
  const auto scan = part_of_kernel<integer_scanner<Width>>();
  if (scan != nullptr) done = scan(text, size, edges, out, room, range);
  return scan != nullptr;
}

template <class Float>
bool scan_floats(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                 std::size_t& done) noexcept {
  if (part_of_kernel<float_converter<Float>>() != scalar::convert_floats<Float>) return false;
  done = scan_float_tokens<Float>(text, size, edges, out, room);
  return true;
}

template <class Integer>
char* write_integers(char* to, const Integer* values, std::size_t count, char separator) noexcept {
  return part_of_kernel<integer_writer<Integer>>()(to, values, count, separator);
}

template <class Float>
char* write_floats(char* to, const Float* values, std::size_t count, char separator) noexcept {
  return part_of_kernel<float_writer<Float>>()(to, values, count, separator);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
