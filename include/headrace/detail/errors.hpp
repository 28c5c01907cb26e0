// headrace/detail/errors.hpp: what errors are made of, and the functions that raise them: where exceptions are off,
// these print their line and abort. Not for users.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

#include "../config.hpp"
#include "message.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

enum class errc;
struct position;
class input_error;

namespace detail {

// Any value above 0 is the errno of a system call: the system's codes and ours never meet.
enum class status : int {
  ok = 0,
  malformed = -1,     // the token is not of the type that was asked for
  out_of_range = -2,  // it is, but its value does not fit
  end = -3,           // the input ended
  shrank = -4,        // a file ended before the size that it had when it was opened
  timed_out = -5,     // nothing came in the time that was given
  interrupted = -6,   // a signal came, which the reader was told to report
  overran = -7,       // an object says that it gave more bytes than it was asked for
  threw = -8,         // an object threw
  foreign = -9        // standard input is shared with a version that this one does not know
};

constexpr status system_status(int error) noexcept { return static_cast<status>(error); }

// The pure layers return a std::errc.
constexpr status status_of(std::errc code) noexcept {
  if (code == std::errc{}) return status::ok;
  return code == std::errc::invalid_argument ? status::malformed : status::out_of_range;
}

// Messages call a type by this name.
struct value_kind {
  const char* name;
  unsigned char bits;  // of an integer, to name its range; 1: a bool; else 0
  bool is_signed;
  unsigned char base = 10;
};

// The base of an exception, and what the base for a code is made of.
#if defined(__cpp_exceptions)
using error_base = std::system_error;
const std::system_error& base_of(errc code);
inline std::error_code base_of(std::errc code) noexcept { return std::make_error_code(code); }
#else
class error_base {
 public:
  constexpr error_base(int code, bool is_of_system) noexcept : code_(code), is_of_system_(is_of_system) {}
  std::error_code code() const noexcept;

 private:
  int code_;
  bool is_of_system_;
};
constexpr error_base base_of(errc code) noexcept { return {static_cast<int>(code), false}; }
constexpr error_base base_of(std::errc code) noexcept { return {static_cast<int>(code), true}; }
#endif

// ---- the functions that raise, and the words that they share ----

// "NAME: cannot ACTION: what the system says of CODE", an errno; of a sink with " (N bytes arrived". Then `end`.
message input_message(std::string_view name, const char* action, int code, const char* end = "") noexcept;
message output_message(std::string_view name, const char* action, int code, std::uint64_t arrived,
                       const char* end = ")") noexcept;

// Words what was expected, with its range when the value was out of it: "an integer from 0 to 255".
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

// ---- what a caller may not name an end by ----

template <bool IsSource>
[[noreturn]] HEADRACE_INLINE void refuse_end(std::string_view name, const char* action) {
  if constexpr (IsSource) {
    raise_input_system_error(name, action, EINVAL);
  } else {
    raise_output_error(name, action, EINVAL, 0);
  }
}

// A path or a FILE* of the caller's must not be null: std::fopen may have failed, or there was no argument.
inline constexpr const char* open_null_path = "open a null pointer as a path";
inline constexpr const char* read_null_stream = "read from a null FILE*";
inline constexpr const char* write_null_stream = "write to a null FILE*";
template <bool IsSource, class T>
HEADRACE_INLINE T* not_null(T* end, const char* action) {
  if (end == nullptr) refuse_end<IsSource>("<nothing>", action);
  return end;
}

// The path of a string. One with a NUL in it would open what the text before the NUL names.
template <bool IsSource, class Text>
HEADRACE_INLINE const char* whole_path(const Text& path) {
  if (std::strlen(path.c_str()) != path.size()) refuse_end<IsSource>(quoted(path), "open a path with a NUL in it");
  return path.c_str();
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
