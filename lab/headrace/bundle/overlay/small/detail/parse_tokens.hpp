// Integers of 128 bits have no way of their own.
namespace headrace::HEADRACE_ABI::detail {

template <class Wide>
HEADRACE_INLINE bool join_long_token(const char*, const char*, Wide&) noexcept {
  return false;
}

}  // namespace headrace::HEADRACE_ABI::detail
