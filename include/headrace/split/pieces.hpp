// headrace/split/pieces.hpp: a file, where it may be cut, and pieces of it that begin there. Not for users.
//
// Where a token or a line begins, the bytes before it say. Where a row does, only all of the file says: a newline may
// be in quotes. So a piece of rows begins at a guess, and the piece before it ends where its own rows say. Where the
// two disagree the guess was wrong, and the piece is parsed again from the right place. A result is right by induction
// from the start of the file, no pass over the file is needed to find the rows, and whatever a piece with a wrong guess
// found, such as an error, is forgotten.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../split.hpp"
#include "../columns/read.hpp"
#include "../detail/bytes.hpp"
#include "../detail/file.hpp"
#include "threads.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// ---- a file ----

// A file that is read in parts, or else by one reader.
class input_file {
 public:
  explicit input_file(const char* path)
      : name_(not_null<true>(path, open_null_path)), descriptor_(open_file(path, open_mode::read)) {
    if (descriptor_ < 0) raise_input_system_error(path, "open", errno);
    shared_ = static_cast<shared_descriptor*>(std::malloc(sizeof(shared_descriptor)));
    if (shared_ == nullptr) {
      close_file(descriptor_);
      raise_input_system_error(path, "open", ENOMEM);
    }
    *shared_ = {descriptor_, 1};
    info_ = describe(descriptor_);
    end_ = info_.size;
  }
  explicit input_file(int descriptor)
      : name_(std::string_view(descriptor_name(descriptor))),
        descriptor_(descriptor),
        info_(describe(descriptor)),
        end_(info_.size) {
    if (info_.kind != file_kind::regular) return;
    const std::int64_t here = tell(descriptor);
    begin_ = here < 0 ? 0 : static_cast<std::uint64_t>(here);
    if (end_ < begin_) end_ = begin_;
  }
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  ~input_file() {
    if (shared_ != nullptr) release(shared_);
  }

  bool is_regular() const noexcept { return info_.kind == file_kind::regular; }
  file_kind kind() const noexcept { return info_.kind; }
  int error() const noexcept { return info_.error; }
  const char* name() const noexcept { return name_.c_str(); }
  int descriptor() const noexcept { return descriptor_; }
  std::uint64_t begin() const noexcept { return begin_; }
  std::uint64_t end() const noexcept { return end_; }
  std::uint64_t size() const noexcept { return end_ - begin_; }

  // The bytes [begin, end) of a regular file.
  reader part(std::uint64_t begin, std::uint64_t end) const noexcept {
    return reader_access::make(descriptor_, shared_, name(), begin, end);
  }
  // All of it; of what is no regular file, or says that it has no bytes (/proc), a reader that must not outlive this
  // object.
  reader whole() const noexcept {
    return is_regular() && size() != 0 ? part(begin_, end_) : reader(descriptor_, name());
  }
  // At most `size` of the bytes [offset, limit); 0 where the file has become shorter, which the reader of that part
  // finds out.
  std::size_t read(std::uint64_t offset, std::uint64_t limit, char* to, std::size_t size) const {
    const std::uint64_t rest = limit - offset;
    const transfer got = read_at(descriptor_, to, rest < size ? static_cast<std::size_t>(rest) : size, offset);
    if (got.error != 0) raise_input_system_error(name(), "read", got.error);
    return got.size;
  }
  // Whether there are bytes where fstat(2) says that there are none.
  bool has_no_size() const noexcept {
    char byte;
    return is_regular() && size() == 0 && read_at(descriptor_, &byte, 1, begin_).size != 0 &&
           describe(descriptor_).size <= begin_;
  }

