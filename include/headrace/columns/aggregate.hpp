// headrace/columns/aggregate.hpp: the members of an aggregate, without a macro: they are counted by trying with
// how many values it can be initialised, and named by a structured binding (A. Polukhin, "Boost.PFR", 2016). Not for
// users.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

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

constexpr std::size_t max_members = 24;

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

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
