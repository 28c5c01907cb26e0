// A refusal without a sentence.
namespace headrace::HEADRACE_ABI::detail {

template <class T>
constexpr void refuse_type() noexcept {
  constexpr bool never = sizeof(T*) == 0;
  static_assert(never);
}

}  // namespace headrace::HEADRACE_ABI::detail

namespace headrace::HEADRACE_ABI::detail {

template <std::size_t Size>
HEADRACE_INLINE char* write_short(char* to, const char (&text)[Size]) noexcept {
  const std::size_t size = text_length(text);
  __builtin_memcpy(to, text, size);
  return to + size;
}

}  // namespace headrace::HEADRACE_ABI::detail

namespace headrace::HEADRACE_ABI {

template <class T>
HEADRACE_INLINE void writer::put_short(T value) {
  if (detail::likely(next_ < end_)) {
    next_ = detail::write_short(next_, value);
  } else {
    put_short_slowly(value);
  }
}

HEADRACE_INLINE void writer::put_text(const char* from, std::size_t size) {
  if (detail::likely(next_ < end_ && size <= slack)) {
    if (detail::likely(size != 0)) std::memcpy(next_, from, size);
    next_ += size;
  } else {
    put_text_slowly(from, size);
  }
}

template <std::size_t Size>
HEADRACE_INLINE void writer::put_literal(const char (&text)[Size]) {
  put_text(text, detail::text_length(text));
}

}  // namespace headrace::HEADRACE_ABI
