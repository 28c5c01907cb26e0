// Without the vectors of SSE2.
namespace headrace::HEADRACE_ABI::detail {

using sixteen_characters = plain_sixteen_characters;

}  // namespace headrace::HEADRACE_ABI::detail
