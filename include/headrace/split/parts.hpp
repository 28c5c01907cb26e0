// headrace/split/parts.hpp: readers of the parts of a file. Not for users.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "pieces.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Where `pieces` parts of [begin, end) would begin that are equally long, but the first one.
inline std::vector<std::uint64_t> equal_parts(std::uint64_t begin, std::uint64_t end, std::size_t pieces) {
  std::vector<std::uint64_t> all(pieces - 1);
  const std::uint64_t size = end - begin, length = size / pieces, longer = size % pieces;
  for (std::uint64_t& each : all) {
    const auto before = static_cast<std::uint64_t>(&each - all.data()) + 1;
    each = begin + length * before + (before < longer ? before : longer);
  }
  return all;
}

// Where parts of [begin, end) begin that are wanted at some places, the first one before them, and where the last one
// ends. find(i) is the first cut after the byte before place i.
template <class Find>
std::vector<std::uint64_t> cut_at(std::uint64_t begin, std::uint64_t end, const std::vector<std::uint64_t>& wanted,
                                  Find find) {
  std::vector<std::uint64_t> cuts{begin};
  cuts.reserve(wanted.size() + 2);
  for (std::size_t i = 0; i < wanted.size(); ++i) cuts.push_back(wanted[i] > cuts.back() ? find(i) : cuts.back());
  cuts.push_back(end);
  return cuts;
}

// Readers of [cuts[i], cuts[i + 1]), each after what is in the file before the first one: nothing, or a header.
inline std::vector<reader> make_parts(const input_file& file, const std::vector<std::uint64_t>& cuts) {
  std::vector<reader> all;
  all.reserve(cuts.size() - 1);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    all.push_back(file.part(cuts[i], cuts[i + 1]));
    if (cuts[0] != file.begin()) reader_access::source_of(all.back()).begin_with(file.begin(), cuts[0]);
  }
  return all;
}

__attribute__((noinline)) inline void require_pieces(const char* name, std::size_t pieces) {
  constexpr std::size_t most = std::size_t{1} << 20;  // each is a reader with a buffer to come
  if (pieces != 0 && pieces <= most) return;
  raise_input_error(message{name, ": cannot split into ", digits_of(pieces), " parts: ask for ",
                            pieces == 0 ? "at least 1" : "at most 1048576"},
                    std::errc::invalid_argument, {});
}

__attribute__((noinline)) inline void require_regular(const input_file& file) {
  if (file.is_regular() && !file.has_no_size()) return;
  if (file.error() != 0) raise_input_system_error(file.name(), "split", file.error());
  if (file.kind() == file_kind::directory) raise_input_system_error(file.name(), "split", EISDIR);
  const char* const what = file.kind() == file_kind::pipe       ? "a pipe"
                           : file.kind() == file_kind::terminal ? "a terminal"
                           : file.kind() == file_kind::socket   ? "a socket"
                           : file.is_regular()                  ? "a file that does not tell its size"
                                                                : "a device";
  raise_input_error(
      message{file.name(), ": cannot split ", what, ": only a regular file has parts; use one headrace::reader"},
      std::errc::invalid_seek, {});
}

inline std::vector<std::uint64_t> cut_equally(const input_file& file, std::uint64_t begin, std::size_t parts,
                                              const cutter& ends) {
  const std::vector<std::uint64_t> wanted = equal_parts(begin, file.end(), parts);
  return cut_at(begin, file.end(), wanted,
                [&](std::size_t i) { return find_cut(file, wanted[i] - 1, file.end(), ends); });
}

// ---- parts of delimited text ----

// Follows a text up to some places in ascending order, in pieces of `size` bytes. By several threads where no line is a
// comment: each counts the quotes of a piece as if none were open before it, and in turn finds out whether one is.
struct followed_places {
  std::uint64_t begin;
  std::vector<std::uint64_t> places;  // at least one
  std::vector<cutter> states;         // before them
  bool is_open = false;               // before the next piece in turn

  std::uint64_t end() const noexcept { return places.back() + 1; }
};

class place_worker {
 public:
  static constexpr bool takes_turns = true;

  place_worker(const input_file& file, const cutter& start, std::size_t size, followed_places& all)
      : file_(file), start_(start), rows_(start), size_(size), all_(all), text_(new char[size]) {}

  void prepare(std::size_t piece) {
    const std::uint64_t begin = all_.begin + std::uint64_t(piece) * size_;
    const std::uint64_t end = all_.end() - begin < size_ ? all_.end() : begin + size_;
    const std::size_t size = read(begin, end);
    std::size_t position = 0;
    const auto pass_to = [&](std::uint64_t offset) {
      const std::size_t next = offset - begin < size ? static_cast<std::size_t>(offset - begin) : size;
      rows_.pass(text_.get() + position, text_.get() + next);
      position = next;
    };
    if (!start_.has_comments()) rows_ = start_;
    const auto& places = all_.places;
    first_ = last_ = static_cast<std::size_t>(std::lower_bound(places.begin(), places.end(), begin) - places.begin());
    for (; last_ != places.size() && places[last_] < end; ++last_) {
      pass_to(places[last_]);
      all_.states[last_] = rows_;
    }
    pass_to(end);
  }
  void claim() noexcept {
    if (start_.has_comments()) return;
    for (std::size_t i = first_; i != last_ && all_.is_open; ++i) all_.states[i].turn_over();
    all_.is_open ^= rows_.is_open();
  }
  void place() const noexcept {}

