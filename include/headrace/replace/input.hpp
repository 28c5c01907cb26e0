// headrace/replace/input.hpp: standard input as a std::istream whose buffer can be looked into. Not for users.
#pragma once

#include <cstddef>
#include <cstring>
#include <iostream>
#include <streambuf>

#include "../config.hpp"
#include "../detail/file.hpp"
#include "../detail/read_digits.hpp"
#include "flushes.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// The buffer of standard input. Where the program uses C's stdin, too, it hands out what the standard library's own
// buffer gives, a character at a time, and holds nothing.
class input_buffer final : public std::streambuf {
 public:
  static constexpr std::size_t size = 65536;
  static constexpr std::size_t kept = 16;  // bytes that can be put back after the buffer was filled again

  const char* here() const { return gptr(); }
  const char* end() const { return egptr(); }
  void move_to(const char* to) { gbump(static_cast<int>(to - gptr())); }
  bool is_plain() const { return plain_; }

  // What is flushed before the program waits for input.
  void tie(std::ostream* to) { tied_ = to; }
  std::ostream* tied() const { return tied_; }

  // Reads through the standard library's buffer from now on. What is held is lost: for the start of a program.
  void share() {
    original_ = std::cin.rdbuf();
    plain_ = false;
    setg(nullptr, nullptr, nullptr);
  }

  // Gives back to a file what was read ahead, so that the next program that reads it goes on where this one stopped.
  void give_back() {
    if (egptr() == gptr() || original_ != nullptr) return;
    place_.forget();
    if (seek(0, -(egptr() - gptr()), SEEK_CUR) >= 0) setg(nullptr, nullptr, nullptr);
  }

 protected:
  int_type underflow() override {
    if (original_ != nullptr) {
      if (tied_ != nullptr) tied_->flush();
      return std::cin.rdbuf()->sgetc();
    }
    if (gptr() != egptr()) return traits_type::to_int_type(*gptr());
    if (tied_ != nullptr) tied_->flush();
    do_flushes();
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
    if (original_ == nullptr) {
      const int_type byte = std::streambuf::uflow();
      if (traits_type::eq_int_type(byte, traits_type::eof())) note_end();
      return byte;
    }
    if (tied_ != nullptr) tied_->flush();
    return std::cin.rdbuf()->sbumpc();
  }

  int_type pbackfail(int_type byte) override {
    if (original_ != nullptr) {
      return traits_type::eq_int_type(byte, traits_type::eof())
                 ? std::cin.rdbuf()->sungetc()
                 : std::cin.rdbuf()->sputbackc(traits_type::to_char_type(byte));
    }
    const bool is_unget = traits_type::eq_int_type(byte, traits_type::eof());
    if (gptr() == eback() && !make_byte_before(is_unget)) return traits_type::eof();
    gbump(-1);
    if (!is_unget) *gptr() = traits_type::to_char_type(byte);
    return traits_type::not_eof(byte);
  }

  std::streamsize xsgetn(char* to, std::streamsize wanted) override {
    if (original_ == nullptr) {
      const std::streamsize got = std::streambuf::xsgetn(to, wanted);
      if (got > 0 && gptr() == eback() && !is_unsynced()) setg(gptr() - 1, gptr(), egptr());  // note_end() hid it
      return got;
    }
    if (tied_ != nullptr) tied_->flush();
    return std::cin.rdbuf()->sgetn(to, wanted);
  }

  int sync() override { return original_ != nullptr ? std::cin.rdbuf()->pubsync() : 0; }

  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override {
    if (original_ != nullptr) return std::cin.rdbuf()->pubseekoff(offset, from, which);
    if (from == std::ios_base::cur && offset == 0) {
      const std::int64_t read_to = place_.now();
      return read_to < 0 ? pos_type(off_type(-1)) : pos_type(off_type(read_to - (egptr() - gptr())));
    }
    const int whence = from == std::ios_base::beg ? SEEK_SET : from == std::ios_base::end ? SEEK_END : SEEK_CUR;
    if (whence == SEEK_CUR) offset -= egptr() - gptr();
    place_.forget();
    const std::int64_t place = seek(0, offset, whence);
    if (place < 0) return pos_type(off_type(-1));
    if (gptr() != eback()) last_ = traits_type::to_int_type(gptr()[-1]);
    setg(nullptr, nullptr, nullptr);
    return pos_type(off_type(place));
  }

