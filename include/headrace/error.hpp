// headrace/error.hpp: the two exceptions, and the only functions in the library that throw.
//
// Both derive from std::runtime_error; what() is one line as compilers print it:
//   <stdin>:3:17: expected an integer, found "12a"
//   out.txt: cannot write: No space left on device (65536 bytes arrived)
// With -fno-exceptions the same line goes to stderr and the program aborts.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "config.hpp"
#include "utf.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

// Where something stands in a source. Offset counts bytes from 0; line and column count from 1, a column in bytes.
struct position {
  std::uint64_t offset = 0;
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

// What a reader reports. The code is
//   invalid_argument     the token is not of the type that was asked for
//   result_out_of_range  it is, but its value does not fit
//   no_message           the input ended
//   any other            the system's own error from open or read
class input_error : public std::runtime_error {
 public:
  input_error(const std::string& message, std::errc code, position where, std::string token)
      : std::runtime_error(message), code_(code), where_(where), token_(static_cast<std::string&&>(token)) {}

  std::errc code() const noexcept { return code_; }
  std::uint64_t offset() const noexcept { return where_.offset; }
  std::uint64_t line() const noexcept { return where_.line; }
  std::uint64_t column() const noexcept { return where_.column; }
  // The offending token, at most its first 64 bytes; empty at the end of input.
  const std::string& token() const noexcept { return token_; }
  bool at_end() const noexcept { return code_ == std::errc::no_message; }

 private:
  std::errc code_;
  position where_;
  std::string token_;
};

// What a writer or a copy reports: the system's code, and how many bytes reached the sink before it failed.
class output_error : public std::runtime_error {
 public:
  output_error(const std::string& message, std::errc code, std::uint64_t arrived)
      : std::runtime_error(message), code_(code), arrived_(arrived) {}
  output_error(const char* message, std::errc code, std::uint64_t arrived)
      : std::runtime_error(message), code_(code), arrived_(arrived) {}

  std::errc code() const noexcept { return code_; }
  std::uint64_t arrived() const noexcept { return arrived_; }

 private:
  std::errc code_;
  std::uint64_t arrived_;
};

namespace detail {

// Throws an Error made of the arguments, or prints its line and aborts where exceptions are off. The single place
// where either happens.
template <class Error, class... Arguments>
[[noreturn]] HEADRACE_COLD void raise(const Arguments&... arguments) {
#if HEADRACE_EXCEPTIONS
  throw Error(arguments...);
#else
  std::fprintf(stderr, "%s\n", Error(arguments...).what());
  std::abort();
#endif
}

// How many bytes at the front of `text`, which is not empty, a person can see as they are: a character of ASCII or a
// letter of valid UTF-8. 0 for a control character, for a byte order mark, which nobody sees, and for all else.
inline std::size_t visible_letter(std::string_view text) noexcept {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f;
  utf8_sequence sequence = begin_utf8(first);
  const std::size_t size = static_cast<std::size_t>(sequence.following) + 1;
  if (size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    const auto follower = static_cast<unsigned char>(text[i]);
    if (follower < sequence.low || follower > sequence.high) return 0;
    sequence.code = sequence.code << 6 | (follower & 0x3fu);
    sequence.low = 0x80;
    sequence.high = 0xbf;
  }
  return sequence.code < 0xa0 || sequence.code == 0xfeff ? 0 : size;  // below U+00A0 are controls
}

// Text as a person can read it in one line: quoted, cut behind the letter with the byte at `limit`; quotes, and bytes
// that are no visible letter, escaped.
inline std::string quoted(std::string_view text, std::size_t limit = 40) {
  std::string result = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < limit) {
    const std::size_t size = visible_letter(text.substr(at));
    if (size == 0) {
      const char* digits = "0123456789abcdef";
      const auto code = static_cast<unsigned char>(text[at++]);
      result += "\\x";
      result += digits[code >> 4];
      result += digits[code & 15];
      continue;
    }
    if (text[at] == '"' || text[at] == '\\') result += '\\';
    result.append(text.data() + at, size);
    at += size;
  }
  result += at < text.size() ? "\"..." : "\"";
  return result;
}

inline const char* system_message(int code) {
#if HEADRACE_WINDOWS
  if (code == ENOBUFS) return "No buffer space available";  // younger than its C library
#endif
  return std::strerror(code);
}

// Pieces of text as one. Not a std::string: its code would be half of a small program that only might fail to write.
class message {
 public:
  HEADRACE_COLD message(std::initializer_list<std::string_view> pieces) noexcept {
    std::size_t size = 1;
    for (std::string_view piece : pieces) size += piece.size();
    text_ = static_cast<char*>(std::malloc(size));
    if (text_ == nullptr) return;
    char* to = text_;
    for (std::string_view piece : pieces) {
      for (char byte : piece) *to++ = byte;
    }
    *to = '\0';
  }
  message(const message&) = delete;
  ~message() { std::free(text_); }

  const char* c_str() const noexcept { return text_ != nullptr ? text_ : "out of memory"; }
  operator std::string_view() const noexcept { return c_str(); }

 private:
  char* text_;
};

// The same as a string. (A chain of operator+ would instantiate a template for each pair of types.)
HEADRACE_COLD inline std::string join(std::initializer_list<std::string_view> pieces) {
  return message(pieces).c_str();
}

// The digits of a number, for messages.
class digits_of {
 public:
  explicit digits_of(std::uint64_t number) noexcept {
    do {
      *--first_ = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
  }
  digits_of(const digits_of&) = delete;
  operator std::string_view() const noexcept {
    return {first_, static_cast<std::size_t>(text_ + sizeof text_ - first_)};
  }

 private:
  char text_[20];
  char* first_ = text_ + sizeof text_;
};

[[noreturn]] HEADRACE_COLD inline void raise_input_system_error(const std::string& name, const char* action, int code) {
  raise<input_error>(join({name, ": cannot ", action, ": ", system_message(code)}), static_cast<std::errc>(code),
                     position{0, 0, 0}, std::string());
}

HEADRACE_COLD inline message output_message(std::string_view name, const char* action, int code,
                                            std::uint64_t arrived) noexcept {
  return {name,
          ": cannot ",
          action,
          ": ",
          system_message(code),
          " (",
          digits_of(arrived),
          arrived == 1 ? " byte arrived)" : " bytes arrived)"};
}

[[noreturn]] HEADRACE_COLD inline void raise_output_error(std::string_view name, const char* action, int code,
                                                          std::uint64_t arrived) {
  raise<output_error>(output_message(name, action, code, arrived).c_str(), static_cast<std::errc>(code), arrived);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
