// headrace/iostreams.hpp: a reader of any std::istream, and a writer to any std::ostream. Not part of headrace.hpp.
//
//   headrace::istream_source source(stream);
//   headrace::reader from = headrace::reader::from(source, "name for messages");
//   headrace::ostream_sink sink(stream);
//   headrace::writer to = headrace::writer::into(sink, "name for messages");
//
// The stream and its adapter outlive the reader or writer. A reader takes what the stream's buffer holds, and so reads
// ahead: it does not give back what it has taken. Of a buffer that does not say what it holds (std::cin before
// sync_with_stdio(false)), and that may have to wait, it takes a token at a time. A stream that has failed is an error,
// std::errc::io_error where errno does not say more; one that throws (exceptions(badbit)) is an error like that.
#pragma once

#include <cerrno>
#include <cstddef>
#include <istream>
#include <ostream>
#include <streambuf>

#include "config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

class istream_source {
 public:
  explicit istream_source(std::istream& from) noexcept : from_(&from) {}

  // Up to `size` bytes, at least one; 0 at the end, -1 when the stream has failed.
  std::ptrdiff_t read(char* to, std::size_t size) {
    if (from_->eof()) return 0;
    if (!from_->good() || from_->rdbuf() == nullptr) return -1;
    if (from_->tie() != nullptr) from_->tie()->flush();
    std::streamsize done = 0;
#if defined(__cpp_exceptions)
    try {
      take(to, static_cast<std::streamsize>(size), done);
    } catch (...) {
      if (done == 0) throw;  // else the buffer is asked again after what it gave before
    }
#else
    take(to, static_cast<std::streamsize>(size), done);
#endif
    if (done == 0) from_->setstate(std::ios_base::eofbit);
    return done;
  }

 private:
  // Takes what the buffer holds, or else a byte after the other up to a blank.
  void take(char* to, std::streamsize room, std::streamsize& done) {
    std::streambuf& buffer = *from_->rdbuf();
    while (done < room && (done == 0 || !is_blank(to[done - 1]))) {
      const auto next = buffer.sgetc();  // fills the buffer
      if (next == std::char_traits<char>::eof()) return;
      const std::streamsize held = buffer.in_avail();
      if (held > 1) {
        done += buffer.sgetn(to + done, held < room - done ? held : room - done);
        return;
      }
      to[done] = std::char_traits<char>::to_char_type(next);
      buffer.sbumpc();
      ++done;
    }
  }
  static bool is_blank(char byte) noexcept { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

  std::istream* from_;
};

class ostream_sink {
 public:
  explicit ostream_sink(std::ostream& to) noexcept : to_(&to) {}

  std::ptrdiff_t write(const char* from, std::size_t size) {
    to_->write(from, static_cast<std::streamsize>(size));
    return to_->good() ? static_cast<std::ptrdiff_t>(size) : -1;
  }
  bool flush() { return to_->flush().good(); }

 private:
  std::ostream* to_;
};

}  // namespace HEADRACE_ABI
}  // namespace headrace
