// headrace/split/split_rows.hpp: parts of delimited text that end with rows. Not for users.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "../columns/rows_impl.hpp"
#include "../detail/count_bytes.hpp"
#include "parts.hpp"
#include "placed_column.hpp"
#include "threads.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Rows end with newlines, but not where quotes are open. Without quotes in the format every newline will do. Else those
// before a place are counted: where their number is odd, one is open.
//
//   text       a,"b,c"\n d,"e      |      f"\n g,h\n      wanted at |
//   quotes        1   2     3                 4           odd before it: open, so the first newline after the 4th
//
// Several threads count, a piece each in turn. Where lines may be comments one thread follows the text: quotes do not
// count in them, and whether a line is one depends on all before it. Of a text that has a quote where none may be, all
// of this is right up to that row, which is where a reader stops.

// For each of some places, in ascending order: whether quotes are open before it.
struct quote_states {
  std::uint64_t begin;                 // of the text
  std::vector<std::uint64_t> offsets;  // at least one
  std::vector<bool> open{};            // of the first ones
  bool open_at_end = false;            // of the pieces that were claimed

  std::uint64_t end() const noexcept { return offsets.back() + 1; }
};

// Counts quotes in pieces of `size` bytes.
class quote_counter {
 public:
  quote_counter(const input_file& file, char quote, std::size_t size, quote_states& all)
      : file_(file), quote_(quote), size_(size), all_(all), text_(new char[size]) {}

  void prepare(std::size_t piece) {
    const std::uint64_t begin = all_.begin + std::uint64_t(piece) * size_;
    const std::uint64_t end = all_.end() - begin < size_ ? all_.end() : begin + size_;
    const char* const last = text_.get() + read(begin, static_cast<std::size_t>(end - begin));
    const char* at = text_.get();
    const auto count_to = [&](const char* to) {
      if (to > last) to = last;
      odd_ ^= (count_bytes(at, to, quote_) & 1) != 0;
      at = to;
    };
    odd_ = false;
    open_.clear();
    auto place = std::lower_bound(all_.offsets.begin(), all_.offsets.end(), begin);
    for (; place != all_.offsets.end() && *place < end; ++place) {
      count_to(text_.get() + (*place - begin));
      open_.push_back(odd_);
    }
    count_to(last);
  }
  void claim() {
    for (const bool open : open_) all_.open.push_back(open != all_.open_at_end);
    all_.open_at_end ^= odd_;
  }
  void place() const noexcept {}

 private:
  // Fewer bytes than were asked for: the file has become shorter, which the reader of that part finds out.
  std::size_t read(std::uint64_t offset, std::size_t wanted) {
    std::size_t done = 0;
    while (done != wanted) {
      const transfer got = read_at(file_.descriptor(), text_.get() + done, wanted - done, offset + done);
      if (got.error != 0) raise_input_system_error(file_.name(), "read", got.error);
      if (got.size == 0) break;
      done += got.size;
    }
    return done;
  }

  const input_file& file_;
  char quote_;
  std::size_t size_;
  quote_states& all_;
  std::unique_ptr<char[]> text_;
  std::vector<bool> open_;  // at the places in this piece, as if none were open before it
  bool odd_ = false;
};

// Follows a text to know of each newline whether it ends a row.
class row_ends {
 public:
  // From a place that is at the start of a line, or else where lines cannot be comments.
  row_ends(const delimited& format, bool is_open) noexcept : format_(format), is_open_(is_open) {}

  // Over [first, last), from where it ended; and to the byte after the first newline that ends a row, or nullptr.
  void pass(const char* first, const char* last) noexcept {
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
    if (!in_comment_ && *at == format_.quote) is_open_ = !is_open_;
    in_comment_ = in_comment_ && !is_newline;
    starts_line_ = is_newline;
    return at + 1;
  }

  delimited format_;
  bool is_open_;  // a quote
  bool in_comment_ = false;
  bool starts_line_ = true;
};

// A file whose rows are followed from a place on.
class followed_rows {
 public:
  followed_rows(const input_file& file, const delimited& format)
      : file_(file), text_(new char[chunk]), rows_(format, false) {}

