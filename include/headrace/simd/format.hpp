// headrace/simd/format.hpp: integers in bulk, by the kernel that this machine runs best.
#pragma once

#include "../format.hpp"
#include "../simd.hpp"

namespace headrace::detail {

// Writes `count` integers in decimal, `separator` behind each, and returns the end. Room needed: count *
// (greatest_length<Integer> + 1) + integers_overshoot.
template <class Integer>
char* write_integers(char* to, const Integer* values, std::size_t count, char separator) noexcept {
  return write_integers_scalar(to, values, count, separator);
}

}  // namespace headrace::detail
