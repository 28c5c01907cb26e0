// To write floating point stops the compiler.
#pragma once

#include <headrace/format.hpp>
#include <headrace/writer.hpp>

namespace headrace {
inline namespace HEADRACE_ABI {

template <class Float>
void writer::put_styled(Float, float_style, int) {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and cannot write them");
}

template <class Range, class Separator>
void writer::write_range(Range&&, const Separator&, float_style, int) {
  static_assert(sizeof(Separator) == 0, "this file was bundled with --without floats and cannot write them");
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
