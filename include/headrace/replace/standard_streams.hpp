// headrace/replace/standard_streams.hpp: standard input and output as streams whose buffers can be looked into: made
// before what a program makes, and flushed after it. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <streambuf>
#include <string>
#include <type_traits>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "../config.hpp"
#include "../detail/file.hpp"
#include "values.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// False in a program that starts another process, or that may end without its exit handlers: another one may move this
// one's places in its files.
inline bool is_alone = true;
inline void note_fork() noexcept { is_alone = false; }

// The place of standard input or output in its file, kept so that asking for it again needs no system call.
class kept_place {
 public:
  explicit constexpr kept_place(int descriptor) noexcept : descriptor_(descriptor) {}

  // Negative where there is none.
  std::int64_t now() noexcept {
    if (known_ && is_alone) return place_;
    place_ = tell(descriptor_);
    known_ = may_keep() && place_ >= 0;
    return place_;
  }
  // So many bytes were read or written.
  void move_by(std::size_t count) noexcept { place_ += static_cast<std::int64_t>(count); }

  // Moves the descriptor, as lseek does.
  std::int64_t move_to(std::int64_t offset, std::ios_base::seekdir from) noexcept {
    known_ = false;
    return seek(descriptor_, offset,
                from == std::ios_base::beg   ? SEEK_SET
                : from == std::ios_base::end ? SEEK_END
                                             : SEEK_CUR);
  }

 private:
  // True for a regular file that nothing else of this process writes to, or reads from, and that is not appended to.
  bool may_keep() noexcept {
    if (looked_) return alone_;
    looked_ = true;
    struct stat own, other;
    alone_ = ::fstat(descriptor_, &own) == 0 && S_ISREG(own.st_mode) && (::fcntl(descriptor_, F_GETFL) & O_APPEND) == 0;
    for (int standard = 0; standard != 3; ++standard) {
      if (standard == descriptor_ || ::fstat(standard, &other) != 0) continue;
      alone_ = alone_ && (other.st_ino != own.st_ino || other.st_dev != own.st_dev);
    }
    if (alone_) ::pthread_atfork(nullptr, note_fork, note_fork);
    return alone_;
  }

  const int descriptor_;
  bool known_ = false;
  bool looked_ = false;
  bool alone_ = false;
  std::int64_t place_ = 0;
};

// The buffer of standard input or output.
class end_buffer : public std::streambuf {
 public:
  static constexpr std::size_t size = 65536;

  // False with another locale, which may group digits or call other bytes whitespace: the standard library does it all.
  bool is_plain() const { return is_plain_; }

 protected:
  explicit end_buffer(int descriptor) : place_(descriptor) {}

  pos_type seekpos(pos_type place, std::ios_base::openmode which) override {
    return seekoff(off_type(place), std::ios_base::beg, which);
  }
  void imbue(const std::locale& other) override { is_plain_ = other == std::locale::classic(); }

  kept_place place_;

 private:
  bool is_plain_ = true;
};

// Hands everything to the buffer that std::cin or std::cout has at the time, and holds nothing: for a program that uses
// C's stdin or stdout, too.
class shared_buffer final : public std::streambuf {
 public:
  explicit shared_buffer(std::ios& original) : original_(original) {}

 protected:
  int_type underflow() override { return original_.rdbuf()->sgetc(); }
  int_type uflow() override { return original_.rdbuf()->sbumpc(); }
  int_type pbackfail(int_type byte) override {
    const bool is_unget = traits_type::eq_int_type(byte, traits_type::eof());
    return is_unget ? original_.rdbuf()->sungetc() : original_.rdbuf()->sputbackc(traits_type::to_char_type(byte));
  }
  std::streamsize xsgetn(char* to, std::streamsize wanted) override { return original_.rdbuf()->sgetn(to, wanted); }
  int_type overflow(int_type byte) override {
    const bool is_nothing = traits_type::eq_int_type(byte, traits_type::eof());
    return is_nothing ? traits_type::not_eof(byte) : original_.rdbuf()->sputc(traits_type::to_char_type(byte));
  }
  std::streamsize xsputn(const char* from, std::streamsize count) override {
    return original_.rdbuf()->sputn(from, count);
  }
  int sync() override { return original_.rdbuf()->pubsync(); }
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override {
    return original_.rdbuf()->pubseekoff(offset, from, which);
  }
  pos_type seekpos(pos_type place, std::ios_base::openmode which) override {
    return original_.rdbuf()->pubseekpos(place, which);
  }

