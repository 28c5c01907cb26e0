// headrace/replace/print_format.hpp: printf's formats, read at compile time. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../config.hpp"
#include "../detail/number_traits.hpp"
#include "literal.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// Text, and the conversion after it.
struct print_directive {
  std::size_t begin = 0;  // of the conversion, at its %
  std::size_t end = 0;    // after it
  char conversion = 0;    // 0: the format ends here; '?': one that is not known here
  std::size_t bytes = 0;  // of an integer argument
  bool left = false, zeros = false, rare_flags = false;
  int width = 0;
  int precision = -1;
};

// hh, h, l, ll, j, z, t at `at`: the bytes of an integer, or 0 for L and the like.
constexpr std::size_t take_length(const char* text, std::size_t& at) noexcept {
  switch (text[at++]) {
    case 'h':
      if (text[at] != 'h') return sizeof(short);
      ++at;
      return sizeof(char);
    case 'l':
      if (text[at] != 'l') return sizeof(long);
      ++at;
      return sizeof(long long);
    case 'j':
      return sizeof(std::intmax_t);
    case 'z':
      return sizeof(std::size_t);
    case 't':
      return sizeof(std::ptrdiff_t);
    case 'L':
    case 'q':
      return 0;
    default:
      --at;
      return sizeof(int);
  }
}

constexpr int longest_field = 4096;  // widths and precisions beyond it are the C library's

// A number at `at`; nothing is 0.
constexpr int take_field(const char* text, std::size_t& at) noexcept {
  int value = 0;
  for (; text[at] >= '0' && text[at] <= '9'; ++at)
    value = value > longest_field ? value : value * 10 + (text[at] - '0');
  return value;
}

constexpr bool has(const char* letters, char letter) noexcept {
  while (*letters != '\0' && *letters != letter) ++letters;
  return *letters != '\0';
}

// The directive at `at`. `text` ends with a zero.
constexpr print_directive print_directive_at(const char* text, std::size_t at) noexcept {
  print_directive found;
  while (text[at] != '\0' && text[at] != '%') ++at;
  found.begin = at;
  if (text[at] != '\0') {
    for (++at; text[at] == '-' || text[at] == '0' || text[at] == '+' || text[at] == ' ' || text[at] == '#'; ++at) {
      found.left |= text[at] == '-';
      found.zeros |= text[at] == '0';
      found.rare_flags |= text[at] == '+' || text[at] == ' ' || text[at] == '#';
    }
    found.width = take_field(text, at);
    if (text[at] == '.') {
      ++at;
      found.precision = take_field(text, at);
    }
    const std::size_t plain = at;
    found.bytes = take_length(text, at);
    constexpr const char *integers = "diuxXo", *floats = "fFeEgG", *others = "csp%";
    const char letter = text[at];
    const bool is_float = has(floats, letter) && (plain == at || (text[plain] == 'l' && plain + 1 == at));
    const bool is_known =
        is_float || (has(integers, letter) && found.bytes != 0) || (has(others, letter) && plain == at);
    found.conversion = is_known && (letter != '%' || at == found.begin + 1) ? letter : '?';
    if (letter != '\0') ++at;
  }
  found.end = at;
  return found;
}

// The directive of a format at `At`: a variable, so that the compiler reads it once.
template <class Spelt, std::size_t At>
inline constexpr print_directive print_directive_of = print_directive_at(literal<Spelt>.bytes, At);

// What an argument is when it is passed through an ellipsis.
template <class T, bool = std::is_arithmetic_v<T> || (std::is_enum_v<T> && std::is_convertible_v<T, int>)>
struct promoted_type {
  using type = T;
};
template <class T>
struct promoted_type<T, true> {
  using type = decltype(+T());
};
template <>
struct promoted_type<float, true> {
  using type = double;
};
template <class T>
using promoted = typename promoted_type<T>::type;

template <class T>
constexpr bool is_text_pointer =
    std::is_pointer_v<T> && is_one_of<std::remove_cv_t<std::remove_pointer_t<T>>, char, signed char, unsigned char>;

// Whether a value of type T is what the conversion takes.
template <class T>
constexpr bool is_taken_by(const print_directive& directive) noexcept {
  constexpr bool is_whole = std::is_integral_v<promoted<T>>;
  switch (directive.conversion) {
    case 'c':
      return is_whole && sizeof(promoted<T>) == sizeof(int);
    case 's':
      return is_text_pointer<T>;
    case 'p':
      return std::is_pointer_v<T>;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return std::is_same_v<promoted<T>, double>;
    default: {
      const std::size_t bytes = directive.bytes < sizeof(int) ? sizeof(int) : directive.bytes;
      return is_whole && sizeof(promoted<T>) == bytes;
    }
  }
}

// Whether the format, from `At` on, is known here and its arguments are what it takes. Everything else is the C
// library's, as it always was: %*d, positions (%1$d), %n, %m, wide text, a type that does not fit.
template <class Spelt, std::size_t At>
constexpr bool is_known_print() noexcept {
  constexpr print_directive next = print_directive_of<Spelt, At>;
  if constexpr (next.conversion == '%') {
    return is_known_print<Spelt, next.end>();
  } else {
    return next.conversion == 0;
  }
}
template <class Spelt, std::size_t At, class First, class... Rest>
constexpr bool is_known_print() noexcept {
  constexpr print_directive next = print_directive_of<Spelt, At>;
  if constexpr (next.conversion == 0) {
    return true;  // the other arguments are not looked at
  } else if constexpr (next.conversion == '%') {
    return is_known_print<Spelt, next.end, First, Rest...>();
  } else if constexpr (next.conversion == '?') {
    return false;
  } else {
    return is_taken_by<First>(next) && is_known_print<Spelt, next.end, Rest...>();
  }
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
