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
