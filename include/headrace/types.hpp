// headrace/types.hpp: which types the library reads and writes, and the one thing that a user extends.
//
// Integers are every signed and unsigned type of 8 to 128 bits; signed char and unsigned char (std::int8_t,
// std::uint8_t) are numbers, only char is a character. Floats are float, double and long double.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "config.hpp"
#include "detail/number_traits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {

class reader;
class writer;

// Specialise io<T> to read and write a type of your own:
//
//   template <> struct headrace::io<modular> {
//     static void read(reader& source, modular& value) { value = modular{source.read<long long>()}; }
//     static void write(writer& sink, const modular& value) { sink << value.residue(); }
//   };
//
// Either function may be absent. read() assigns to `value` last, so that an error leaves it as it was.
//
// A type whose text is one token has these instead; it is a field of rows, columns and matrices then, too
// (columns.hpp):
//
//   template <> struct headrace::io<version> {
//     static constexpr const char* expected = "a version (1.2)";  // as in: expected a version (1.2), found "x"
//     static std::errc parse(const char* first, const char* last, version& value) noexcept;
//     static constexpr std::size_t longest = 22;
//     static char* format(char* to, const version& value) noexcept;
//   };
//
// parse() is given a token or a field, and takes all of it: std::errc::invalid_argument where it is none,
// result_out_of_range where it fits no T; it assigns where it returns std::errc{}. format() writes at most `longest`
// bytes and returns where they end, or nullptr for a value that has no text: the writer throws output_error then.
// As a field T is trivially copyable, of at most 255 bytes.
template <class T, class Enable = void>
struct io;

template <class Integer>
struct based_integer;  // format.hpp: an integer in a base

namespace detail {

template <class T>
constexpr bool is_based = false;
template <class Integer>
constexpr bool is_based<based_integer<Integer>> = true;

template <class T, class = void>
constexpr bool has_io_read = false;
template <class T>
constexpr bool has_io_read<T, std::void_t<decltype(io<T>::read(std::declval<reader&>(), std::declval<T&>()))>> = true;

template <class T, class = void>
constexpr bool has_io_write = false;
template <class T>
constexpr bool has_io_write<T, std::void_t<decltype(io<T>::write(std::declval<writer&>(), std::declval<const T&>()))>> =
    true;

// A type whose text is one token.
template <class T, class = void>
constexpr bool has_io_parse = false;
template <class T>
constexpr bool has_io_parse<
    T, std::void_t<decltype(io<T>::parse(static_cast<const char*>(nullptr), nullptr, std::declval<T&>()))>> = true;

template <class T, class = void>
constexpr bool has_io_format = false;
template <class T>
constexpr bool
    has_io_format<T, std::void_t<decltype(io<T>::format(static_cast<char*>(nullptr), std::declval<const T&>()))>> =
        true;

// pair, tuple and array; found through std::tuple_size, so that <tuple> is the user's include, not ours.
template <class T, class = void>
constexpr bool is_tuple_like = false;
template <class T>
constexpr bool is_tuple_like<T, std::void_t<decltype(std::tuple_size<T>::value)>> = true;

template <class T>
using data_reference = decltype(*std::data(std::declval<T&>()));
template <class T>
using contiguous_element = std::remove_cv_t<std::remove_reference_t<data_reference<T>>>;

// Element i, as iterators give it, or else brackets; of what has neither, and of a matrix, whose brackets may not
// compile, as data() does.
template <class T>
HEADRACE_INLINE auto element_at(T& of, std::size_t i, int) -> decltype(std::begin(of)[static_cast<std::ptrdiff_t>(i)]) {
  return std::begin(of)[static_cast<std::ptrdiff_t>(i)];
}
template <class T, class = std::enable_if_t<!std::is_invocable_v<T&, std::size_t, std::size_t>>>
HEADRACE_INLINE auto element_at(T& of, std::size_t i, long) -> decltype(of[i]) {
  return of[i];
}
template <class T>
HEADRACE_INLINE data_reference<T> element_at(T& of, std::size_t i, ...) {
  return std::data(of)[i];
}

// Has std::data and std::size: vector, array, span, built-in array, string. Not what makes its elements of others, as a
// text_column does of bytes.
template <class T, class = void>
constexpr bool is_contiguous = false;
template <class T>
constexpr bool is_contiguous<T, std::void_t<data_reference<T>, decltype(std::size(std::declval<T&>()))>> =
    std::is_same_v<decltype(element_at(std::declval<T&>(), 0, 0)), data_reference<T>>;

// Whether its elements are one after the other from data() on: a view may pass over some, as every second one of a
// matrix does. Compilers know the answer for containers of the standard library.
template <class T>
HEADRACE_INLINE bool is_gapless(T& range) {
  const auto is_in_place = [&](std::size_t i) {
    return __builtin_addressof(element_at(range, i, 0)) == std::data(range) + i;
  };
  const auto size = static_cast<std::size_t>(std::size(range));
  return size == 0 || (is_in_place(0) && is_in_place(size - 1));
}

// Has no length of its own until it is given one: std::vector.
template <class T, class = void>
constexpr bool is_resizable = false;
template <class T>
constexpr bool is_resizable<T, std::void_t<decltype(std::declval<T&>().resize(std::size_t{}))>> = true;

// Holds one object that is never destroyed, so that destructors of other static objects may still use it. It is
// constant-initialised where T's default constructor is constexpr: usable before any constructor has run.
template <class T>
union immortal {
  T value;
  template <class... Arguments>
  constexpr explicit immortal(Arguments... arguments) noexcept : value(arguments...) {}
#if defined(__cpp_constexpr_dynamic_alloc)
  constexpr
#endif
      ~immortal() {
  }
};

template <class T>
constexpr bool is_text = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

// A resizable range that is no text, or something that is made of such.
template <class T>
constexpr bool find_open_length() noexcept;
template <class T, std::size_t... Index>
constexpr bool find_open_length(std::index_sequence<Index...>) noexcept {
  return (find_open_length<std::remove_reference_t<typename std::tuple_element<Index, T>::type>>() || ...);
}
template <class T>
constexpr bool find_open_length() noexcept {
  constexpr bool has_parts = !has_io_read<T> && !is_text<T>;
  if constexpr (has_parts && is_contiguous<T>) {
    if constexpr (is_resizable<T>) return true;
    return find_open_length<contiguous_element<T>>();
  } else if constexpr (has_parts && is_tuple_like<T>) {
    return find_open_length<T>(std::make_index_sequence<std::tuple_size<T>::value>{});
  } else {
    return false;
  }
}
template <class T>
constexpr bool has_open_length = find_open_length<T>();

// The language would turn these into an int, and nobody has a descriptor in them: bool, characters, floating point.
template <class T>
constexpr bool is_no_descriptor = std::is_floating_point_v<T> || (std::is_integral_v<T> && sizeof(T) == 1) ||
                                  is_one_of<T, wchar_t, char16_t, char32_t>;
template <class T>
constexpr int refuse_descriptor() noexcept {
  static_assert(sizeof(T) == 0, "a descriptor is an int: a bool, a character or a floating-point number is none");
  return -1;
}
template <class T>
using if_no_descriptor = std::enable_if_t<is_no_descriptor<T>>;

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
