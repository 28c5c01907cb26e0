// What the CMake target headrace::compiled takes out of every translation unit: compiled once, with
// HEADRACE_COMPILED defined as 1 like every file that uses it.
#include <headrace/headrace.hpp>

#include <headrace/detail/copy_impl.hpp>
#include <headrace/detail/format_float_impl.hpp>
#include <headrace/detail/simd/format.hpp>
#include <headrace/detail/simd/kernels.hpp>

#if !HEADRACE_COMPILED
#error "compile src/headrace.cpp, and every file that is linked with it, with -DHEADRACE_COMPILED=1"
#endif

namespace headrace {
inline namespace HEADRACE_ABI {

template std::uint64_t copy<detail::copy_calls>(copy_source, copy_sink, const copy_options&);

template format_result format(char*, char*, float, float_style, int) noexcept;
template format_result format(char*, char*, double, float_style, int) noexcept;
template format_result format(char*, char*, long double, float_style, int) noexcept;

namespace detail {

#if defined(__clang__)  // which otherwise registers even an empty destructor
[[clang::no_destroy]]
#endif
immortal<reader> standard_input{0, "<stdin>"};
#if defined(__clang__)  // which otherwise registers even an empty destructor
[[clang::no_destroy]]
#endif
HEADRACE_CONSTINIT immortal<writer> standard_output;

template std::size_t index_tokens(const char*, std::size_t, token*) noexcept;
template std::size_t index_newlines(const char*, std::size_t, std::uint16_t*) noexcept;

template std::size_t convert_integers(const char*, const token*, std::size_t, int*) noexcept;
template std::size_t convert_integers(const char*, const token*, std::size_t, unsigned*) noexcept;
template std::size_t convert_integers(const char*, const token*, std::size_t, long*) noexcept;
template std::size_t convert_integers(const char*, const token*, std::size_t, unsigned long*) noexcept;
template std::size_t convert_integers(const char*, const token*, std::size_t, long long*) noexcept;
template std::size_t convert_integers(const char*, const token*, std::size_t, unsigned long long*) noexcept;

template char* write_float(char*, float) noexcept;
template char* write_float(char*, double) noexcept;
template char* write_float(char*, long double) noexcept;
template format_result format_shortest(char*, char*, float) noexcept;
template format_result format_shortest(char*, char*, double) noexcept;
template format_result format_shortest(char*, char*, long double) noexcept;

template char* write_integers(char*, const signed char*, std::size_t, char) noexcept;
template char* write_integers(char*, const unsigned char*, std::size_t, char) noexcept;
template char* write_integers(char*, const short*, std::size_t, char) noexcept;
template char* write_integers(char*, const unsigned short*, std::size_t, char) noexcept;
template char* write_integers(char*, const int*, std::size_t, char) noexcept;
template char* write_integers(char*, const unsigned*, std::size_t, char) noexcept;
template char* write_integers(char*, const long*, std::size_t, char) noexcept;
template char* write_integers(char*, const unsigned long*, std::size_t, char) noexcept;
template char* write_integers(char*, const long long*, std::size_t, char) noexcept;
template char* write_integers(char*, const unsigned long long*, std::size_t, char) noexcept;
#if defined(__SIZEOF_INT128__)
template char* write_integers(char*, const int128*, std::size_t, char) noexcept;
template char* write_integers(char*, const uint128*, std::size_t, char) noexcept;
#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
