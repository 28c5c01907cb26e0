// headrace/columns/fields.hpp: the types of the fields of a row: what a table has to know of each, and the members of
// an aggregate. Not for users.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../reader.hpp"
#include "../detail/number_functions.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

struct skip;
struct text;

namespace detail {

// ---- the members of an aggregate ----

// Without a macro: they are counted by trying with how many values it can be initialised, and named by a structured
// binding (A. Polukhin, "Boost.PFR", 2016).

// Has value_type, has_value() and reset(): std::optional and what is made like it.
template <class T, class = void>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<T, std::void_t<typename T::value_type, decltype(std::declval<const T&>().has_value()),
                                          decltype(std::declval<T&>().reset())>> = true;

// Converts to any type of member. Not to an optional that takes anything as its value, as std::optional does: there
// would be two ways.
struct any_value {
  template <class T, class = std::enable_if_t<!is_optional<T>>>
  operator T() const noexcept;  // never called
};
template <std::size_t>
struct any_member {
  template <class T, class = std::enable_if_t<!is_optional<T> || !std::is_convertible_v<any_value, T>>>
  operator T() const noexcept;  // never called
};

template <class T, class Members, class = void>
constexpr bool takes_members = false;
template <class T, std::size_t... Index>
constexpr bool takes_members<T, std::index_sequence<Index...>, std::void_t<decltype(T{any_member<Index>{}...})>> = true;

inline constexpr std::size_t max_members = 24;

template <class T, std::size_t Count = max_members + 1>
constexpr std::size_t count_members() noexcept {
  if constexpr (Count == 0 || takes_members<T, std::make_index_sequence<Count>>) {
    return Count;
  } else {
    return count_members<T, Count - 1>();
  }
}

// References to the members, as a tuple.
template <class T>
constexpr auto tie_members(T& value) noexcept {
  constexpr std::size_t count = count_members<std::remove_const_t<T>>();
  static_assert(count >= 1 && count <= max_members,
                "headrace reads aggregates of 1 to 24 members: name the types of more fields, as in rows<A, B, ...>");
  // clang-format off
  if constexpr (count == 1) { auto& [a] = value; return std::tie(a); }
  else if constexpr (count == 2) { auto& [a, b] = value; return std::tie(a, b); }
  else if constexpr (count == 3) { auto& [a, b, c] = value; return std::tie(a, b, c); }
  else if constexpr (count == 4) { auto& [a, b, c, d] = value; return std::tie(a, b, c, d); }
  else if constexpr (count == 5) { auto& [a, b, c, d, e] = value; return std::tie(a, b, c, d, e); }
  else if constexpr (count == 6) { auto& [a, b, c, d, e, f] = value; return std::tie(a, b, c, d, e, f); }
  else if constexpr (count == 7) { auto& [a, b, c, d, e, f, g] = value; return std::tie(a, b, c, d, e, f, g); }
  else if constexpr (count == 8) { auto& [a, b, c, d, e, f, g, h] = value; return std::tie(a, b, c, d, e, f, g, h); }
  else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value; return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value; return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (count == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (count == 18) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (count == 19) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else if constexpr (count == 20) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  } else if constexpr (count == 21) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  } else if constexpr (count == 22) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  } else if constexpr (count == 23) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  } else if constexpr (count == 24) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
  } else {
    return std::tuple<>();
  }
  // clang-format on
}

// ---- the type of a field ----

enum class field_class : unsigned char {
  skipped,
  text,  // a string_view of the buffer, or of what was unescaped
  value
};

struct field_type {
  field_class how;
  bool is_optional;
  bool has_point;             // a decimal comma concerns it
  unsigned char size;         // of a value while it waits
  const number_type* number;  // of a value: how many are converted at once
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
    const std::errc code = parse_value(first, last, value);
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

// Types that are not converted ahead: one field after the other.
template <class T>
std::size_t convert_each(const number_type&, const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                         refusals* refused) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const token field = token_at(edges, i);
    const char* const first = base + field.begin;
    if constexpr (std::is_same_v<T, bool>) {
      if (likely(field.end - field.begin == 1 && (*first == '0' || *first == '1'))) {
        out[i] = *first == '1';
        continue;
      }
    }
    const std::errc code = parse_field<T>(first, base + field.end, out + i * sizeof(T));
    if (likely(code == std::errc{})) continue;
    if (refused == nullptr) return i;
    refused->note(i, code);
  }
  return count;
}
template <class T>
constexpr number_type describe_value() noexcept {
  if constexpr (is_converted_ahead<T>) {
    return number_type_of<T>;
  } else {
    number_type type{};
    type.convert = convert_each<T>;
    return type;
  }
}
template <class T>
inline constexpr number_type value_type_of = describe_value<T>();

// A field of a T holds this, if anything.
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

// Waits for a T until its row is taken.
template <class T>
using waiting_t = std::conditional_t<is_integer<T>, ahead_t<T>,
                                     std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>>;

template <class T>
constexpr field_type describe_field() noexcept {
  using value = field_value_t<T>;
  if constexpr (std::is_same_v<value, skip>) {
    return {field_class::skipped, false, false, 0, nullptr, nullptr, {}};
  } else if constexpr (is_text<value> || std::is_same_v<value, text>) {
    return {field_class::text, is_optional<T>, false, sizeof(std::string_view), nullptr, nullptr, {"text", 0, false}};
  } else {
    static_assert(
        is_integer<value> || is_float<value> || is_one_of<value, bool, char> || has_io_parse<value>,
        "headrace reads fields into numbers, bool, char, std::string, std::string_view, types with io<T>::parse(), "
        "optionals of these and headrace::skip");
    static_assert(
        std::is_trivially_copyable_v<value> && sizeof(value) <= 255,
        "headrace reads a field with io<T>::parse() into a T that is trivially copyable, of at most 255 bytes");
    return {field_class::value,    is_optional<T>,     is_float<value>,   sizeof(waiting_t<value>),
            &value_type_of<value>, parse_field<value>, find_kind<value>()};
  }
}
template <class T>
inline constexpr field_type field_type_of = describe_field<T>();

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
