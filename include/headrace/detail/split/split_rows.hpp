// headrace/detail/split/split_rows.hpp: parts of delimited text that end with rows. Not for users.
#pragma once

#include <memory>

#include "../columns/rows_impl.hpp"
#include "parts.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Follows a text from its first byte on, to know of each newline whether it ends a row: quotes are closed there, or
// were none because the line is a comment. Of a text that has a quote where none may be, this is right up to that row,
// which is where a reader stops.
class row_ends {
 public:
  explicit row_ends(const delimited& format) noexcept : format_(format) {}

  // Over [first, last), from where it ended; and to the byte after the first newline that ends a row, or nullptr.
  void pass(const char* first, const char* last) noexcept {
    if (format_.comment == '\0') {
      if (format_.quote != '\0') is_open_ ^= (count_bytes(first, last, format_.quote) & 1) != 0;
      return;
    }
    while (first != last) first = pass_one(first);
  }
  const char* pass_row(const char* first, const char* last) noexcept {
    while (first != last) {
      const bool ends = *first == '\n' && !is_open_;
      first = pass_one(first);
      if (ends) return first;
    }
    return nullptr;
  }

 private:
  const char* pass_one(const char* at) noexcept {
    const bool is_newline = *at == '\n';
    if (starts_line_ && !is_open_ && format_.comment != '\0') in_comment_ = *at == format_.comment;
    if (!in_comment_ && format_.quote != '\0' && *at == format_.quote) is_open_ = !is_open_;
    in_comment_ = in_comment_ && !is_newline;
    starts_line_ = is_newline;
    return at + 1;
  }

  delimited format_;
  bool is_open_ = false;  // a quote
  bool in_comment_ = false;
  bool starts_line_ = true;
};

// Where the rows of a file begin: after its header, if it has one.
inline std::uint64_t find_first_row(const input_file& file, const delimited& format) {
  if (!format.has_header) return file.begin();
  reader from = file.whole();
  table rows(from, format, field_types<std::tuple<skip>>::list, 1, nullptr, true);
  (void)has_more(rows, rows.find_width());
  const source& text = parts::source_of(from);
  return text.offset_of(text.position);
}

inline std::vector<reader> split_file(const input_file& file, std::size_t pieces, const delimited& format) {
  constexpr std::size_t chunk = 128 * 1024;
  require_pieces(file.name(), pieces);
  require_regular(file);
  const std::uint64_t begin = find_first_row(file, format);
  const std::unique_ptr<char[]> text(new char[chunk]);
  row_ends rows(format);
  std::uint64_t here = begin;  // up to which `rows` has come
  const auto read = [&](std::uint64_t end) {
    const std::uint64_t rest = end - here;
    const transfer got =
        read_at(file.descriptor(), text.get(), rest < chunk ? static_cast<std::size_t>(rest) : chunk, here);
    if (got.error != 0) raise_input_system_error(file.name(), "read", got.error);
    return got.size;  // 0: the file has become shorter, which the reader of that part finds out
  };
  const auto find = [&](std::uint64_t wanted, std::uint64_t& cut) {
    cut = file.end();
    while (here < wanted - 1) {
      const std::size_t got = read(wanted - 1);
      if (got == 0) return;
      rows.pass(text.get(), text.get() + got);
      here += got;
    }
    while (here < file.end()) {
      const std::size_t got = read(file.end());
      if (got == 0) return;
      const char* const found = rows.pass_row(text.get(), text.get() + got);
      here += found == nullptr ? got : static_cast<std::size_t>(found - text.get());
      if (found == nullptr) continue;
      cut = here;
      return;
    }
  };
  return make_parts(file, cut_into(begin, file.end(), pieces, find));
}

}  // namespace detail

inline std::vector<reader> split(const char* path, std::size_t pieces, const delimited& format) {
  return detail::split_file(detail::input_file(path), pieces, format);
}

template <class Path, class>
std::vector<reader> split(const Path& path, std::size_t pieces, const delimited& format) {
  return detail::with_path(path, [&](const char* name) { return split(name, pieces, format); });
}

inline std::vector<reader> split(int descriptor, std::size_t pieces, const delimited& format) {
  return detail::split_file(detail::input_file(descriptor), pieces, format);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
