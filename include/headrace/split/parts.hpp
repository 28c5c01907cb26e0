// headrace/split/parts.hpp: where a file is cut, and readers of its parts. Not for users.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../split.hpp"
#include "../detail/file.hpp"
#include "../detail/given_end.hpp"
#include "../detail/raise.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Calls use(path) with a path of any type as a const char*.
template <class Path, class Use>
auto with_path(const Path& path, Use use) {
  constexpr bool is_pointer = std::is_convertible_v<const Path&, const char*>;
  constexpr bool names_file = is_pointer || (std::is_class_v<Path> && std::is_constructible_v<reader, const Path&>);
  static_assert(names_file, "headrace: the path is a const char*, a std::string or a std::filesystem::path");
  if constexpr (is_pointer) {
    return use(static_cast<const char*>(path));
  } else if constexpr (!names_file) {
    return use(nullptr);
  } else if constexpr (std::is_convertible_v<const Path&, std::string_view>) {
    return use(source_path(path));
  } else {
    return use(source_path(path.string()));
  }
}

// Has a reader read the bytes [begin, end) of its file.
inline void set_range(reader& from, std::uint64_t begin, std::uint64_t end) noexcept {
  source& bytes = reader_access::source_of(from);
  reader_access::window_of(from).sync_position(bytes);
  bytes.aim_at(begin, end);
}

// Appends all values up to the end, which is status::end, or to what stops before it.
template <class T>
status fill(reader& from, column<T>& all) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    for (;;) {
      T* const next = all.make_room(1);
      std::size_t done = 0;
      const status result = reader_access::fetch_many(from, next, all.capacity() - all.size(), done);
      all.set_size(all.size() + done);
      if (result != status::ok) return result;
    }
  } else {
    for (T value{};; all.push_back(static_cast<T&&>(value))) {
      const status result = reader_access::fetch(from, value);
      if (result != status::ok) return result;
    }
  }
}

// A file that is read in parts, or else by one reader.
class input_file {
 public:
  explicit input_file(const char* path)
      : name_(not_null_source(path, open_null_path)), descriptor_(open_file(path, open_mode::read)) {
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

// The byte after the first separator in [first, last), or nullptr. May read 7 bytes after `last`.
inline const char* after_separator(const char* first, const char* last, at where) noexcept {
  const char* const found =
      where == at::blank ? find_whitespace(first, last)
      : first == last    ? last
                         : static_cast<const char*>(std::memchr(first, '\n', static_cast<std::size_t>(last - first)));
  return found == nullptr || found == last ? nullptr : found + 1;
}

// A part that is wanted at `offset`, which is not the first byte, begins after the first separator from the byte before
// it on; at `limit` where that is no earlier. A file that ends before is found out by who reads the part.
inline status find_cut(int descriptor, std::uint64_t offset, std::uint64_t limit, at where,
                       std::uint64_t& cut) noexcept {
  char chunk[16 * 1024 + 8];
  std::size_t wanted = 256;  // more than most words and lines
  cut = limit;
  for (std::uint64_t from = offset - 1; from + 1 < limit; wanted = sizeof chunk - 8) {
    const std::uint64_t rest = limit - 1 - from;
    const transfer got = read_at(descriptor, chunk, rest < wanted ? static_cast<std::size_t>(rest) : wanted, from);
    if (got.error != 0) return system_status(got.error);
    if (got.size == 0) break;
    std::memset(chunk + got.size, 0, 8);
    const char* const found = after_separator(chunk, chunk + got.size, where);
    if (found != nullptr) {
      cut = from + static_cast<std::uint64_t>(found - chunk);
      break;
    }
    from += got.size;
  }
  return status::ok;
}

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

// Where parts of [begin, end) that are wanted at `wanted` begin, the first one before them, and where the last one
// ends; find(offset, cut) looks for one.
template <class Find>
std::vector<std::uint64_t> cut_at(std::uint64_t begin, std::uint64_t end, const std::vector<std::uint64_t>& wanted,
                                  Find find) {
  std::vector<std::uint64_t> cuts{begin};
  cuts.reserve(wanted.size() + 2);
  for (const std::uint64_t offset : wanted) {
    std::uint64_t cut = cuts.back();
    if (offset > cut) find(offset, cut);
    cuts.push_back(cut);
  }
  cuts.push_back(end);
  return cuts;
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

// Of the bytes from `begin` on.
inline std::vector<reader> split_from(const input_file& file, std::uint64_t begin, std::size_t pieces, at where) {
  const auto find = [&](std::uint64_t wanted, std::uint64_t& cut) {
    const status found = find_cut(file.descriptor(), wanted, file.end(), where, cut);
    if (found != status::ok) raise_input_system_error(file.name(), "read", static_cast<int>(found));
  };
  return make_parts(file, cut_at(begin, file.end(), equal_parts(begin, file.end(), pieces), find));
}

inline std::vector<reader> split_file(const input_file& file, std::size_t pieces, at where) {
  require_pieces(file.name(), pieces);
  require_regular(file);
  return split_from(file, file.begin(), pieces, where);
}

}  // namespace detail

inline std::vector<reader> split(const char* path, std::size_t pieces, at where) {
  return detail::split_file(detail::input_file(path), pieces, where);
}

template <class Path, class>
std::vector<reader> split(const Path& path, std::size_t pieces, at where) {
  return detail::with_path(path, [&](const char* name) { return split(name, pieces, where); });
}

inline std::vector<reader> split(int descriptor, std::size_t pieces, at where) {
  return detail::split_file(detail::input_file(descriptor), pieces, where);
}

inline std::vector<reader> split_text(std::string_view text, std::size_t pieces, at where) {
  detail::require_pieces("<memory>", pieces);
  const auto find = [&](std::uint64_t wanted, std::uint64_t& cut) {
    const std::string_view separators = where == at::line ? "\n" : " \t\n\v\f\r";
    const std::size_t found = text.find_first_of(separators, static_cast<std::size_t>(wanted) - 1);
    cut = found == text.npos ? text.size() : found + 1;
  };
  const std::vector<std::uint64_t> wanted = detail::equal_parts(0, text.size(), pieces);
  const std::vector<std::uint64_t> cuts = detail::cut_at(0, text.size(), wanted, find);
  std::vector<reader> all;
  all.reserve(pieces);
  for (std::size_t i = 0; i < pieces; ++i)
    all.push_back(detail::reader_access::make(text.data(), static_cast<std::size_t>(cuts[i]),
                                              static_cast<std::size_t>(cuts[i + 1])));
  return all;
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
