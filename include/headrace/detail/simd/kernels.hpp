// headrace/detail/simd/kernels.hpp: every kernel, and the choice of one where tokens.hpp asks for work. Not for users.
#pragma once

#include "dispatch.hpp"
#include "scalar.hpp"

// What `headrace bundle` can leave out.
#if __has_include("sse41.hpp")
#include "sse41.hpp"
#else
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace sse41 = scalar;
}
#endif
#if __has_include("avx2.hpp")
#include "avx2.hpp"
#else
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 = scalar;
}
#endif
#if __has_include("avx512.hpp")
#include "avx512.hpp"
#else
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx512 = scalar;
}
#endif
#if __has_include("neon.hpp")
#include "neon.hpp"
#else
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace neon = scalar;
}
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

template <class Token>
std::size_t index_tokens(const char* text, std::size_t size, Token* tokens) noexcept {
  switch (chosen_kernel()) {
#if HEADRACE_X86
    case kernel::avx512:
      return avx512::index(text, size, tokens);
    case kernel::avx2:
      return avx2::index(text, size, tokens);
    case kernel::sse41:
      return sse41::index(text, size, tokens);
#elif HEADRACE_NEON
    case kernel::neon:
      return neon::index(text, size, tokens);
#endif
    default:
      return scalar::index(text, size, tokens);
  }
}

template <class Offset>
std::size_t index_newlines(const char* text, std::size_t size, Offset* out) noexcept {
  switch (chosen_kernel()) {
#if HEADRACE_X86
    case kernel::avx512:
      return avx512::index_newlines(text, size, out);
    case kernel::avx2:
      return avx2::index_newlines(text, size, out);
    case kernel::sse41:
      return sse41::index_newlines(text, size, out);
#elif HEADRACE_NEON
    case kernel::neon:
      return neon::index_newlines(text, size, out);
#endif
    default:
      return scalar::index_newlines(text, size, out);
  }
}

template <class Int>
std::size_t convert_integers(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  switch (chosen_kernel()) {
#if HEADRACE_X86
    case kernel::avx512:
      return avx512::convert(base, tokens, count, out);
    case kernel::avx2:
      return avx2::convert(base, tokens, count, out);
    case kernel::sse41:
      return sse41::convert(base, tokens, count, out);
#elif HEADRACE_NEON
    case kernel::neon:
      return neon::convert(base, tokens, count, out);
#endif
    default:
      return scalar::convert(base, tokens, count, out);
  }
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