  std::uint64_t offset() const noexcept { return here_; }
  void start(std::uint64_t offset, const row_ends& rows) noexcept {
    here_ = offset;
    rows_ = rows;
  }
  // To an offset; false where the file has become shorter, which the reader of that part finds out.
  bool pass_to(std::uint64_t offset) {
    while (here_ < offset) {
      const std::size_t got = read(offset, chunk);
      if (got == 0) return false;
      rows_.pass(text_.get(), text_.get() + got);
      here_ += got;
    }
    return true;
  }
  // To the end of this row, or of the file.
  std::uint64_t find_end() {
    for (std::size_t wanted = 256; here_ < file_.end(); wanted = chunk) {  // more than most rows
      const std::size_t got = read(file_.end(), wanted);
      if (got == 0) break;
      const char* const found = rows_.pass_row(text_.get(), text_.get() + got);
      here_ += found == nullptr ? got : static_cast<std::size_t>(found - text_.get());
      if (found != nullptr) return here_;
    }
    return file_.end();
  }

 private:
  static constexpr std::size_t chunk = 128 * 1024;

  std::size_t read(std::uint64_t end, std::size_t most) {
    const std::uint64_t rest = end - here_;
    const transfer got =
        read_at(file_.descriptor(), text_.get(), rest < most ? static_cast<std::size_t>(rest) : most, here_);
    if (got.error != 0) raise_input_system_error(file_.name(), "read", got.error);
    return got.size;
  }

  const input_file& file_;
  std::unique_ptr<char[]> text_;
  row_ends rows_;
  std::uint64_t here_ = 0;
};

// Where the rows of a file begin: after its header, if it has one.
inline std::uint64_t find_first_row(const input_file& file, const delimited& format) {
  if (!format.has_header) return file.begin();
  reader from = file.whole();
  table rows(from, format, field_types<std::tuple<skip>>::list, 1, nullptr, true);
  (void)has_more(rows, rows.find_width());
  const source& text = reader_access::source_of(from);
  return text.offset_of(text.position);
}

// A quote that is counted in a byte order mark, too, where it is none.
constexpr bool is_in_mark(char quote) noexcept { return quote == '\xef' || quote == '\xbb' || quote == '\xbf'; }

// Where the first line begins: after a byte order mark, which would hide that it is a comment.
inline std::uint64_t find_first_line(const input_file& file, std::uint64_t begin) noexcept {
  char mark[3];
  if (begin != 0 || read_at(file.descriptor(), mark, sizeof mark, 0).size != sizeof mark) return begin;
  return std::memcmp(mark, "\xef\xbb\xbf", sizeof mark) == 0 ? sizeof mark : begin;
}

// A part that is wanted at an offset begins after the first row that ends at the byte before it or later. Quotes are
// counted by `count` threads, in pieces of `size` bytes.
inline std::vector<std::uint64_t> cut_rows(const input_file& file, std::uint64_t begin, std::size_t parts,
                                           const delimited& format, unsigned count, std::size_t size) {
  const std::vector<std::uint64_t> wanted = equal_parts(begin, file.end(), parts);
  followed_rows rows(file, format);
  if (format.comment != '\0' || is_in_mark(format.quote) || wanted.empty() || wanted.back() == begin) {
    rows.start(find_first_line(file, begin), row_ends(format, false));
    return cut_at(begin, file.end(), wanted, [&](std::uint64_t offset, std::uint64_t& cut) {
      cut = rows.pass_to(offset - 1) ? rows.find_end() : file.end();
    });
  }
  quote_states states{begin, wanted};
  for (std::uint64_t& each : states.offsets) --each;
  in_turns<quote_counter>(static_cast<std::size_t>((states.end() - begin + size - 1) / size), count, file, format.quote,
                          size, states);
  return cut_at(begin, file.end(), wanted, [&](std::uint64_t offset, std::uint64_t& cut) {
    const auto place = std::lower_bound(states.offsets.begin(), states.offsets.end(), offset - 1);
    rows.start(offset - 1, row_ends(format, states.open[static_cast<std::size_t>(place - states.offsets.begin())]));
    cut = rows.find_end();
  });
}

inline std::vector<reader> split_file(const input_file& file, std::size_t pieces, const delimited& format) {
  require_pieces(file.name(), pieces);
  require_regular(file);
  const std::uint64_t begin = find_first_row(file, format);
  if (format.quote == '\0') return split_from(file, begin, pieces, at::line);
  const unsigned count = pieces == 1 ? 1 : threads_for_pieces(file, threads{0});
  return make_parts(file, cut_rows(file, begin, pieces, format, count, piece_size));
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

template <class Source, std::size_t Count>
std::vector<reader> split(const Source& from, std::size_t pieces, const named_columns<Count>& format) {
  return split(from, pieces, format.format());
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
