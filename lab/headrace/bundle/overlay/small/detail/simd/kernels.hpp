// A wish that cannot be granted is not said.
namespace headrace::HEADRACE_ABI::detail {

HEADRACE_INLINE void refuse_kernel(const char*, unsigned, unsigned) noexcept {}

}  // namespace headrace::HEADRACE_ABI::detail
