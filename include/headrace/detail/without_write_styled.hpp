// headrace/detail/without_write_styled.hpp: used instead of write_styled.hpp in a file that was made with
// `headrace bundle --without floats`, and is not used elsewhere. Writing floating point then stops the compiler.
#pragma once

#include "../format.hpp"
#include "../writer.hpp"

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
