// What the CMake target headrace::headrace takes out of every translation unit: compiled once, with
// HEADRACE_COMPILED defined as 1 like every file that uses it.
#if !HEADRACE_COMPILED
#error "compile src/headrace.cpp, and every file that is linked with it, with -DHEADRACE_COMPILED=1"
#endif
#undef HEADRACE_COMPILED
#define HEADRACE_COMPILED 2  // the bodies are here
#include <headrace/headrace.hpp>
#if defined(__GLIBC__) && __has_include(<sys/single_threaded.h>)  // what replace_stdio.hpp needs
#define HEADRACE_HAS_STDIO 1
#include <headrace/replace/stdio_impl.hpp>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {

template std::uint64_t copy<detail::copy_calls>(copy_source, copy_sink, const copy_options&);

template format_result format(char*, char*, float, float_style, int) noexcept;
template format_result format(char*, char*, double, float_style, int) noexcept;
template format_result format(char*, char*, long double, float_style, int) noexcept;

// The types that reader.hpp and writer.hpp declare as compiled here.
template detail::status reader::fetch_in_turn(int&);
template detail::status reader::fetch_many(int*, std::size_t, std::size_t&);
template detail::status reader::fetch_in_turn(unsigned&);
template detail::status reader::fetch_many(unsigned*, std::size_t, std::size_t&);
template detail::status reader::fetch_in_turn(long&);
template detail::status reader::fetch_many(long*, std::size_t, std::size_t&);
template detail::status reader::fetch_in_turn(unsigned long&);
template detail::status reader::fetch_many(unsigned long*, std::size_t, std::size_t&);
template detail::status reader::fetch_in_turn(long long&);
template detail::status reader::fetch_many(long long*, std::size_t, std::size_t&);
template detail::status reader::fetch_in_turn(unsigned long long&);
template detail::status reader::fetch_many(unsigned long long*, std::size_t, std::size_t&);
template detail::status reader::fetch_in_turn(float&);
template detail::status reader::fetch_many(float*, std::size_t, std::size_t&);
template detail::status reader::fetch_in_turn(double&);
template detail::status reader::fetch_many(double*, std::size_t, std::size_t&);
template void writer::put_short_slowly(int);
template void writer::put_short_slowly(unsigned);
template void writer::put_short_slowly(long);
template void writer::put_short_slowly(unsigned long);
template void writer::put_short_slowly(long long);
template void writer::put_short_slowly(unsigned long long);
template void writer::put_short_slowly(float);
template void writer::put_short_slowly(double);
template void writer::put_short_slowly(char);

namespace detail {

// Both are initialised at compile time, or the compiler stops. Clang otherwise registers even an empty destructor.
// Weak, as in the headers: objects that have the library from its headers may be linked as well.
#if defined(__clang__)
[[clang::no_destroy, clang::require_constant_initialization]]
#elif __GNUC__ >= 10
__constinit
#endif
__attribute__((weak)) immortal<reader> standard_input{0, "<stdin>", tie{flush_out, nullptr}};
#if defined(__clang__)
[[clang::no_destroy, clang::require_constant_initialization]]
#elif __GNUC__ >= 10
__constinit
#endif
__attribute__((weak)) immortal<writer> standard_output;

template std::size_t convert_integers<4>(const char*, const std::uint16_t*, std::size_t, char*, integer_range,
                                         refusals*) noexcept;
template std::size_t convert_integers<8>(const char*, const std::uint16_t*, std::size_t, char*, integer_range,
                                         refusals*) noexcept;
template std::size_t convert_floats<float>(const char*, const std::uint16_t*, std::size_t, char*, refusals*) noexcept;
template std::size_t convert_floats<double>(const char*, const std::uint16_t*, std::size_t, char*, refusals*) noexcept;
template bool scan_floats<float>(const char*, std::size_t, std::uint16_t*, char*, std::size_t, std::size_t&) noexcept;
template bool scan_floats<double>(const char*, std::size_t, std::uint16_t*, char*, std::size_t, std::size_t&) noexcept;
template bool scan_integers<4>(const char*, std::size_t, std::uint16_t*, char*, std::size_t, integer_range,
                               std::size_t&) noexcept;
template bool scan_integers<8>(const char*, std::size_t, std::uint16_t*, char*, std::size_t, integer_range,
                               std::size_t&) noexcept;

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
template char* write_floats(char*, const float*, std::size_t, char) noexcept;
template char* write_floats(char*, const double*, std::size_t, char) noexcept;
template bool writes_floats_together<float>() noexcept;
template bool writes_floats_together<double>() noexcept;
template bool writes_integers_together<long>() noexcept;
template bool writes_integers_together<unsigned long>() noexcept;
template bool writes_integers_together<long long>() noexcept;
template bool writes_integers_together<unsigned long long>() noexcept;
#if defined(__SIZEOF_INT128__)
template std::size_t convert_wide<int128>(const char*, const std::uint16_t*, std::size_t, char*, refusals*) noexcept;
template std::size_t convert_wide<uint128>(const char*, const std::uint16_t*, std::size_t, char*, refusals*) noexcept;
template char* write_integers(char*, const int128*, std::size_t, char) noexcept;
template char* write_integers(char*, const uint128*, std::size_t, char) noexcept;
#endif

#if HEADRACE_HAS_STDIO
namespace replace {
template char* write_formatted(char*, const char*, double, char, int) noexcept;
template int print_by_plan<false>(std::FILE*, const char*, const print_step*, const print_value*) noexcept;
template int print_by_plan<true>(std::FILE*, const char*, const print_step*, const print_value*) noexcept;
template const char* take_integer<int>(const char*, const char*, void*) noexcept;
template const char* take_integer<unsigned>(const char*, const char*, void*) noexcept;
template const char* take_integer<long long>(const char*, const char*, void*) noexcept;
template const char* take_integer<unsigned long long>(const char*, const char*, void*) noexcept;
template const char* take_float<float>(const char*, const char*, void*) noexcept;
template const char* take_float<double>(const char*, const char*, void*) noexcept;
template int scan_by_plan<false>(std::FILE*, const scan_step*, void* const*) noexcept;
template int scan_by_plan<true>(std::FILE*, const scan_step*, void* const*) noexcept;
}  // namespace replace
#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