 private:
  std::ios& original_;
};

class output_buffer final : public end_buffer {
 public:
  output_buffer() : end_buffer(1) { setp(bytes_, bytes_ + size); }

  char* here() const { return pptr(); }
  std::size_t room() const { return static_cast<std::size_t>(epptr() - pptr()); }
  void move_to(const char* to) { pbump(static_cast<int>(to - pptr())); }

  // Writes everything. False when the bytes could not be written.
  bool write_out() {
    const char* const from = written_;
    put_off_to_ = nullptr;
    const transfer done = write_all(1, from, static_cast<std::size_t>(pptr() - from));
    place_.move_by(done.size);
    setp(bytes_, bytes_ + size);
    written_ = bytes_;
    return done.error == 0;
  }

  // Writes what a flush was put off of. Async-signal-safe.
  void write_put_off() noexcept {
    const char* const from = written_;
    const char* const to = put_off_to_;
    if (to == nullptr) return;
    written_ = to;
    put_off_to_ = nullptr;
    if (from < to) place_.move_by(write_all(1, from, static_cast<std::size_t>(to - from)).size);
  }

  // Whether a flush may wait. Null: none does. Set by put_off_flushes.hpp.
  bool (*may_put_off)() noexcept = nullptr;

 protected:
  int_type overflow(int_type byte) override {
    if (!write_out()) return traits_type::eof();
    return traits_type::eq_int_type(byte, traits_type::eof()) ? traits_type::not_eof(byte)
                                                              : sputc(traits_type::to_char_type(byte));
  }

  std::streamsize xsputn(const char* from, std::streamsize count) override {
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

  // A flush that the program asks for.
  int sync() override {
    if (likely(may_put_off == nullptr || !may_put_off())) return write_out() ? 0 : -1;
    put_off_to_ = pptr();
    return 0;
  }

  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    if (from == std::ios_base::cur && offset == 0) {
      const std::int64_t place = place_.now();
      return place < 0 ? pos_type(off_type(-1)) : pos_type(off_type(place + (pptr() - written_)));
    }
    return write_out() ? pos_type(off_type(place_.move_to(offset, from))) : pos_type(off_type(-1));
  }

 private:
  // For a signal handler, too.
  const char* volatile written_ = bytes_;      // the first byte that was not written
  const char* volatile put_off_to_ = nullptr;  // where the buffer was when a flush was put off
  char bytes_[size];
};

class output final : public std::ostream {
 public:
  static constexpr bool keeps_what_follows = false;

  output() : std::ostream(nullptr) { init(&buffer); }

  // The members that values.hpp asks of a stream.
  bool writes_plainly() const { return is_plain_format(flags()) && may_write(); }
  char* room_for(std::size_t size) const { return likely(buffer.room() >= size) ? buffer.here() : nullptr; }
  void put_up_to(const char* place) { buffer.move_to(place); }
  HEADRACE_INLINE bool put_text(const char* text, std::size_t size) {
    if (unlikely(buffer.room() < size)) return false;
    if (size != 0) std::memcpy(buffer.here(), text, size);
    buffer.move_to(buffer.here() + size);
    return true;
  }

  output& put(char byte) {
    if (unlikely(!writes_plainly() || !put_text(&byte, 1))) std::ostream::put(byte);
    return *this;
  }

  // Writes through the standard library's buffer from now on.
  void share() {
    buffer.write_out();
    is_shared_ = true;
    rdbuf(&shared_);
  }
  bool is_shared() const { return is_shared_; }

