// Floats are left to the scalar kernel, which refuses them.
namespace headrace::HEADRACE_ABI::detail::avx2 {

struct kernel {
  static constexpr auto convert_floats = delete;
};

}  // namespace headrace::HEADRACE_ABI::detail::avx2
