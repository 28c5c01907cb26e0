// A byte at a time: only an error asks.
namespace headrace::HEADRACE_ABI::detail {

inline const char* after_last_newline(const char*, const char* last) noexcept {
  while (last[-1] != '\n') --last;
  return last;
}

}  // namespace headrace::HEADRACE_ABI::detail