  pos_type seekpos(pos_type place, std::ios_base::openmode which) override {
    return seekoff(off_type(place), std::ios_base::beg, which);
  }

  // Another locale may group digits or call other bytes whitespace: the standard library does it all then.
  void imbue(const std::locale& other) override { plain_ = original_ == nullptr && other == std::locale::classic(); }

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

  bool plain_ = true;
  kept_place place_{0};
  int_type last_ = traits_type::eof();  // the byte before the place of a seek: read last, and no longer held
  std::ostream* tied_ = nullptr;
  const std::streambuf* const synced_ = std::cin.rdbuf();
  std::streambuf* original_ = nullptr;  // what std::cin read from when its end was found to be shared
  char bytes_[kept + size];
};

// Standard input. Functions that a program reaches through a std::istream& are the standard library's; those here do
// the same on what the buffer holds, and leave to them what it does not hold.
class input final : public std::istream {
 public:
  input() : std::istream(nullptr) { init(&buffer); }

  // True where the usual extraction may look into the buffer: nothing is wrong, and nobody changed how it is done.
  bool is_plain() const {
    constexpr fmtflags wanted = std::ios_base::skipws | std::ios_base::dec;
    constexpr fmtflags seen = wanted | std::ios_base::basefield;
    return (flags() & seen) == wanted && may_look();
  }
  bool may_look() const { return rdstate() == goodbit && std::istream::rdbuf() == &buffer && buffer.is_plain(); }

  int_type get() {
    if (likely(may_look() && buffer.here() != buffer.end())) {
      set_count(1);
      const char byte = *buffer.here();
      buffer.move_to(buffer.here() + 1);
      return traits_type::to_int_type(byte);
    }
    counted_ = by_base;
    return std::istream::get();
  }
  input& get(char& byte) {
    if (likely(may_look() && buffer.here() != buffer.end())) {
      byte = static_cast<char>(get());
    } else {
      counted_ = by_base;
      std::istream::get(byte);
    }
    return *this;
  }
  int_type peek() {
    if (likely(may_look() && buffer.here() != buffer.end())) {
      set_count(0);
      return traits_type::to_int_type(*buffer.here());
    }
    counted_ = by_base;
    return std::istream::peek();
  }
  template <class... Arguments>
  input& get(char* to, Arguments... arguments) {
    counted_ = by_base;
    std::istream::get(to, arguments...);
    return *this;
  }
  template <class... Arguments>
  input& get(std::streambuf& to, Arguments... arguments) {
    counted_ = by_base;
    std::istream::get(to, arguments...);
    return *this;
  }
  template <class... Arguments>
  input& getline(char* to, Arguments... arguments) {
    counted_ = by_base;
    std::istream::getline(to, arguments...);
    return *this;
  }
  template <class... Arguments>
  input& ignore(Arguments... arguments) {
    counted_ = by_base;
    std::istream::ignore(arguments...);
    return *this;
  }
  input& read(char* to, std::streamsize size) {
    counted_ = by_base;
    std::istream::read(to, size);
    return *this;
  }
  std::streamsize readsome(char* to, std::streamsize size) {
    counted_ = by_base;
    return std::istream::readsome(to, size);
  }
  input& putback(char byte) {
    counted_ = by_base;
    std::istream::putback(byte);
    return *this;
  }
  input& unget() {
    counted_ = by_base;
    std::istream::unget();
    return *this;
  }
  std::streamsize gcount() const { return counted_ == by_base ? std::istream::gcount() : counted_; }

  // The buffer flushes what this is tied to, when it is about to wait; std::istream's own tie would flush each time.
  std::ostream* tie() const { return buffer.tied(); }
  std::ostream* tie(std::ostream* to) {
    std::ostream* const before = buffer.tied();
    buffer.tie(to);
    return before;
  }

  input_buffer buffer;

 private:
  // Where the standard library keeps it, if it says so: what is read through a std::istream& counts there, too.
  HEADRACE_INLINE void set_count(std::streamsize count) {
#if defined(__GLIBCXX__)
    _M_gcount = count;
#else
    counted_ = count;
#endif
  }

  static constexpr std::streamsize by_base = -1;  // the standard library counted
  std::streamsize counted_ = by_base;
};

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
