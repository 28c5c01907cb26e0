// headrace/copy.hpp: bytes from a source to a sink by the fastest route that the two ends allow.
//
//   headrace::copy("a.log", "b.log");             // paths: the sink is created, or replaced
//   headrace::copy(0, 1);                         // descriptors: from where one is to where the other is
//   headrace::copy(stdin, stdout);                // FILE*: what it has read ahead, or holds to be written, goes first
//   headrace::copy(headrace::in, headrace::out);  // readers and writers: the same
//
// An int is a descriptor and a string is a path; the two ends may differ in kind. A FILE* without a descriptor
// (fmemopen) can be a source only.
//
// Copies until the source ends or `limit` is reached and returns the bytes copied. Both ends are then just past the
// last byte, so that either can go on being used; a path is opened and closed by the copy itself. A reader first
// flushes the writer that it is tied to; no other source flushes anything.
//  - A source that grows is followed to the end that it has when we get there; one that shrinks ends early. Neither
//    is an error, and the sink is never longer than what arrived. Bytes that a pipe or a socket has received without a
//    copy are still the source's pages: overwriting the source before they are read shows, but for
//    copy_options::snapshot.
//  - An appending sink is appended to. Holes of a sparse source stay holes where the sink is a fresh regular file,
//    and arrive as zeros elsewhere. A new file gets the usual permissions, not those of the source.
//  - Throws input_error where the source fails (offset() is the number of bytes that arrived) and output_error where
//    the sink does; both name the end. A source that cannot be opened or is a directory leaves the sink untouched. A
//    source that can seek is then just past the last byte that arrived, and so is a reader; a pipe may have lost up to
//    1 MiB to us.
//  - A file or pipe copied onto itself is an output_error with std::errc::invalid_argument, before anything moves.
//    (Windows does not name files by number: there only two equal paths are recognised.)
// Allocates one buffer of at most 1 MiB, and none where the kernel moves the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "config.hpp"
#include "detail/file.hpp"
#include "detail/stdio.hpp"
#include "error.hpp"
#include "types.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

class copy_source;
class copy_sink;

namespace detail {
struct copy_calls;
struct owned_descriptor;
template <class Calls>
class copier;
}  // namespace detail

struct copy_options {
  std::uint64_t limit = UINT64_MAX;  // the maximum number of bytes

  // Called after every block (16 MiB or less) with the bytes copied so far; false ends the copy there, and copy()
  // returns. What it throws ends the copy, too, and leaves copy() once both ends are in order. A lambda that captures
  // nothing fits; `context` is handed to it.
  bool (*on_progress)(std::uint64_t copied, void* context) = nullptr;
  void* context = nullptr;

  // What arrives is what the source held when it was copied, whatever is written to the source later: the bytes of a
  // file go to a pipe or a socket by a copy. To a pipe that takes 2 to 12 times as long.
  bool snapshot = false;
};

// A template only so that a program that does not copy does not compile it: call it without template arguments.
template <class Calls = detail::copy_calls>
std::uint64_t copy(copy_source from, copy_sink to, const copy_options& options = {});

// ---------------------------------------------------------------------------------------------------------------

namespace detail {

// What a copy asks of a reader and a writer, by address: this header includes neither, so that a program that copies
// files does not compile them.
struct reader_calls {
  std::string_view (*buffered)(void* source);
  void (*consume)(void* source, std::size_t size);
  bool (*fetch_more)(void* source);
  bool (*can_bypass_buffer)(const void* source);
  void (*skip_external)(void* source, std::uint64_t size);
  void (*flush_tied)(void* source);
};

template <class Reader>
constexpr reader_calls reader_calls_of = {
    [](void* source) { return static_cast<Reader*>(source)->buffered(); },
    [](void* source, std::size_t size) { static_cast<Reader*>(source)->consume(size); },
    [](void* source) { return static_cast<Reader*>(source)->fetch_more(); },
    [](const void* source) { return static_cast<const Reader*>(source)->can_bypass_buffer(); },
    [](void* source, std::uint64_t size) { static_cast<Reader*>(source)->skip_external(size); },
    [](void* source) { static_cast<Reader*>(source)->flush_tied(); },
};

struct writer_calls {
  void (*flush)(void* sink);
  transfer (*deliver)(void* sink, const char* from, std::size_t size) noexcept;
  void (*count)(void* sink, std::uint64_t bytes);
};

template <class Writer>
constexpr writer_calls writer_calls_of = {
    [](void* sink) { static_cast<Writer*>(sink)->flush(); },
    [](void* sink, const char* from, std::size_t size) noexcept {
      return static_cast<Writer*>(sink)->deliver(from, size);
    },
    [](void* sink, std::uint64_t bytes) { static_cast<Writer*>(sink)->count_arrived(bytes); },
};

}  // namespace detail

