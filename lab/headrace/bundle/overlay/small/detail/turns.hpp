// Types that take turns go token by token.
#pragma once

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

struct turn_batch {};
struct type_turns {};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
