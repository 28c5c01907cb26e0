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

  // The sink gets what the source held when it was copied, whatever is written to the source later: the bytes of a
  // file go to a pipe or a socket by a copy. To a pipe that takes 2 to 12 times as long.
  bool snapshot = false;
};

// A template only so that a program that does not copy does not compile it: call it without template arguments.
template <class Calls = detail::copy_calls>
std::uint64_t copy(copy_source from, copy_sink to, const copy_options& options = {});

// ---------------------------------------------------------------------------------------------------------------

namespace detail {

// A copy reaches a reader and a writer by the addresses of these functions: this header includes neither, so that a
// program that copies files does not compile them.
struct reader_calls {
  std::string_view (*buffered)(void* source);
  void (*consume)(void* source, std::size_t size);
  bool (*fetch_more)(void* source);
  bool (*can_bypass_buffer)(const void* source);
  void (*skip_external)(void* source, std::uint64_t size);
  void (*flush_tied)(void* source);
};

struct writer_calls {
  void (*flush)(void* sink);
  transfer (*deliver)(void* sink, const char* from, std::size_t size) noexcept;
  void (*count)(void* sink, std::uint64_t bytes);
};

template <class Calls, class Object>
constexpr Calls calls_of = {};
template <class Reader>
constexpr reader_calls calls_of<reader_calls, Reader> = {
    [](void* source) { return static_cast<Reader*>(source)->buffered(); },
    [](void* source, std::size_t size) { static_cast<Reader*>(source)->consume(size); },
    [](void* source) { return static_cast<Reader*>(source)->fetch_more(); },
    [](const void* source) { return static_cast<const Reader*>(source)->can_bypass_buffer(); },
    [](void* source, std::uint64_t size) { static_cast<Reader*>(source)->skip_external(size); },
    [](void* source) { static_cast<Reader*>(source)->flush_tied(); },
};
template <class Writer>
constexpr writer_calls calls_of<writer_calls, Writer> = {
    [](void* sink) { static_cast<Writer*>(sink)->flush(); },
    [](void* sink, const char* from, std::size_t size) noexcept {
      return static_cast<Writer*>(sink)->deliver(from, size);
    },
    [](void* sink, std::uint64_t bytes) { static_cast<Writer*>(sink)->count_arrived(bytes); },
};

// An end of a copy: a descriptor, a path, a FILE*, or an Object by its calls.
template <class Object, class Calls>
class copy_end {
 public:
  copy_end(int descriptor) noexcept : descriptor_(descriptor), name_(descriptor_name(descriptor)) {}
  template <class Number, class = if_no_descriptor<Number>>
  copy_end(Number) : copy_end(refuse_descriptor<Number>()) {}
  copy_end(const char* path) : is_path_(true), name_{not_null<is_source>(path, open_null_path)} {}
  copy_end(const std::string& path) : copy_end(whole_path<is_source>(path)) {}
  template <class Path, class = decltype(std::declval<const Path&>().lexically_normal())>
  copy_end(const Path& path) : copy_end(path.string()) {}  // std::filesystem::path
  copy_end(std::FILE* stream)
      : descriptor_(descriptor_of(not_null<is_source>(stream, is_source ? read_null_stream : write_null_stream))),
        stream_(stream),
        name_(stream_name(stream)) {}
  template <class Same, class = std::enable_if_t<std::is_same_v<Same, Object>>>
  copy_end(Same& object)
      : descriptor_(object.descriptor()),
        object_(&object),
        calls_(&calls_of<Calls, Same>),
        name_{std::string_view(object.name())} {}

  // "<stdin>", "<descriptor 5>", the path, or what the reader or writer is called.
  const char* name() const noexcept { return name_.c_str(); }

 protected:
  static constexpr bool is_source = std::is_same_v<Calls, reader_calls>;

  // The descriptor, or that of the path, which is opened; raises the error of this end.
  void open_as(open_mode mode, owned_descriptor& into) const;

  int descriptor_ = -1;
  bool is_path_ = false;
  std::FILE* stream_ = nullptr;
  void* object_ = nullptr;
  const Calls* calls_ = nullptr;
  message name_;
};

}  // namespace detail

// A source to copy from: a descriptor, a path, a FILE* or a reader.
class copy_source : public detail::copy_end<reader, detail::reader_calls> {
 public:
  using copy_end::copy_end;

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
};

// A sink to copy to: the same, or a writer.
class copy_sink : public detail::copy_end<writer, detail::writer_calls> {
 public:
  using copy_end::copy_end;

 private:
  template <class Calls>
  friend std::uint64_t copy(copy_source, copy_sink, const copy_options&);

  template <class Calls>
  struct synchronised;

  // Opens it, empties it, flushes a stream; raises output_error. The source must be another file.
  void open(detail::owned_descriptor& into, const copy_source& from, int source) const;
};

}  // namespace HEADRACE_ABI
}  // namespace headrace

#if HEADRACE_COMPILED != 1
#include "detail/copier.hpp"
#endif