// A source to copy from: a descriptor, a path, a FILE* or a reader.
class copy_source {
 public:
  copy_source(int descriptor) noexcept : descriptor_(descriptor), name_(detail::descriptor_name(descriptor)) {}
  template <class Number, class = detail::if_no_descriptor<Number>>
  copy_source(Number) : copy_source(detail::refuse_descriptor<Number>()) {}
  copy_source(const char* path) : is_path_(true), name_{detail::not_null_source(path, detail::open_null_path)} {}
  copy_source(const std::string& path) : copy_source(detail::source_path(path)) {}
  template <class Path, class = decltype(std::declval<const Path&>().lexically_normal())>
  copy_source(const Path& path) : copy_source(path.string()) {}  // std::filesystem::path
  copy_source(std::FILE* stream)
      : descriptor_(detail::descriptor_of(detail::not_null_source(stream, detail::read_null_stream))),
        stream_(stream),
        name_(detail::stream_name(stream)) {}
  template <class Reader, class = std::enable_if_t<std::is_same_v<Reader, reader>>>
  copy_source(Reader& source)
      : descriptor_(source.descriptor()),
        reader_(&source),
        reader_calls_(&detail::reader_calls_of<Reader>),
        name_{std::string_view(source.name())} {}

  // "<stdin>", "<descriptor 5>", the path, or what the reader or writer is called.
  const char* name() const noexcept { return name_.c_str(); }

 private:
  friend class copy_sink;
  template <class Calls>
  friend std::uint64_t copy(copy_source, copy_sink, const copy_options&);

  // Raises input_error where there is nothing to read.
  void open(detail::owned_descriptor& into) const;
  template <class Calls>
  void move_to(detail::copier<Calls>& work) const;
  template <class Calls>
  bool empty_reader(detail::copier<Calls>& work) const;

  int descriptor_ = -1;
  bool is_path_ = false;
  std::FILE* stream_ = nullptr;
  void* reader_ = nullptr;
  const detail::reader_calls* reader_calls_ = nullptr;
  detail::message name_;
};

// A sink to copy to: the same, or a writer.
class copy_sink {
 public:
  copy_sink(int descriptor) noexcept : descriptor_(descriptor), name_(detail::descriptor_name(descriptor)) {}
  template <class Number, class = detail::if_no_descriptor<Number>>
  copy_sink(Number) : copy_sink(detail::refuse_descriptor<Number>()) {}
  copy_sink(const char* path) : is_path_(true), name_{detail::not_null_sink(path, detail::open_null_path)} {}
  copy_sink(const std::string& path) : copy_sink(detail::sink_path(path)) {}
  template <class Path, class = decltype(std::declval<const Path&>().lexically_normal())>
  copy_sink(const Path& path) : copy_sink(path.string()) {}
  copy_sink(std::FILE* stream)
      : descriptor_(detail::descriptor_of(detail::not_null_sink(stream, detail::write_null_stream))),
        stream_(stream),
        name_(detail::stream_name(stream)) {}
  template <class Writer, class = std::enable_if_t<std::is_same_v<Writer, writer>>>
  copy_sink(Writer& sink)
      : descriptor_(sink.descriptor()),
        writer_(&sink),
        writer_calls_(&detail::writer_calls_of<Writer>),
        name_{std::string_view(sink.name())} {}

  const char* name() const noexcept { return name_.c_str(); }

 private:
  template <class Calls>
  friend std::uint64_t copy(copy_source, copy_sink, const copy_options&);

  template <class Calls>
  struct synchronised;

  // Opens it, empties it, flushes a stream; raises output_error. The source must be another file.
  void open(detail::owned_descriptor& into, const copy_source& from, int source) const;

  int descriptor_ = -1;
  bool is_path_ = false;
  std::FILE* stream_ = nullptr;
  void* writer_ = nullptr;
  const detail::writer_calls* writer_calls_ = nullptr;
  detail::message name_;
};

}  // namespace HEADRACE_ABI
}  // namespace headrace

#if !HEADRACE_COMPILED
#include "detail/copy_impl.hpp"
#endif
