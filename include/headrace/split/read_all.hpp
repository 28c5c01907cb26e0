// headrace/split/read_all.hpp: all values of a file into a column, on several threads. Not for users.
#pragma once

#include "parts.hpp"
#include "placed_column.hpp"
#include "read_ahead.hpp"
#include "threads.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// One token each, so that a file of them may be cut after any blank.
template <class T>
constexpr bool is_of_one_token = is_integer<T> || is_float<T> || is_one_of<T, bool, char, std::string>;

// A reader of one piece of a file after another, each of `size` bytes, at most piece_size. A token belongs to the piece
// in which the blank before it is.
class piece_reader {
 public:
  piece_reader(const input_file& file, std::size_t size) noexcept
      : file_(file), from_(file.part(file.begin(), file.begin())), size_(size) {}

  reader& aim_at(std::size_t piece, status& result) noexcept {
    begin_ = file_.begin() + std::uint64_t(piece) * size_;
    end_ = file_.end() - begin_ < size_ ? file_.end() : begin_ + size_;
    result = aim_by_one_read();
    return from_;
  }

 private:
  // Reads the piece with what is around it, and cuts it there.
  status aim_by_one_read() noexcept {
    source& text = reader_access::source_of(from_);
    const bool is_first = begin_ == file_.begin(), is_last = end_ == file_.end();
    const std::uint64_t probe = is_first ? begin_ : begin_ - 1;
    set_range(from_, probe, file_.end());
    const status result = text.refill();
    if (result != status::ok) return result;
    char* const edge = text.position + (end_ - 1 - probe);  // from which byte on a blank ends the piece
    if (edge > text.end) return aim_by_search();
    if (!is_first) {
      const char* const first = after_separator(text.position, edge, at::blank);
      text.position += (first == nullptr ? edge : first) - text.position;
      if (first == nullptr) {
        text.end_before(text.position);
        return status::ok;
      }
    }
    if (is_last) return status::ok;
    const char* const last = after_separator(edge, text.end, at::blank);
    if (last == nullptr) return aim_by_search();
    text.end_before(edge + (last - edge));
    return status::ok;
  }

  // Where a token is longer than a page, or a read gave less than was asked for.
  HEADRACE_COLD status aim_by_search() noexcept {
    std::uint64_t first = begin_, last = end_;
    status result = status::ok;
    if (begin_ != file_.begin()) result = find_cut(file_.descriptor(), begin_, end_, at::blank, first);
    if (result == status::ok && first != end_ && end_ != file_.end()) {
      result = find_cut(file_.descriptor(), end_, file_.end(), at::blank, last);
    }
    set_range(from_, first, last);
    return result;
  }

  const input_file& file_;
  reader from_;
  std::size_t size_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

// Reads pieces and puts their values into a column.
template <class T>
class value_worker {
 public:
  value_worker(const input_file& file, std::size_t size, placed_column<T>& all) noexcept
      : file_(file), pieces_(file, size), all_(all) {}

  void prepare(std::size_t piece) {
    values_.clear();
    from_ = &pieces_.aim_at(piece, result_);
    if (result_ == status::ok) result_ = fill(*from_, values_);
  }
  void claim() {
    if (result_ != status::end) reader_access::fail(*from_, result_, kind_of<T>);
    // A token that was in one piece, and in the next one when that was read.
    if (unlikely(!all_.has_room_for(values_))) {
      raise_input_error(message{file_.name(), ": cannot read: the file changed while it was being read"},
                        std::errc::io_error, {0, 0, 0});
    }
    place_ = all_.claim(values_);
  }
  void place() noexcept { all_.place(values_, place_); }

 private:
  const input_file& file_;
  piece_reader pieces_;
  reader* from_ = nullptr;
  status result_ = status::ok;
  column<T> values_;
  placed_column<T>& all_;
  place_of<T> place_;
};

// A regular file in pieces of `size` bytes.
template <class T>
column<T> read_pieces(const input_file& file, unsigned count, std::size_t size) {
  const auto pieces = static_cast<std::size_t>((file.size() + size - 1) / size);
  const std::uint64_t most = std::is_same_v<T, char> ? file.size() : file.size() / 2 + 1;  // a digit and a blank
  placed_column<T> all(most, pieces, count);
  in_turns<value_worker<T>>(pieces, count, file, size, all);
  return static_cast<column<T>&&>(all.values);
}

template <class T>
column<T> read_all(const input_file& file, threads on) {
  if constexpr (is_of_one_token<T>) {
    const unsigned count = threads_for_pieces(file, on);
    if (count > 1) return read_pieces<T>(file, count, piece_size);
  }
  return with_one_reader(file, on, [](reader& from) { return headrace::read_all<T>(from); });
}

}  // namespace detail

template <class T>
column<T> read_all(const char* path, threads on) {
  return detail::read_all<T>(detail::input_file(path), on);
}

template <class T, class Path, class>
column<T> read_all(const Path& path, threads on) {
  return detail::with_path(path, [&](const char* name) { return headrace::read_all<T>(name, on); });
}

template <class T>
column<T> read_all(int descriptor, threads on) {
  return detail::read_all<T>(detail::input_file(descriptor), on);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
