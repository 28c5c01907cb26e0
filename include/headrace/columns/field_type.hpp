// headrace/columns/field_type.hpp: what a table has to know of the type of a field. One body serves all types:
// it calls the functions that are listed here. Not for users.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "../reader.hpp"
#include "../detail/numbers.hpp"
#include "aggregate.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

struct skip;

namespace detail {

enum class field_class : unsigned char {
  skipped,
  text,  // a string_view of the buffer, or of what was unescaped
  value
};

struct field_type {
  field_class how;
  bool is_optional;
  bool has_point;      // a decimal comma concerns it
  unsigned char size;  // of a value while it waits
  // Fields of an index to values, one after the other; none is empty. Returns how many were converted: fewer only
  // before one that is no value. The text is in a buffer, and no separator could be a part of a number.
  std::size_t (*convert)(const char* base, const std::uint16_t* edges, std::size_t count, char* out) noexcept;
  // All of them, those that are no value noted; null: it stops at the first.
  void (*convert_or_note)(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                          refusals& refused) noexcept;
  // One field; nothing outside it is read.
  std::errc (*parse)(const char* first, const char* last, char* out) noexcept;
  value_kind wanted;
};

template <class T>
std::errc parse_field(const char* first, const char* last, char* out) noexcept {
  if constexpr (std::is_same_v<T, char>) {
    if (last - first != 1) return std::errc::invalid_argument;
    *out = *first;
    return std::errc{};
  } else {
    T value{};
    const std::errc code = parse_token(first, last, value);
    if (code == std::errc{}) {
      if constexpr (is_integer<T>) {
        const auto waiting = static_cast<ahead_t<T>>(value);
        std::memcpy(out, &waiting, sizeof waiting);
      } else {
        std::memcpy(out, &value, sizeof value);
      }
    }
    return code;
  }
}

template <class T>
std::size_t convert_fields(const char* base, const std::uint16_t* edges, std::size_t count, char* out) noexcept {
  if constexpr (is_converted_ahead<T>) {
    return number_type_of<T>.convert(number_type_of<T>, base, edges, count, out);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const token field = token_at(edges, i);
      const char* const first = base + field.begin;
      if constexpr (std::is_same_v<T, bool>) {
        if (likely(field.end - field.begin == 1 && (*first == '0' || *first == '1'))) {
          out[i] = *first == '1';
          continue;
        }
      }
      if (parse_field<T>(first, base + field.end, out + i * sizeof(T)) != std::errc{}) return i;
    }
    return count;
  }
}

#if !defined(HEADRACE_SMALL)
template <class T>
void note_fields(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                 refusals& refused) noexcept {
  number_type_of<T>.convert_or_note(number_type_of<T>, base, edges, count, out, refused);
}
#endif
template <class T>
constexpr auto find_noting() noexcept {
  decltype(field_type::convert_or_note) found = nullptr;
#if !defined(HEADRACE_SMALL)
  if constexpr (is_converted_ahead<T>) found = note_fields<T>;
#endif
  return found;
}

// What a field of a T holds, if anything.
template <class T, bool = is_optional<T>>
struct field_value {
  using type = T;
};
template <class T>
struct field_value<T, true> {
  using type = typename T::value_type;
};
template <class T>
using field_value_t = typename field_value<T>::type;

// What waits for a T until its row is taken.
template <class T>
struct waiting_value {
  using type = T;
};
template <>
struct waiting_value<std::string> {
  using type = std::string_view;
};
template <class T>
using waiting_t = typename std::conditional_t<is_integer<T>, std::common_type<ahead_t<T>>, waiting_value<T>>::type;

template <class T>
constexpr field_type describe_field() noexcept {
  using value = field_value_t<T>;
  if constexpr (std::is_same_v<value, skip>) {
    return {field_class::skipped, false, false, 0, nullptr, nullptr, nullptr, {}};
  } else if constexpr (is_text<value>) {
    return {field_class::text, is_optional<T>, false,   sizeof(std::string_view),
            nullptr,           nullptr,        nullptr, {"text", 0, false}};
  } else {
    static_assert(
        is_integer<value> || is_float<value> || is_one_of<value, bool, char>,
        "headrace reads fields into numbers, bool, char, std::string, std::string_view, optionals of these and "
        "headrace::skip");
    return {field_class::value,    is_optional<T>,       is_float<value>,    sizeof(waiting_t<value>),
            convert_fields<value>, find_noting<value>(), parse_field<value>, find_kind<value>()};
  }
}
template <class T>
inline constexpr field_type field_type_of = describe_field<T>();

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
