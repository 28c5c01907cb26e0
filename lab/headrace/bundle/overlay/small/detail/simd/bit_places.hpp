// A program that is a solution does not fork while its threads read.
namespace headrace::HEADRACE_ABI::detail {

HEADRACE_INLINE int this_process() noexcept { return 1; }

}  // namespace headrace::HEADRACE_ABI::detail