 private:
  std::string name_;
  int descriptor_;
  shared_descriptor* shared_ = nullptr;
  file_info info_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

// The file that a path names, and one that a path or a descriptor does.
template <class Path>
input_file open_path(const Path& path) {
  static_assert(names_file<Path>, "headrace: the path is a const char*, a std::string or a std::filesystem::path");
  if constexpr (!names_file<Path>) {
    return input_file(-1);
  } else if constexpr (std::is_convertible_v<const Path&, const char*>) {
    return input_file(static_cast<const char*>(path));
  } else if constexpr (std::is_convertible_v<const Path&, std::string_view>) {
    return input_file(whole_path<true>(path));
  } else {
    return input_file(whole_path<true>(path.string()));
  }
}
template <class File>
input_file open_input(const File& file) {
  if constexpr (names_file<File>) {
    return open_path(file);
  } else {
    return input_file(static_cast<int>(file));
  }
}

// ---- where it may be cut ----

// How much text a thread takes at once: what its buffer holds, less room for what goes on past the end of the piece. So
// a piece is one read.
inline constexpr std::size_t piece_size = area_size - page_size;
inline constexpr std::size_t least_pieces = 4;  // of a file that is worth a second thread

inline unsigned threads_for_pieces(const input_file& file, threads wish) noexcept {
  return threads_for(wish, file.is_regular() ? file.size() / piece_size : 0, least_pieces);
}

// Follows text, and finds the bytes after which it may be cut: blanks, newlines, or the newlines that end rows. Those
// in quotes do not:
//
//   text       a,"b,c"\n d,"e      |      f"\n g,h\n      wanted at |
//   quotes        1   2     3                 4           odd before it: open, so the first newline after the 4th
//
// Quotes in comments do not count, and whether a line is a comment depends on all before it. Of a text that has a quote
// where none may be, this is right up to that row, which is where a reader stops.
class cutter {
 public:
  explicit cutter(at where) noexcept : is_blank_(where == at::blank) {}
  // From a place that is at the start of a line, or else where lines cannot be comments.
  cutter(const delimited& format, bool is_open) noexcept
      : quote_(format.quote), comment_(format.quote == '\0' ? '\0' : format.comment), is_open_(is_open) {}

  bool has_quotes() const noexcept { return quote_ != '\0'; }
  bool has_comments() const noexcept { return comment_ != '\0'; }
  bool is_open() const noexcept { return is_open_; }
  void turn_over() noexcept { is_open_ = !is_open_; }

  // Over [first, last), from where it ended; and to the byte after the first one that it may be cut after, or nullptr.
  void pass(const char* first, const char* last) noexcept {
    if (!has_comments()) {
      is_open_ ^= has_quotes() && (count_bytes(first, last, quote_) & 1) != 0;
    } else {
      while (first != last) first = pass_one(first);
    }
  }
  const char* find_end(const char* first, const char* last) noexcept {
    if (!is_blank_ && !has_quotes()) {
      const auto rest = static_cast<std::size_t>(last - first);
      const void* const newline = rest == 0 ? nullptr : std::memchr(first, '\n', rest);
      return newline == nullptr ? nullptr : static_cast<const char*>(newline) + 1;
    }
    while (first != last) {
      const bool ends = is_blank_ ? is_whitespace(*first) : *first == '\n' && !is_open_;
      first = pass_one(first);
      if (ends) return first;
    }
    return nullptr;
  }

 private:
  const char* pass_one(const char* at) noexcept {
    const bool is_newline = *at == '\n';
    if (starts_line_ && !is_open_ && has_comments()) in_comment_ = *at == comment_;
    if (!in_comment_ && *at == quote_) is_open_ = !is_open_;
    in_comment_ = in_comment_ && !is_newline;
    starts_line_ = is_newline;
    return at + 1;
  }

