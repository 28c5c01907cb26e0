// headrace/bench/errors.hpp: what a wrong use says, and how it is reported. Not for users.
#pragma once

#include "suite.hpp"

#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

[[noreturn]] HEADRACE_BENCH_INLINE void give_up(std::initializer_list<std::string_view> pieces, bool misused) {
  const std::string sentence = join(pieces);
#ifdef __cpp_exceptions
  if (misused) throw std::invalid_argument(sentence);
  throw std::runtime_error(sentence);
#else
  static_cast<void>(misused);
  std::fprintf(stderr, "headrace::bench: %s\n", sentence.c_str());
  abort();
#endif
}

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
