// A number that is refused stops a conversion: nobody notes any.
namespace headrace::HEADRACE_ABI::detail {

inline void note_out_of_range(const char*, std::size_t, integer_range, refusals&) noexcept {}

}  // namespace headrace::HEADRACE_ABI::detail