  char quote_ = '\0';
  char comment_ = '\0';
  bool is_blank_ = false;
  bool is_open_ = false;  // a quote
  bool in_comment_ = false;
  bool starts_line_ = true;
};

// Whether a byte may be beside a quote at the edge of a field.
inline bool is_beside_field(char byte, const delimited& format) noexcept {
  return byte == format.separator || byte == '\n' || byte == format.quote ||
         (format.trims && (byte == ' ' || byte == '\t'));
}

// Whether a quote seems to be open before a text: what is before and after the first ones in it mostly tells (Ge, Li,
// Eilebrecht, Chandramouli and Kossmann, "Speculative Distributed CSV Data Parsing for Big Data Analytics", 2019). If
// both are possible, none is.
inline bool seems_open(const char* first, const char* last, const delimited& format) noexcept {
  bool may_be_closed = true, may_be_open = true;  // before the text
  bool is_odd = false;                            // the number of quotes so far
  for (const char* at = first; at != last; ++at) {
    at = static_cast<const char*>(std::memchr(at, format.quote, static_cast<std::size_t>(last - at)));
    if (at == nullptr) break;
    const bool opens = at == first || is_beside_field(at[-1], format);
    const bool closes = at + 1 == last || at[1] == '\r' || is_beside_field(at[1], format);
    may_be_closed = may_be_closed && (is_odd ? closes : opens);
    may_be_open = may_be_open && (is_odd ? opens : closes);
    if (!may_be_closed || !may_be_open) return may_be_open;
    is_odd = !is_odd;
  }
  return false;
}

// The first place from `from` on, where the cutter is, at which the bytes up to `limit` may be cut; or `limit`.
inline std::uint64_t find_cut(const input_file& file, std::uint64_t from, std::uint64_t limit, cutter ends) {
  char chunk[16 * 1024];
  for (std::size_t wanted = 256; from < limit; wanted = sizeof chunk) {  // more than most words, lines and rows
    const std::size_t size = file.read(from, limit, chunk, wanted);
    if (size == 0) break;
    const char* const end = ends.find_end(chunk, chunk + size);
    if (end != nullptr) return from + static_cast<std::uint64_t>(end - chunk);
    from += size;
  }
  return limit;
}

// Has a reader read the bytes [begin, end) of its file.
inline void set_range(reader& from, std::uint64_t begin, std::uint64_t end) noexcept {
  source& bytes = reader_access::source_of(from);
  reader_access::window_of(from).sync_position(bytes);
  bytes.aim_at(begin, end);
}

// A reader of one piece of a file after another, of `size` bytes each. A token, line or row belongs to the piece that
// has the separator before it or, of the first piece, to that.
class piece_reader {
 public:
  piece_reader(const input_file& file, std::uint64_t begin, std::uint64_t size) noexcept
      : from(file.part(begin, begin)), file_(file), start_(begin), size_(size) {}

  std::uint64_t begin() const noexcept { return begin_; }
  std::uint64_t end() const noexcept { return end_; }
  std::uint64_t offset() noexcept {
    const source& text = reader_access::source_of(from);
    return text.offset_of(text.position);
  }

  void choose(std::size_t piece) noexcept {
    begin_ = start_ + piece * size_;
    end_ = file_.end() - begin_ < size_ ? file_.end() : begin_ + size_;
  }
  // Reads from the byte before the piece on, and no further than `limit`.
  status read(std::uint64_t limit) noexcept {
    set_range(from, begin_ == start_ ? begin_ : begin_ - 1, limit);
    return reader_access::source_of(from).refill();
  }
  // Goes to what begins first in the piece; false: nothing does in what was read.
  bool skip_to_first(cutter ends) noexcept {
    if (begin_ == start_) return true;
    source& text = reader_access::source_of(from);
    const auto unread = static_cast<std::uint64_t>(text.end - text.position);
    const std::uint64_t size = end_ - begin_ < unread ? end_ - begin_ : unread;
    const char* const first = ends.find_end(text.position, text.position + size);
    if (first != nullptr) text.position += first - text.position;
    return first != nullptr;
  }
  // Has the reader end after the piece.
  status cut_at_blanks() {
    const status result = read(file_.end());
    if (result != status::ok) return result;
    source& text = reader_access::source_of(from);
    char* const edge = text.position + (end_ - 1 - offset());  // from which byte on a blank ends the piece
    if (edge > text.end) return cut_by_search();
    if (!skip_to_first(cutter(at::blank))) {
      text.position = edge;
      text.end_before(edge);
      return status::ok;
    }
    if (end_ == file_.end()) return status::ok;
    const char* const last = cutter(at::blank).find_end(edge, text.end);
    if (last == nullptr) return cut_by_search();
    text.end_before(edge + (last - edge));
    return status::ok;
  }

