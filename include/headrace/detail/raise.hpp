// headrace/detail/raise.hpp: the functions that throw, or print their line and abort where exceptions are off. Not for
// users.
#pragma once

#include <cerrno>

#include "../error.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// "NAME: cannot ACTION: what the system says of CODE", an errno; of a sink with the bytes that arrived.
message input_message(std::string_view name, const char* action, int code) noexcept;
message output_message(std::string_view name, const char* action, int code, std::uint64_t arrived,
                       const char* end = "") noexcept;

// What was expected, with its range when the value was out of it: "an integer from 0 to 255".
message describe(value_kind kind, bool with_range) noexcept;

// NAME:LINE:COLUMN: what is wrong; or where the file could not be read again, NAME: at byte OFFSET: what is wrong.
message with_place(std::string_view name, const position& where, const message& fault) noexcept;

[[noreturn]] void print_and_abort(const char* line) noexcept;
[[noreturn]] void raise_input_error(const input_error& error);
[[noreturn]] void raise_input_error(message&& text, std::errc code, const position& where);
[[noreturn]] void raise_output_error(message&& text, std::errc code, std::uint64_t arrived);

// With the messages above.
[[noreturn]] void raise_input_system_error(std::string_view name, const char* action, int code);
[[noreturn]] void raise_output_error(std::string_view name, const char* action, int code, std::uint64_t arrived);

// A path or a FILE* of the caller's, which must not be null: std::fopen may have failed, or there was no argument.
template <class T>
HEADRACE_INLINE T* not_null_source(T* from, const char* action) {
  if (from == nullptr) raise_input_system_error("<nothing>", action, EINVAL);
  return from;
}
template <class T>
HEADRACE_INLINE T* not_null_sink(T* to, const char* action) {
  if (to == nullptr) raise_output_error("<nothing>", action, EINVAL, 0);
  return to;
}

constexpr const char* open_null_path = "open a null pointer as a path";
constexpr const char* read_null_stream = "read from a null FILE*";
constexpr const char* write_null_stream = "write to a null FILE*";

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