  // Writes everything, and at once what the destructors of other objects write yet.
  void end() {
    buffer.write_out();
    buffer.may_put_off = nullptr;
    if (rdbuf() != nullptr) rdbuf()->pubsync();  // the program may have taken the buffer away
    setf(std::ios_base::unitbuf);
  }

  output_buffer buffer;

 private:
  bool may_write() const { return rdstate() == goodbit && rdbuf() == &buffer && buffer.is_plain() && tie() == nullptr; }

  bool is_shared_ = false;
  shared_buffer shared_{std::cout};
};

// Holds a stream that is never destroyed; it is made by the first `user` of the program.
template <class Stream>
union lasting {
  constexpr lasting() noexcept : none() {}
  ~lasting() {}  // NOLINT: the stream outlives all that may use it
  char none;
  Stream stream;
};
inline lasting<output> output_place;

class input_buffer final : public end_buffer {
 public:
  static constexpr std::size_t kept = 16;  // bytes that can be put back after the buffer was filled again

  input_buffer() : end_buffer(0) {}

  const char* here() const { return gptr(); }
  const char* end() const { return egptr(); }
  void move_to(const char* to) { gbump(static_cast<int>(to - gptr())); }

  // Gives back to a file what was read ahead, so that the next program that reads it goes on where this one stopped.
  void give_back() {
    if (egptr() == gptr()) return;
    if (place_.move_to(-(egptr() - gptr()), std::ios_base::cur) >= 0) setg(nullptr, nullptr, nullptr);
  }

  std::ostream* tied = nullptr;  // is flushed before the program waits for input

 protected:
  int_type underflow() override {
    if (gptr() != egptr()) return traits_type::to_int_type(*gptr());
    if (tied != nullptr) tied->flush();
    output_place.stream.buffer.write_put_off();
    const std::size_t old = gptr() == nullptr ? 0 : static_cast<std::size_t>(egptr() - eback());
    const std::size_t keep = old < kept ? old : kept;
    if (keep != 0) std::memmove(bytes_ + kept - keep, egptr() - keep, keep);
    const transfer got = read_some(0, bytes_ + kept, size);
    place_.move_by(got.size);
    setg(bytes_ + kept - keep, bytes_ + kept, bytes_ + kept + got.size);
    if (got.size != 0) return traits_type::to_int_type(*gptr());
    if (is_unsynced()) setg(gptr(), gptr(), gptr());  // what is put back now is read from the file again, if at all
    return traits_type::eof();
  }

  int_type uflow() override {
    const int_type byte = std::streambuf::uflow();
    if (traits_type::eq_int_type(byte, traits_type::eof())) note_end();
    return byte;
  }

  int_type pbackfail(int_type byte) override {
    const bool is_unget = traits_type::eq_int_type(byte, traits_type::eof());
    if (gptr() == eback() && !make_byte_before(is_unget)) return traits_type::eof();
    gbump(-1);
    if (!is_unget) *gptr() = traits_type::to_char_type(byte);
    return traits_type::not_eof(byte);
  }

  std::streamsize xsgetn(char* to, std::streamsize wanted) override {
    const std::streamsize got = std::streambuf::xsgetn(to, wanted);
    if (got > 0 && gptr() == eback() && !is_unsynced()) setg(gptr() - 1, gptr(), egptr());  // note_end() hid it
    return got;
  }

