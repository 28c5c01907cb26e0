// headrace/detail/error_base.hpp: what both exceptions are: a std::system_error, whose what() they replace by the
// library's own line. Where exceptions are off, a class with code() that needs nothing of the C++ runtime library until
// that is called. Not for users.
#pragma once

#include <system_error>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

enum class errc;

namespace detail {

// What messages call a type.
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

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
