// headrace/replace/output.hpp: standard output as a std::ostream whose buffer can be written to. Not for users.
#pragma once

#include <cstddef>
#include <cstring>
#include <iostream>
#include <streambuf>

#include "../config.hpp"
#include "../detail/file.hpp"
#include "flushes.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// The buffer of standard output. Where the program uses C's stdout, too, it holds nothing and hands everything to the
// standard library's own buffer.
class output_buffer final : public std::streambuf {
 public:
  static constexpr std::size_t size = 65536;

  output_buffer() { setp(bytes_, bytes_ + size); }

  char* here() const { return pptr(); }
  std::size_t room() const { return static_cast<std::size_t>(epptr() - pptr()); }
  void move_to(const char* to) { pbump(static_cast<int>(to - pptr())); }
  bool is_plain() const { return plain_; }

  // As share() of input_buffer.
  void share() {
    write_out();
    original_ = std::cout.rdbuf();
    plain_ = false;
    setp(nullptr, nullptr);
  }

  // A flush that the program asks for. False when the bytes could not be written.
  bool flush() {
    if (original_ != nullptr) return std::cout.rdbuf()->pubsync() == 0;
    if (flushes.eager || !may_put_off()) return write_out();
    flushes.begin = written_;
    flushes.end = pptr();
    return true;
  }

  // Writes everything now.
  bool write_out() {
    if (original_ != nullptr) return std::cout.rdbuf()->pubsync() == 0;
    note_flushed();
    const char* const from = written_;
    flushes.end = nullptr;
    const transfer done = write_all(1, from, static_cast<std::size_t>(pptr() - from));
    place_.move_by(done.size);
    start_again();
    return done.error == 0;
  }

 protected:
  int_type overflow(int_type byte) override {
    if (original_ != nullptr) {
      return traits_type::eq_int_type(byte, traits_type::eof())
                 ? traits_type::not_eof(byte)
                 : std::cout.rdbuf()->sputc(traits_type::to_char_type(byte));
    }
    if (!write_out()) return traits_type::eof();
    return traits_type::eq_int_type(byte, traits_type::eof()) ? traits_type::not_eof(byte)
                                                              : sputc(traits_type::to_char_type(byte));
  }

  std::streamsize xsputn(const char* from, std::streamsize count) override {
    if (original_ != nullptr) return std::cout.rdbuf()->sputn(from, count);
    const auto wanted = static_cast<std::size_t>(count);
    if (wanted > room()) {
      if (!write_out()) return 0;
      if (wanted >= size) {
        const std::size_t done = write_all(1, from, wanted).size;
        place_.move_by(done);
        return static_cast<std::streamsize>(done);
      }
    }
    std::memcpy(pptr(), from, wanted);
    pbump(static_cast<int>(wanted));
    return count;
  }

  int sync() override { return flush() ? 0 : -1; }

  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override {
    if (original_ != nullptr) return std::cout.rdbuf()->pubseekoff(offset, from, which);
    note_flushed();
    if (from == std::ios_base::cur && offset == 0) {
      const std::int64_t place = place_.now();
      return place < 0 ? pos_type(off_type(-1)) : pos_type(off_type(place + (pptr() - written_)));
    }
    if (!write_out()) return pos_type(off_type(-1));
    const int whence = from == std::ios_base::beg ? SEEK_SET : from == std::ios_base::end ? SEEK_END : SEEK_CUR;
    place_.forget();
    return pos_type(off_type(seek(1, offset, whence)));
  }

  pos_type seekpos(pos_type place, std::ios_base::openmode which) override {
    return seekoff(off_type(place), std::ios_base::beg, which);
  }

  void imbue(const std::locale& other) override { plain_ = original_ == nullptr && other == std::locale::classic(); }

 private:
  // Takes note of what do_flushes() has written since.
  void note_flushed() {
    if (flushes.begin == nullptr) return;
    place_.move_by(static_cast<std::size_t>(flushes.begin - written_));
    written_ = flushes.begin;
  }
  void start_again() {
    setp(bytes_, bytes_ + size);
    written_ = bytes_;
    flushes.begin = nullptr;
  }
  bool may_put_off() {
    note_flushed();
    if (!knows_its_end_) look_at_the_end();
    return puts_off_;
  }
  HEADRACE_COLD void look_at_the_end() {
    knows_its_end_ = true;
    const file_info end = describe(1);
    puts_off_ = end.error == 0 && (end.kind == file_kind::regular || is_null_device());
    if (puts_off_) watch_the_end();
  }
  static bool is_null_device() {
    struct stat end, null;
    return ::fstat(1, &end) == 0 && ::stat("/dev/null", &null) == 0 && S_ISCHR(end.st_mode) &&
           end.st_rdev == null.st_rdev;
  }

  bool plain_ = true;
  bool knows_its_end_ = false;
  bool puts_off_ = false;
  kept_place place_{1};
  const char* written_ = bytes_;  // what is before it in the buffer has been written
  std::streambuf* original_ = nullptr;
  char bytes_[size];
};

// Standard output; see `input`.
class output final : public std::ostream {
 public:
  output() : std::ostream(nullptr) { init(&buffer); }

  // True where usual insertion may write to the buffer. Of the format only what insert.hpp looks at itself may differ.
  bool is_plain() const {
    constexpr fmtflags looked_at =
        std::ios_base::skipws | std::ios_base::adjustfield | std::ios_base::floatfield | std::ios_base::boolalpha;
    return (flags() & ~looked_at) == std::ios_base::dec && may_write();
  }
  bool may_write() const {
    return rdstate() == goodbit && std::ostream::rdbuf() == &buffer && buffer.is_plain() && tie() == nullptr;
  }

  output& put(char byte) {
    if (likely(is_plain() && buffer.room() != 0)) {
      *buffer.here() = byte;
      buffer.move_to(buffer.here() + 1);
    } else {
      std::ostream::put(byte);
    }
    return *this;
  }
  output& write(const char* from, std::streamsize size) {
    std::ostream::write(from, size);
    return *this;
  }
  output& flush() {
    std::ostream::flush();
    return *this;
  }

  output_buffer buffer;
};

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
