// headrace/config.hpp: what the compiler and the platform offer. Every macro of the library that a user's file sees is
// defined here, except those of bench.hpp, which includes the standard library alone, of the replace_*.hpp, which are
// macros to be seen, and of arrow.hpp, which the Apache Arrow project specifies.
#pragma once

#if !defined(__GNUC__)
#if !defined(__clang__)  // which has no __GNUC__ where it is for Microsoft's ABI, clang-cl for instance
#error "headrace needs g++ 9 or newer, clang 14 or newer, or a compiler that speaks their language extensions"
#include <headrace-needs-another-compiler>  // which is not there: nothing but the sentence above is to be read
#endif
#endif
#if __cplusplus < 201703L
#error "headrace needs C++17: compile with -std=c++17 or newer"
#include <headrace-needs-c++17>  // which is not there: nothing but the sentence above is to be read
#endif

// major * 10000 + minor * 100 + patch
#define HEADRACE_VERSION 200

// HEADRACE_ABI: the inline namespace of all that follows. Two versions in one process share no object and no inline
// function, nor do files that were compiled with exceptions and without, where an error prints its line on stderr and
// aborts. They share standard input and output: detail/process.hpp.
#if defined(__cpp_exceptions)
#define HEADRACE_ABI v0_2_0
#else
#define HEADRACE_ABI v0_2_0_no_exceptions
#endif

#if defined(_WIN32)
#define HEADRACE_WINDOWS 1
#if defined(min) || defined(max)
#error "headrace needs std::min and std::max: define NOMINMAX before <windows.h> is included"
#endif
#else
#define HEADRACE_WINDOWS 0
#endif

// 1: the kernels, copy(), floating point to text and the objects `in` and `out` come from a library that the program
// links, made of src/headrace.cpp, and cost no compile time. The CMake target headrace::headrace does all of that. (2:
// this file makes that library.)
#if !defined(HEADRACE_COMPILED)
#define HEADRACE_COMPILED 0
#endif
#if HEADRACE_COMPILED
#include <cstddef>  // which standard library this is
#endif

// 1: the kernel `model`, which does in plain C++ what the others do by instructions, can be chosen, too. Costs compile
// time; the same in all files of a program.
#if !defined(HEADRACE_MODEL)
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define HEADRACE_MODEL 1
#endif
#endif
#if !defined(HEADRACE_MODEL)
#define HEADRACE_MODEL 0
#endif
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__  // its vectors are those of the other processors
#undef HEADRACE_MODEL
#define HEADRACE_MODEL 0
#endif

// 0: <headrace/split.hpp> starts no thread and compiles without <thread>. The same in all files of a program.
#if !defined(HEADRACE_THREADS)
#define HEADRACE_THREADS 1
#endif

#define HEADRACE_INLINE inline __attribute__((always_inline))
#define HEADRACE_COLD __attribute__((cold, noinline))
// Before a function that headrace::headrace compiles once.
#if HEADRACE_COMPILED
#define HEADRACE_FUNC
#else
#define HEADRACE_FUNC inline
#endif

// An error of the programmer, which a debug build says on stderr before it aborts. A program may define the macro
// itself, the same in all its files.
#if !defined(HEADRACE_ASSERT)
#if defined(NDEBUG)
#define HEADRACE_ASSERT(condition, sentence) (void)0
#else
#define HEADRACE_ASSERT(condition, sentence) \
  (__builtin_expect(!(condition), false) ? ::headrace::detail::fail_assertion(sentence, __FILE__, __LINE__) : (void)0)
#endif
#endif

// The text between them is compiled for every x86-64 processor, whatever the flags of the user's build are. A program
// may compile one file for AVX and another one not; the linker then keeps one of the two bodies of a function, and both
// files call it. Such functions call nothing of the standard library that is inlined by force, as a fortified memcpy()
// is.
#if defined(__x86_64__) && \
    (defined(__SSE3__) || defined(__BMI__) || defined(__LZCNT__) || defined(__POPCNT__) || defined(__MOVBE__))
