// A refusal without a sentence.
namespace headrace::HEADRACE_ABI::detail {

template <class T>
constexpr void refuse_to_read() noexcept {
  constexpr bool never = sizeof(T*) == 0;
  static_assert(never);
}

template <class T>
constexpr void refuse_temporary() noexcept {}

}  // namespace headrace::HEADRACE_ABI::detail

namespace headrace::HEADRACE_ABI {

template <class T>
HEADRACE_INLINE detail::status reader::fetch_number(T& value) {
  return window_.take_value(value) ? detail::status::ok : fetch_in_turn(value);
}

template <class T>
__attribute__((noinline)) detail::status reader::fetch_number_slowly(T& value) = delete;

}  // namespace headrace::HEADRACE_ABI
