// What a kernel makes of an index of tokens, for any type of integer up to 64 bits, as a reader asks for it.
#pragma once

#include <headrace/detail/number_types.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace test {

using headrace::detail::token;

// One token in a buffer, as kernels leave it to the scalar one.
template <class Int>
std::errc parse_in_buffer(const char* first, const char* last, Int& value) {
  if constexpr (sizeof(Int) > 8) {
    return headrace::detail::parse_token(first, last, value);
  } else {
    std::uint64_t bits;
    const std::errc code = headrace::detail::parse_integer_token(first, last, headrace::detail::range_of<Int>, bits);
    if (code == std::errc{}) value = static_cast<Int>(bits);
    return code;
  }
}

// Tokens that were taken; `values` keep their value from there on.
template <class Int>
std::size_t convert(const char* base, const std::vector<token>& tokens, std::vector<Int>& values) {
  using waiting = headrace::detail::ahead_t<Int>;
  std::vector<std::uint16_t> edges;
  for (const token& next : tokens) edges.insert(edges.end(), {next.begin, next.end});
  std::vector<char> out(tokens.size() * sizeof(waiting) + 1);
  const auto& type = headrace::detail::number_type_of<Int>;
  const std::size_t done = type.convert(type, base, edges.data(), tokens.size(), out.data(), nullptr);
  for (std::size_t i = 0; i < done; ++i) {
    waiting value;
    std::memcpy(&value, out.data() + i * sizeof value, sizeof value);
    values[i] = static_cast<Int>(value);
  }
  return done;
}

}  // namespace test
