// To write floating point stops the compiler.
namespace headrace::HEADRACE_ABI {

template <class Float>
void writer::put_styled(Float, float_style, int) {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and cannot write them");
}

template <class Range, class Separator>
void writer::write_range(Range&&, const Separator&, float_style, int) {
  static_assert(sizeof(Separator) == 0, "this file was bundled with --without floats and cannot write them");
}
template <class Range, class Separator>
void writer::put_styled_elements(Range&, const Separator&, float_style, int) = delete;
inline void writer::put_zeros(std::size_t) = delete;

}  // namespace headrace::HEADRACE_ABI
