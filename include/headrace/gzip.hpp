// headrace/gzip.hpp: files that gzip has compressed, by the system's zlib. Not part of headrace.hpp. Link with -lz, or
// headrace::gzip of CMake, and with -pthread where the system asks for it.
//
//   headrace::reader in{headrace::gzip_source("trades.csv.gz")};
//   for (auto& [symbol, price] : in.rows<std::string, double>(headrace::csv)) ...
//   headrace::writer out{headrace::gzip_sink("result.csv.gz")};
//   out.write_row(headrace::csv, "a", 1);
//   out.close();                                // writes the end of the data, too, and throws where that fails
//
// (In braces: reader in(gzip_source(path)) would declare a function.) A source is made of anything that a reader is
// made of (a path, a descriptor, a FILE*, an object with read()), or of a reader of the compressed bytes:
// gzip_source(headrace::reader::from(text)). From the first read on a thread of its own decompresses ahead, up to 512
// KiB (not with HEADRACE_THREADS=0, nor on Windows). A reader that goes waits for that thread: where it is reading an
// object, until that answers.
//
// Members one after another are one text. Data that is cut off or damaged, bytes after it that are no gzip data, and
// an empty file are an input_error, std::errc::bad_message, that says where in the compressed file:
//   trades.csv.gz: cannot read: the gzip data is cut off: it ends at byte 81920
// The text before that arrives first, and of a row that is cut off no part does. The checksum is at the end of
// a member: rows before an error may be of damaged data, and only a text that ends without one is known to be whole.
//
// A sink is made of anything that a writer is made of, or of a writer, and a level from 0 to 9. flush() makes all that
// was written readable, for some bytes more. An empty text is a member of 20 bytes.
#pragma once

#include <zlib.h>

#include "compressed/packed.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

// zlib's windowBits: the largest window, 32 KiB, and a header and a checksum of gzip (RFC 1952).
inline constexpr int gzip_window = 15 + 16;

inline uInt zlib_size(std::size_t size) noexcept {
  return static_cast<uInt>(size < max_transfer ? size : max_transfer);
}

class gzip_decoder {
 public:
  static constexpr const char* format = "gzip";
  static bool begins(char first) noexcept { return first == '\x1f'; }

  gzip_decoder() noexcept : is_ready_(inflateInit2(&stream_, gzip_window) == Z_OK) {}
  gzip_decoder(const gzip_decoder&) = delete;
  gzip_decoder& operator=(const gzip_decoder&) = delete;
  ~gzip_decoder() { inflateEnd(&stream_); }

  unpacked decode(const char* from, std::size_t size, char* to, std::size_t room) noexcept {
    unpacked step;
    if (!is_ready_) step.fault = "there is no memory to decompress it";
    if (!is_ready_) return step;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from));
    stream_.avail_in = zlib_size(size);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = zlib_size(room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    step.taken = static_cast<std::size_t>(reinterpret_cast<char*>(stream_.next_in) - from);
    step.given = static_cast<std::size_t>(reinterpret_cast<char*>(stream_.next_out) - to);
    step.is_complete = result == Z_STREAM_END;
    if (step.is_complete) {
      inflateReset(&stream_);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {  // the latter: there is nothing to do
      step.is_foreign = stream_.total_in <= 2;
      step.fault = stream_.msg != nullptr ? stream_.msg : zError(result);
    }
    return step;
  }

 private:
  z_stream stream_{};
  bool is_ready_;
};

class gzip_encoder {
 public:
  static constexpr const char* format = "gzip";
  static int lowest_level() noexcept { return 0; }
  static int highest_level() noexcept { return 9; }

  gzip_encoder() noexcept = default;
  gzip_encoder(const gzip_encoder&) = delete;
  gzip_encoder& operator=(const gzip_encoder&) = delete;
  ~gzip_encoder() { deflateEnd(&stream_); }

  bool begin(int level) noexcept {
    return deflateInit2(&stream_, level, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  packed encode(const char* from, std::size_t size, char* to, std::size_t room, until what) noexcept {
    const uInt offered = zlib_size(size);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from));
    stream_.avail_in = offered;
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = zlib_size(room);
    constexpr int flush[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
    const int result = deflate(&stream_, flush[static_cast<int>(what)]);
    packed step;
    step.taken = offered - stream_.avail_in;
    step.given = static_cast<std::size_t>(reinterpret_cast<char*>(stream_.next_out) - to);
    step.is_done = what == until::finished ? result == Z_STREAM_END : step.taken == size && stream_.avail_out != 0;
    if (result == Z_STREAM_ERROR) step.error = EINVAL;  // after the end
    return step;
  }

 private:
  z_stream stream_{};
};

}  // namespace detail

// Has the members that reader::from() asks for: read(), which returns at least one byte, 0 at the end or -1 after a
// failure; failure(), nullptr where there was none and where errno says it; name(), that of the compressed file.
class gzip_source : public detail::unpacked_source<detail::gzip_decoder> {
 public:
  // From what a reader is made of. Throws input_error where a file cannot be opened.
  template <class From, class = std::enable_if_t<std::is_constructible_v<reader, From&&>>>
  explicit gzip_source(From&& from) : unpacked_source(std::forward<From>(from)) {}
};

// Has the members that writer::into() asks for: write(), flush() and close(), which ends the data; so does the
// destructor, which cannot report a failure; name(), that of the compressed file.
class gzip_sink : public detail::packed_sink<detail::gzip_encoder> {
 public:
  // To what a writer is made of, at a level of 0 to 9. Throws output_error where a file cannot be opened, and,
  // before that, for a level that there is not.
  template <class To, class = std::enable_if_t<std::is_constructible_v<writer, To&&>>>
  explicit gzip_sink(To&& to, int level = 6) : packed_sink(std::forward<To>(to), level) {}
};

}  // namespace HEADRACE_ABI
}  // namespace headrace