  reader from;

 private:
  // Where a token is longer than a page, or a read gave less than was asked for.
  HEADRACE_COLD status cut_by_search() {
    std::uint64_t first = begin_, last = end_;
    if (begin_ != start_) first = find_cut(file_, begin_ - 1, end_, cutter(at::blank));
    if (first != end_ && end_ != file_.end()) last = find_cut(file_, end_ - 1, file_.end(), cutter(at::blank));
    set_range(from, first, last);
    return status::ok;
  }

  const input_file& file_;
  std::uint64_t start_;  // of the first piece
  std::uint64_t size_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

// ---- pieces of rows ----

// Finds the line and the column of one place of a file after another.
class line_counter {
 public:
  explicit line_counter(const input_file& file) noexcept : file_(file) {}

  position place_of(std::uint64_t offset) {
    char chunk[16 * 1024];
    while (offset_ < offset) {
      const std::size_t size = file_.read(offset_, offset, chunk, sizeof chunk);
      if (size == 0) return {offset, 0, 0};  // it has become shorter
      const newline_count lines = count_newlines(chunk, chunk + size);
      line_ += lines.count;
      if (lines.after_last != nullptr) line_begin_ = offset_ + static_cast<std::uint64_t>(lines.after_last - chunk);
      offset_ += size;
    }
    return {offset, line_, offset - line_begin_ + 1};
  }

 private:
  const input_file& file_;
  std::uint64_t offset_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t line_begin_ = 0;
};

// The threads share these. The first table reads the header; the others go on from there.
class row_pieces {
 public:
  row_pieces(const input_file& whole, const table_layout& rows, rejects* to)
      : file(whole),
        layout(rows),
        aside(to),
        head_reader_(whole.whole()),
        head(head_reader_, rows, to),
        lines_(whole) {}

  // False where there are no rows at all.
  bool find_rows() {
    if (is_full() || !has_more(head, head.find_width())) return false;
    const source& text = reader_access::source_of(head_reader_);
    begin = next_row = text.offset_of(text.position);
    rows_before_ = head.rows_passed();
    return true;
  }
  // How many rows more may be set aside.
  std::size_t room_aside() const noexcept { return aside == nullptr ? 0 : aside->limit() - aside->size(); }
  // In the order of the file: what was wrong with rows of a piece, and how many rows it has.
  void set_aside(const std::vector<row_failure>& failures, std::uint64_t rows) {
    for (const row_failure& each : failures) {
      aside->add(each, rows_before_ + each.row, lines_.place_of(each.offset), head.names());
    }
    rows_before_ += rows;
  }
  bool is_full() const noexcept { return aside != nullptr && aside->is_full(); }
  std::size_t count_pieces(std::uint64_t of_size) noexcept {
    size = of_size;
    return static_cast<std::size_t>((bytes() + size - 1) / size);
  }
  std::uint64_t end_of(std::size_t piece) const noexcept {
    const std::uint64_t rest = bytes() - piece * size;
    return rest < size ? file.end() : file.end() - rest + size;
  }
  // At most so many bytes have rows in them.
  std::uint64_t bytes() const noexcept { return file.end() - begin; }

  const input_file& file;
  table_layout layout;
  rejects* aside;  // nullptr: none

 private:
  reader head_reader_;

 public:
  table head;

 private:
  line_counter lines_;
  std::uint64_t rows_before_ = 0;

 public:
  std::uint64_t begin = 0;     // of the first row
  std::uint64_t size = 0;      // of a piece
  std::uint64_t next_row = 0;  // where the next piece in turn begins
};

// Parses the rows of pieces into a sink: clear(), prepare(table), and take(table) when rows wait in a table, which is
// false where no more are wanted.
template <class Sink>
class row_parser {
 public:
  static constexpr std::uint64_t nowhere = ~std::uint64_t(0);

