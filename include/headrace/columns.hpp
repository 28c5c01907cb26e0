// headrace/columns.hpp: whole files of numbers, and delimited text.
//
//   headrace::column<double> prices = headrace::read_all<double>("prices.txt");
#pragma once

#include "column.hpp"
#include "reader.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

// All values between blanks up to the end of a file or of a reader. Throws input_error on anything but a T, and
// std::bad_alloc; the reader is then before the token that is no T, and what was read is gone.
template <class T>
[[nodiscard]] column<T> read_all(reader& from);
template <class T>
[[nodiscard]] column<T> read_all(const char* path);
template <class T, class Path, class = decltype(reader(std::declval<const Path&>()))>
[[nodiscard]] column<T> read_all(const Path& path);

}  // namespace HEADRACE_ABI
}  // namespace headrace

#include "detail/columns/read_all.hpp"