  int sync() override { return 0; }

  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const off_type held = egptr() - gptr();
    if (from == std::ios_base::cur && offset == 0) {
      const std::int64_t read_to = place_.now();
      return read_to < 0 ? pos_type(off_type(-1)) : pos_type(off_type(read_to - held));
    }
    const std::int64_t place = place_.move_to(from == std::ios_base::cur ? offset - held : offset, from);
    if (place < 0) return pos_type(off_type(-1));
    if (gptr() != eback()) last_ = traits_type::to_int_type(gptr()[-1]);
    setg(nullptr, nullptr, nullptr);
    return pos_type(off_type(place));
  }

 private:
  // With libstdc++ cin's own buffer is C's stdin, or a file buffer after sync_with_stdio(false). They differ in what
  // can be put back: stdin takes any byte, and unget() means the byte that was read last, also after a seek; the file
  // buffer has only bytes of the file, which it reads again.
  bool is_unsynced() const { return std::cin.rdbuf() != synced_; }

  // A read past the end: with libstdc++ there is then no byte that was read last.
  void note_end() {
#if defined(__GLIBCXX__)
    if (is_unsynced()) return;
    last_ = traits_type::eof();
    setg(gptr(), gptr(), gptr());
#endif
  }

  // Makes a byte before gptr() where the buffer has none. False where cin's own buffer cannot do it either.
  HEADRACE_COLD bool make_byte_before(bool is_unget) {
    if (is_unsynced()) {
      if (seekoff(-1, std::ios_base::cur, std::ios_base::in) == pos_type(off_type(-1))) return false;
      if (traits_type::eq_int_type(underflow(), traits_type::eof())) return false;
      gbump(1);
      return true;
    }
    if (is_unget && traits_type::eq_int_type(last_, traits_type::eof())) return false;
    if (gptr() == nullptr) setg(bytes_ + kept, bytes_ + kept, bytes_ + kept);
    if (gptr() == bytes_) return false;
    setg(gptr() - 1, gptr(), egptr());
    if (is_unget) *eback() = traits_type::to_char_type(last_);
    last_ = traits_type::eof();
    return true;
  }

  int_type last_ = traits_type::eof();  // the byte before the place of a seek: read last, and no longer held
  const std::streambuf* const synced_ = std::cin.rdbuf();
  char bytes_[kept + size];
};

#if !defined(__GLIBCXX__)
// libc++ keeps the count of gcount() in a private member, which only an explicit instantiation may name.
std::streamsize& count_of(std::istream& stream) noexcept;
template <std::streamsize std::istream::* Count>
struct count_of_library {
  friend std::streamsize& count_of(std::istream& stream) noexcept { return stream.*Count; }
};
template struct count_of_library<&std::istream::__gc_>;
#endif

// Functions that a program reaches through a std::istream& are the standard library's; those here do the same on what
// the buffer holds, and leave to them what it does not hold.
class input final : public std::istream {
 public:
  input() : std::istream(nullptr) { init(&buffer); }

  // The members that values.hpp asks of a stream.
  bool reads_plainly() const {
    constexpr fmtflags wanted = std::ios_base::skipws | std::ios_base::dec;
    constexpr fmtflags seen = wanted | std::ios_base::basefield;
    return (flags() & seen) == wanted && may_look();
  }
  bool may_look() const { return rdstate() == goodbit && rdbuf() == &buffer && buffer.is_plain(); }
  text_window window() const { return {buffer.here(), buffer.end(), false}; }
  void take_up_to(const char* place, const text_window&) { buffer.move_to(place); }

  using std::istream::get;
  int_type get() {
    if (unlikely(!may_look() || buffer.here() == buffer.end())) return std::istream::get();
    set_count(1);
    const char byte = *buffer.here();
    buffer.move_to(buffer.here() + 1);
    return traits_type::to_int_type(byte);
  }
  input& get(char& byte) {
    if (likely(may_look() && buffer.here() != buffer.end())) {
      byte = static_cast<char>(get());
    } else {
      std::istream::get(byte);
    }
    return *this;
  }
  int_type peek() {
    if (unlikely(!may_look() || buffer.here() == buffer.end())) return std::istream::peek();
    set_count(0);
    return traits_type::to_int_type(*buffer.here());
  }

  // The buffer flushes what this is tied to when it is about to wait; std::istream's own tie would flush each time.
  std::ostream* tie() const { return is_shared_ ? std::istream::tie() : buffer.tied; }
  std::ostream* tie(std::ostream* to) {
    if (is_shared_) return std::istream::tie(to);
    std::ostream* const before = buffer.tied;
    buffer.tied = to;
    return before;
  }