  template <class... Arguments>
  explicit row_parser(row_pieces& all, Arguments&... result)
      : sink(result...), all_(all), piece_(all.file, all.begin, all.size), table_(piece_.from, all.layout) {
    table_.take_layout_of(all.head);
  }

  std::uint64_t first() const noexcept { return first_; }  // where the rows were taken to begin
  std::uint64_t next() noexcept { return piece_.offset(); }
  std::uint64_t end() const noexcept { return piece_.end(); }
  bool has_failed() const noexcept { return result_ != status::ok && result_ != status::end; }
  [[noreturn]] void fail() { table_.fail(result_); }
  std::vector<row_failure>& failures() noexcept { return table_.failures(); }
  std::uint64_t rows() const noexcept { return table_.rows_passed(); }

  // The rows from where they seem to begin.
  void guess(std::size_t piece) {
    first_ = nowhere;
    piece_.choose(piece);
    // So that a guess that takes text for an open quote does not go on to the end of the file.
    const std::uint64_t limit = all_.file.end() - end() < piece_size ? all_.file.end() : end() + piece_size;
    if (piece_.read(limit) != status::ok || !piece_.skip_to_first(guess_cutter())) return;
    first_ = next();
    parse(all_.aside == nullptr ? 0 : all_.aside->limit());
    const bool went_too_far = limit != all_.file.end() && reader_access::source_of(piece_.from).has_ended();
    if (went_too_far) first_ = nowhere;
  }
  // The rows from where they do begin.
  void parse_from(std::size_t piece, std::uint64_t offset) {
    piece_.choose(piece);
    first_ = offset;
    set_range(piece_.from, offset, all_.file.end());
    parse(all_.room_aside());
  }

  Sink sink;

 private:
  cutter guess_cutter() noexcept {
    const source& text = reader_access::source_of(piece_.from);
    const bool is_long = text.end - text.position > 16 * 1024;
    const char* const last = is_long ? text.position + 16 * 1024 : text.end;
    return cutter(all_.layout.format, seems_open(text.position, last, all_.layout.format));
  }

  // Up to so many rows are set aside; after the last of them no row counts.
  void parse(std::size_t aside) {
    sink.clear();
    if (all_.aside != nullptr) table_.note_failures(aside);
    table_.start_over(end());
    result_ = status::ok;
    while (next() < end()) {
      sink.prepare(table_);
      result_ = table_.look_ahead();
      if (result_ != status::ok || !sink.take(table_)) return;
      table_.take_all();
    }
  }

  row_pieces& all_;
  piece_reader piece_;
  table table_;
  std::uint64_t first_ = nowhere;
  status result_ = status::ok;
};

// Whether a piece may have set so many rows aside without regard to the pieces before it.
inline bool may_have(std::size_t failures, const row_pieces& all) noexcept {
  return failures == 0 || failures < all.room_aside();
}

// Parses pieces in turn. Sink, too: claim() in the order of the file, and place() at any time after it.
template <class Sink>
class row_worker {
 public:
  static constexpr bool takes_turns = true;

  template <class... Arguments>
  explicit row_worker(row_pieces& all, Arguments&... result) : all_(all), rows_(all, result...) {}

  void prepare(std::size_t piece) {
    piece_ = piece;
    rows_.guess(piece);
  }
  void claim() {
    const std::uint64_t right = all_.next_row;
    if (right >= rows_.end()) {  // of a row that is longer than a piece
      rows_.sink.clear();
    } else {
      const bool is_right = right == rows_.first() && may_have(rows_.failures().size(), all_);
      if (!is_right) rows_.parse_from(piece_, right);
      if (rows_.has_failed()) rows_.fail();
      if (all_.aside != nullptr) all_.set_aside(rows_.failures(), rows_.rows());
      all_.next_row = all_.is_full() ? all_.file.end() : rows_.next();
    }
    rows_.sink.claim();
  }
  void place() noexcept { rows_.sink.place(); }

 private:
  row_pieces& all_;
  row_parser<Sink> rows_;
  std::size_t piece_ = 0;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
