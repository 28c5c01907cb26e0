// headrace/error.hpp: the two exceptions that the library throws, and the codes of what is wrong with the input.
//
//   try { in >> n; }
//   catch (const headrace::input_error& error) {
//     if (error.code() == headrace::errc::out_of_range) ...          // the input's fault
//     if (error.code() == std::errc::no_such_file_or_directory) ...  // what the system said
//     std::fprintf(stderr, "%s\n", error.what());
//   }
//
// Both derive from std::system_error. what() is one line as compilers print it:
//   <stdin>:3:17: expected an integer, found "12a"
//   out.txt: cannot write: No space left on device (65536 bytes arrived)
// A code belongs to headrace::category() where the input is at fault or a wait was ended, and is an errno in
// std::generic_category() where the system spoke: no code means both. Copying an error neither throws nor allocates.
//
// With -fno-exceptions the same line goes to stderr and the program aborts. The two classes then have no base, and
// nothing of the C++ runtime library is used unless code() is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "config.hpp"
#include "detail/errors.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

// Why nothing could be read although the source works. Each code is equal to the std::errc named here, too.
enum class errc {
  malformed = 1,  // the token is not of the type that was asked for (std::errc::invalid_argument)
  out_of_range,   // it is, but its value does not fit (std::errc::result_out_of_range)
  end_of_input,   // there is nothing more (std::errc::no_message)
  interrupted,    // a signal ended a wait, and the reader was told not to go on (std::errc::interrupted)
  timed_out,      // nothing came in the time that the reader was given (std::errc::timed_out)
};

// The category of an errc; its name is "headrace".
const std::error_category& category() noexcept;
std::error_code make_error_code(errc code) noexcept;

// A place in a source. Offset counts bytes from 0; line and column count from 1, a column in bytes.
struct position {
  std::uint64_t offset = 0;
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

class input_error;

// The error of a reader, or of a copy whose source failed: a std::system_error. With an errc it says what is wrong with
// the input at that place; with a std::errc, how the system failed to open or read it.
class input_error : public detail::error_base {
 public:
  // From a text: a const char*, a std::string_view or a std::string.
  input_error(detail::message text, errc code, position where = {}, std::string_view token = {});
  input_error(detail::message text, std::errc code, position where = {}, std::string_view token = {});
  // "NAME:LINE:COLUMN: expected EXPECTED, found TOKEN", of which no word is put together before what() asks for it: a
  // program that passes over bad tokens pays for no text. The name of EXPECTED outlives the error, or is_final is true.
  input_error(std::string_view name, detail::value_kind expected, errc code, position where, std::string_view token,
              bool is_final = false);

  // The line. The first call may allocate; threads may call it at once.
  HEADRACE_FUNC const char* what() const noexcept;

  // 0 where a file cannot be opened.
  std::uint64_t offset() const noexcept { return where_.offset; }
  std::uint64_t line() const noexcept { return where_.line; }
  std::uint64_t column() const noexcept { return where_.column; }

  // The offending token, at most its first 64 bytes; empty at the end of input. It is valid as long as the error.
  std::string_view token() const noexcept { return {token_, token_size_}; }

  bool at_end() const noexcept { return reason_ == errc::end_of_input; }

 private:
  // All others make the error by this one.
  input_error(const detail::error_base& base, detail::message&& text, const position& where, errc reason,
              std::string_view token) noexcept;
  detail::message compose(std::string_view name) const noexcept;

  mutable detail::message text_;
  position where_;
  detail::value_kind expected_{};  // its name is null where the text is there
  errc reason_{};                  // 0: the system's
  unsigned char token_size_ = 0;
  unsigned char name_size_ = 0;
  char token_[64];
  char name_[54];  // of the source; of a longer one the text is composed at once
};

// The error of a writer, or of a copy whose sink failed: a std::system_error with the system's code, and how many bytes
// reached the sink before it failed.
class output_error : public detail::error_base {
 public:
  // From a text, as above.
  output_error(detail::message text, std::errc code, std::uint64_t arrived);

  const char* what() const noexcept { return text_.c_str(); }
  std::uint64_t arrived() const noexcept { return arrived_; }

 private:
  detail::message text_;
  std::uint64_t arrived_;
};

}  // namespace HEADRACE_ABI
}  // namespace headrace

template <>
struct std::is_error_code_enum<headrace::errc> : std::true_type {};

#if HEADRACE_COMPILED != 1
#include "detail/error_impl.hpp"
#endif