  // Reads through the standard library's buffer from now on. What is held is lost: for the start of a program.
  void share() {
    std::istream::tie(buffer.tied);
    is_shared_ = true;
    rdbuf(&shared_);
  }

  input_buffer buffer;

 private:
  HEADRACE_INLINE void set_count(std::streamsize count) {
#if defined(__GLIBCXX__)
    _M_gcount = count;
#else
    count_of(*this) = count;
#endif
  }

  bool is_shared_ = false;
  shared_buffer shared_{std::cin};
};
inline lasting<input> input_place;

// Each file of a program has one, as it has a std::ios_base::Init: the first makes the streams, the last flushes.
class user {
 public:
  user() {
    if (count()++ != 0) return;
    new (&output_place.stream) output;
    new (&input_place.stream) input;
    input_place.stream.tie(&output_place.stream);
    std::cerr.tie(&output_place.stream);
  }
  ~user() {
    if (--count() != 0) return;
    output_place.stream.end();
    input_place.stream.buffer.give_back();
  }
  user(const user&) = delete;
  user& operator=(const user&) = delete;

 private:
  static int& count() {
    static int users = 0;
    return users;
  }
};
static const user one_user;

// A program that names C's standard input or output has this instantiated, and so the two streams given back before
// main() begins.
template <class = void>
struct shared_ends {
  static const bool used;
};
template <class T>
const bool shared_ends<T>::used = [] {
  static const user before;  // whichever comes first
  input_place.stream.share();
  output_place.stream.share();
  std::cerr.tie(&std::cout);
  return true;
}();

// As shared_ends, for what runs another program.
template <class = void>
struct other_processes {
  static const bool used;
};
template <class T>
const bool other_processes<T>::used = is_alone = false;

template <class T, std::enable_if_t<is_read_here<T>, int> = 0>
HEADRACE_INLINE input& operator>>(input& from, T& value) {
  if (unlikely(!take_value(from, value))) static_cast<std::istream&>(from) >> value;
  return from;
}
inline input& operator>>(input& from, std::istream& (*manipulator)(std::istream&)) {
  manipulator(from);
  return from;
}
inline input& operator>>(input& from, std::ios_base& (*manipulator)(std::ios_base&)) {
  manipulator(from);
  return from;
}

inline input& read_line(input& from, std::string& line, char delimiter) {
  if (unlikely(!take_line(from, line, delimiter))) std::getline(static_cast<std::istream&>(from), line, delimiter);
  return from;
}

// Templates, so that what only converts to bool, char or a string does not come here. By value, so that a static
// constant of a class needs no definition, and an array is a pointer.
template <class T, std::enable_if_t<std::is_scalar_v<T> && is_written_here<T>, int> = 0>
HEADRACE_INLINE output& operator<<(output& to, T value) {
  if (unlikely(!put_value(to, value))) static_cast<std::ostream&>(to) << value;
  return to;
}
template <class T, std::enable_if_t<!std::is_scalar_v<T> && (is_written_here<T> || is_manipulator<T>), int> = 0>
HEADRACE_INLINE output& operator<<(output& to, const T& value) {
  if (unlikely(!put_value(to, value))) static_cast<std::ostream&>(to) << value;
  return to;
}
// (Which could be a manipulator, too.)
inline output& operator<<(output& to, std::nullptr_t null) {
  static_cast<std::ostream&>(to) << null;
  return to;
}
HEADRACE_INLINE output& operator<<(output& to, std::ostream& (*manipulator)(std::ostream&)) {
  if (manipulator == &std::endl<char, std::char_traits<char>>) {
    to.put('\n');
    to.flush();
  } else {
    manipulator(to);
  }
  return to;
}
HEADRACE_INLINE output& operator<<(output& to, std::ios_base& (*manipulator)(std::ios_base&)) {
  manipulator(to);
  return to;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
