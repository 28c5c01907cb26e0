// headrace/detail/error_base.hpp: what both exceptions are: a std::system_error whose what() is the library's own line.
// Where exceptions are off, a class with the same functions that needs nothing of the C++ runtime library until code()
// is called. Not for users.
#pragma once

#include <system_error>

#include "../config.hpp"
#include "message.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

enum class errc;

namespace detail {

// What messages call a type.
struct value_kind {
  const char* name;
  unsigned char bits;  // of an integer, to name its range; else 0
  bool is_signed;
};

#if HEADRACE_EXCEPTIONS
class error_base : public std::system_error {
 public:
  const char* what() const noexcept override { return text_.c_str(); }

 protected:
  error_base(message&& text, errc code);
  error_base(message&& text, std::errc code);

  mutable message text_;
};
#else
class error_base {
 public:
  const char* what() const noexcept { return text_.c_str(); }
  std::error_code code() const noexcept;

 protected:
  error_base(message&& text, errc code) noexcept;
  error_base(message&& text, std::errc code) noexcept;

  mutable message text_;

 private:
  int code_;
  bool is_of_system_;
};
#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
