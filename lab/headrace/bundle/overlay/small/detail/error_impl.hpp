// A call is short.
namespace headrace::HEADRACE_ABI::detail {

HEADRACE_INLINE void copy_word(char* to, const char* from, std::size_t size) noexcept {
  if (size != 0) std::memcpy(to, from, size);
}

}  // namespace headrace::HEADRACE_ABI::detail
