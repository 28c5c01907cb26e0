// headrace/detail/compiled.hpp: a file that was compiled with HEADRACE_COMPILED and is linked without src/headrace.cpp,
// or with that of another version or another choice of exceptions, gets a linker's message that says what to do. Not
// for users.
#pragma once

#include "../config.hpp"

#if HEADRACE_COMPILED
namespace headrace {
inline namespace HEADRACE_ABI {

// In src/headrace.cpp.
extern const char link_src_headrace_cpp_of_this_version_compiled_with_the_same_HEADRACE_COMPILED_and_fexceptions;

namespace detail {

[[gnu::used]] static const char* const is_linked =
    &link_src_headrace_cpp_of_this_version_compiled_with_the_same_HEADRACE_COMPILED_and_fexceptions;

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
#endif
