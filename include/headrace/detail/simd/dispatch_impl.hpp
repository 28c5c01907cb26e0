// headrace/detail/simd/dispatch_impl.hpp: the choice of a kernel. Not for users.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "dispatch.hpp"
#include "kernels.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

inline bool is_usable(unsigned kernel) noexcept {
  return kernel_table<kernel_runs_here>[kernel] != nullptr && kernel_table<kernel_runs_here>[kernel]();
}

// A wish that cannot be granted is a sentence on stderr, and the best kernel.
HEADRACE_COLD inline void refuse_kernel(const char* wanted, unsigned chosen) noexcept {
  std::fprintf(stderr,
               "headrace: HEADRACE_SIMD=%s is not a kernel that this machine runs; using %s. Choose one of:", wanted,
               kernel_table<kernel_name>[chosen]);
  for (unsigned i = 0; i < kernel_count; ++i) {
    if (is_usable(i)) std::fprintf(stderr, " %s", kernel_table<kernel_name>[i]);
  }
  std::fputc('\n', stderr);
}

HEADRACE_COLD inline unsigned choose_kernel() noexcept {
  unsigned best = 0;
  while (!is_usable(best)) ++best;  // the scalar one always is
  const char* wanted = std::getenv("HEADRACE_SIMD");
  if (wanted == nullptr || *wanted == '\0') return best;
  for (unsigned i = 0; i < kernel_count; ++i) {
    if (is_usable(i) && std::strcmp(wanted, kernel_table<kernel_name>[i]) == 0) return i;
  }
  refuse_kernel(wanted, best);
  return best;
}

// The choice plus one; 0 until it is made. Threads that race for it store the same value.
inline unsigned char chosen_kernel_code = 0;

// The chosen row of the table. Costs one load after the first call.
inline unsigned chosen_kernel() noexcept {
  unsigned code = __atomic_load_n(&chosen_kernel_code, __ATOMIC_RELAXED);
  if (unlikely(code == 0)) {
    code = choose_kernel() + 1;
    __atomic_store_n(&chosen_kernel_code, static_cast<unsigned char>(code), __ATOMIC_RELAXED);
  }
  return code - 1;
}

template <class Part>
HEADRACE_INLINE typename Part::type part_of_kernel() noexcept {
  return kernel_table<Part>[chosen_kernel()];
}

HEADRACE_FUNC std::size_t index_tokens(const char* text, std::size_t size, std::uint16_t* edges) noexcept {
  return part_of_kernel<token_indexer>()(text, size, edges);
}

HEADRACE_FUNC std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* places) noexcept {
  return part_of_kernel<newline_indexer>()(text, size, places);
}

template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                             integer_range range) noexcept {
  return part_of_kernel<integer_converter<Width>>()(base, edges, count, out, range);
}

template <unsigned Width>
bool scan_integers(const char* text, std::size_t size, std::uint16_t* edges, char* out, std::size_t room,
                   integer_range range, std::size_t& done) noexcept {
  const auto scan = part_of_kernel<integer_scanner<Width>>();
  if (scan != nullptr) done = scan(text, size, edges, out, room, range);
  return scan != nullptr;
}

template <class Integer>
char* write_integers(char* to, const Integer* values, std::size_t count, char separator) noexcept {
  return part_of_kernel<integer_writer<Integer>>()(to, values, count, separator);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