 private:
  std::size_t read(std::uint64_t begin, std::uint64_t end) const {
    std::size_t done = 0;
    for (std::size_t size = 1; size != 0 && begin + done != end; done += size) {
      size = file_.read(begin + done, end, text_.get() + done, size_);
    }
    return done;
  }

  const input_file& file_;
  cutter start_;
  cutter rows_;
  std::size_t size_;
  followed_places& all_;
  std::unique_ptr<char[]> text_;
  std::size_t first_ = 0;  // of the places in this piece
  std::size_t last_ = 0;
};

// Where the rows of a file begin: after its header, if it has one.
inline std::uint64_t find_first_row(const input_file& file, const delimited& format) {
  if (!format.has_header) return file.begin();
  reader from = file.whole();
  delimited even = format;
  even.is_ragged = false;
  table rows(from, matrix_layout<skip>(even));
  (void)has_more(rows, rows.find_width());
  const source& text = reader_access::source_of(from);
  return text.offset_of(text.position);
}

// Where the first line begins: after a byte order mark, whose bytes are no quotes, and which would hide a comment.
inline std::uint64_t find_first_line(const input_file& file, std::uint64_t begin) noexcept {
  char mark[3];
  if (begin != 0 || read_at(file.descriptor(), mark, sizeof mark, 0).size != sizeof mark) return begin;
  return std::memcmp(mark, "\xef\xbb\xbf", sizeof mark) == 0 ? sizeof mark : begin;
}

// A part that is wanted at an offset begins after the first row that ends with the byte before it or later. Quotes are
// counted by `count` threads, in pieces of `size` bytes.
inline std::vector<std::uint64_t> cut_rows(const input_file& file, std::uint64_t begin, std::size_t parts,
                                           const delimited& format, unsigned count, std::size_t size) {
  const cutter start(format, false);
  if (!start.has_quotes() || parts == 1 || begin == file.end()) return cut_equally(file, begin, parts, start);
  const std::vector<std::uint64_t> wanted = equal_parts(begin, file.end(), parts);
  followed_places all{find_first_line(file, begin), wanted, std::vector<cutter>(wanted.size(), start)};
  for (std::uint64_t& each : all.places) each = each > all.begin ? each - 1 : all.begin;
  const auto pieces = static_cast<std::size_t>((all.end() - all.begin + size - 1) / size);
  in_turns<place_worker>(pieces, start.has_comments() ? 1 : count, file, start, size, all);
  return cut_at(begin, file.end(), wanted,
                [&](std::size_t i) { return find_cut(file, all.places[i], file.end(), all.states[i]); });
}

inline std::vector<reader> split_file(const input_file& file, std::size_t pieces, at where) {
  require_pieces(file.name(), pieces);
  require_regular(file);
  return make_parts(file, cut_equally(file, file.begin(), pieces, cutter(where)));
}
inline std::vector<reader> split_file(const input_file& file, std::size_t pieces, const delimited& format) {
  require_pieces(file.name(), pieces);
  require_regular(file);
  const std::uint64_t begin = find_first_row(file, format);
  return make_parts(file, cut_rows(file, begin, pieces, format, threads_for_pieces(file, threads{0}), piece_size));
}

}  // namespace detail

template <class File, class>
std::vector<reader> split(const File& from, std::size_t pieces, at where) {
  return detail::split_file(detail::open_input(from), pieces, where);
}
template <class File, class>
std::vector<reader> split(const File& from, std::size_t pieces, const delimited& format) {
  return detail::split_file(detail::open_input(from), pieces, format);
}
template <class File, std::size_t Count>
std::vector<reader> split(const File& from, std::size_t pieces, const named_columns<Count>& format) {
  return split(from, pieces, format.format());
}

inline std::vector<reader> split_text(std::string_view text, std::size_t pieces, at where) {
  detail::require_pieces("<memory>", pieces);
  const std::vector<std::uint64_t> wanted = detail::equal_parts(0, text.size(), pieces);
  const std::vector<std::uint64_t> cuts = detail::cut_at(0, text.size(), wanted, [&](std::size_t i) {
    const char* const last = text.data() + text.size();
    const char* const end = detail::cutter(where).find_end(text.data() + (wanted[i] - 1), last);
    return static_cast<std::uint64_t>((end == nullptr ? last : end) - text.data());
  });
  std::vector<reader> all;
  all.reserve(pieces);
  for (std::size_t i = 0; i < pieces; ++i)
    all.push_back(detail::reader_access::make(text.data(), static_cast<std::size_t>(cuts[i]),
                                              static_cast<std::size_t>(cuts[i + 1])));
  return all;
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
