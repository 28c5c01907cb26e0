// A refusal without a sentence.
namespace headrace::HEADRACE_ABI::detail {

template <class T>
constexpr void refuse_type() noexcept {
  constexpr bool never = sizeof(T*) == 0;
  static_assert(never);
}

}  // namespace headrace::HEADRACE_ABI::detail