// clang-format off
#if defined(__clang__) && defined(__EVEX512__)  // which clang counts apart from AVX
#define HEADRACE_BASELINE_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"no-evex512,no-sse3,no-avx,no-bmi,no-bmi2,no-lzcnt,no-popcnt,no-movbe\"))), apply_to = function)")
#define HEADRACE_BASELINE_END _Pragma("clang attribute pop")
#elif defined(__clang__)
#define HEADRACE_BASELINE_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"no-sse3,no-avx,no-bmi,no-bmi2,no-lzcnt,no-popcnt,no-movbe\"))), apply_to = function)")
#define HEADRACE_BASELINE_END _Pragma("clang attribute pop")
#else
#define HEADRACE_BASELINE_BEGIN \
  _Pragma("GCC push_options") _Pragma("GCC target(\"no-sse3,no-avx,no-bmi,no-bmi2,no-lzcnt,no-popcnt,no-movbe\")")
#define HEADRACE_BASELINE_END _Pragma("GCC pop_options")
#endif
// clang-format on
#else
#define HEADRACE_BASELINE_BEGIN
#define HEADRACE_BASELINE_END
#endif

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

[[noreturn]] void fail_assertion(const char* sentence, const char* file, int line) noexcept;

// Without <type_traits>, which costs more than a scanf.
template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;
template <class T, class... List>
constexpr bool is_one_of = (is_same<T, List> || ...);

constexpr HEADRACE_INLINE bool likely(bool condition) { return __builtin_expect(condition, true); }
constexpr HEADRACE_INLINE bool unlikely(bool condition) { return __builtin_expect(condition, false); }

// The initialiser of a constexpr table that is a variable template, so that only a program that uses it has it worked
// out. `Void` is that template's parameter, without which clang works the table out where it is declared.
template <class Table, class Void>
constexpr Table make_table() noexcept {
  return Table();
}

// Gives back the object, of which the compiler no longer knows that it is a global: so a register addresses it.
// Processors that hand a stored value to the next load at no cost do so for such addresses only, and not for those
// relative to the instruction: ten million `in >> x` took 51 ms on a Sapphire Rapids without this, and 33 with it (g++
// 12). clang keeps the value in a register by itself.
template <class T>
HEADRACE_INLINE T& by_register(T& object) noexcept {
#if defined(__clang__)
  return object;
#else
  T* place = &object;
  asm("" : "+r"(place));
  return *place;
#endif
}

}  // namespace detail

#if HEADRACE_COMPILED
// A file that is linked without the library, or with one of another version, another standard library or without its
// sanitizer, gets a linker's message that says what to do. Exceptions are in HEADRACE_ABI.
#if defined(_LIBCPP_VERSION)
#define HEADRACE_BUILT_WITH link_headrace_of_this_version_built_with_libcxx_or_use_headrace_header_only
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define HEADRACE_BUILT_WITH link_headrace_of_this_version_built_with_old_libstdcxx_strings_or_use_headrace_header_only
#else
#define HEADRACE_BUILT_WITH link_headrace_of_this_version_built_with_libstdcxx_or_use_headrace_header_only
#endif
#if defined(__clang__)
#if __has_feature(address_sanitizer)
#define HEADRACE_BUILT_UNDER link_headrace_built_with_fsanitize_address_or_use_headrace_header_only
#elif __has_feature(thread_sanitizer)
#define HEADRACE_BUILT_UNDER link_headrace_built_with_fsanitize_thread_or_use_headrace_header_only
#elif __has_feature(memory_sanitizer)
#define HEADRACE_BUILT_UNDER link_headrace_built_with_fsanitize_memory_or_use_headrace_header_only
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HEADRACE_BUILT_UNDER link_headrace_built_with_fsanitize_address_or_use_headrace_header_only
#elif defined(__SANITIZE_THREAD__)
#define HEADRACE_BUILT_UNDER link_headrace_built_with_fsanitize_thread_or_use_headrace_header_only
#endif
#if !defined(HEADRACE_BUILT_UNDER)
#define HEADRACE_BUILT_UNDER link_headrace_built_without_fsanitize_or_use_headrace_header_only
#endif
extern const char HEADRACE_BUILT_WITH, HEADRACE_BUILT_UNDER;
#if HEADRACE_COMPILED == 2
const char HEADRACE_BUILT_WITH = 0, HEADRACE_BUILT_UNDER = 0;
#endif
namespace detail {
[[gnu::used]] static const char* const is_linked[] = {&HEADRACE_BUILT_WITH, &HEADRACE_BUILT_UNDER};
}  // namespace detail
#undef HEADRACE_BUILT_WITH
#undef HEADRACE_BUILT_UNDER
#endif

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
