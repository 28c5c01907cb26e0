// headrace/replace/string_stream.hpp: a string stream that borrows a standard one. Not for users.
#pragma once

#include <cstddef>
#include <cstring>
#include <ios>
#include <iomanip>
#include <istream>
#include <limits>
#include <locale>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../config.hpp"
#include "../format.hpp"
#include "../parse.hpp"
#include "../detail/read_digits.hpp"
#include "general_float.hpp"
#include "stream_store.hpp"
#include "usual.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// The pointers of a stream's buffer, which are protected.
struct buffer_pointers : std::streambuf {
  static char* here(const std::streambuf& of) { return (of.*&buffer_pointers::gptr)(); }
  static char* end(const std::streambuf& of) { return (of.*&buffer_pointers::egptr)(); }
  static char* written(const std::streambuf& of) { return (of.*&buffer_pointers::pptr)(); }
  static char* limit(const std::streambuf& of) { return (of.*&buffer_pointers::epptr)(); }
  static std::size_t extent(const std::streambuf& of) {
    const char* const first = (of.*&buffer_pointers::pbase)();
    return static_cast<std::size_t>(first != nullptr ? limit(of) - first : end(of) - (of.*&buffer_pointers::eback)());
  }
  // (gbump and pbump count in int.)
  static void take(std::streambuf& of, std::size_t count) {
    (of.*&buffer_pointers::setg)((of.*&buffer_pointers::eback)(), here(of) + count, end(of));
  }
  static void put(std::streambuf& of, std::size_t count) {
    constexpr std::size_t step = std::numeric_limits<int>::max();
    for (; unlikely(count > step); count -= step) (of.*&buffer_pointers::pbump)(static_cast<int>(step));
    (of.*&buffer_pointers::pbump)(static_cast<int>(count));
  }
};

// What a string stream can still give. `is_all`: nothing was written after `end`.
struct text_window {
  const char* begin;
  const char* end;
  bool is_all;
};

// Stream is std::stringstream, std::istringstream or std::ostringstream.
template <class Stream>
class string_stream final {
 public:
  using char_type = char;
  using traits_type = std::char_traits<char>;
  using int_type = traits_type::int_type;
  using pos_type = traits_type::pos_type;
  using off_type = traits_type::off_type;
  using openmode = std::ios_base::openmode;
  using seekdir = std::ios_base::seekdir;
  using iostate = std::ios_base::iostate;
  using fmtflags = std::ios_base::fmtflags;
  static constexpr openmode in = std::ios_base::in, out = std::ios_base::out, ate = std::ios_base::ate,
                            app = std::ios_base::app, binary = std::ios_base::binary;
  static constexpr seekdir beg = std::ios_base::beg, cur = std::ios_base::cur, end = std::ios_base::end;
  static constexpr iostate goodbit = std::ios_base::goodbit, badbit = std::ios_base::badbit,
                           failbit = std::ios_base::failbit, eofbit = std::ios_base::eofbit;

  string_stream() { begin({}); }
  explicit string_stream(const std::string& text) { begin(text); }
  explicit string_stream(openmode mode) : stream_(new Stream(mode)), is_own_(true) {}
  string_stream(const std::string& text, openmode mode) : stream_(new Stream(text, mode)), is_own_(true) {}
  string_stream(string_stream&& other) : string_stream() { swap(other); }
  string_stream& operator=(string_stream&& other) {
    string_stream fresh(std::move(other));
    swap(fresh);
    return *this;
  }
  string_stream(const string_stream&) = delete;
  string_stream& operator=(const string_stream&) = delete;
  ~string_stream() {
    if (is_own_) {
      delete stream_;
    } else {
      stream_store<Stream>::give(stream_, buffer_pointers::extent(*rdbuf()));
    }
  }
  void swap(string_stream& other) {
    std::swap(stream_, other.stream_);
    std::swap(is_own_, other.is_own_);
  }

  // What the program hands to others may be changed in ways that cannot be undone: it is not stored again.
  operator Stream&() {  // NOLINT: as a string stream is a std::istream&
    is_own_ = true;
    return *stream_;
  }
  Stream& standard(bool is_handed_out = false) {
    is_own_ = is_own_ || is_handed_out;
    return *stream_;
  }

  std::string str() const { return stream_->str(); }
  void str(const std::string& text) { stream_->str(text); }
  std::stringbuf* rdbuf() const { return stream_->rdbuf(); }

  bool good() const { return stream_->good(); }
  bool eof() const { return stream_->eof(); }
  bool fail() const { return stream_->fail(); }
  bool bad() const { return stream_->bad(); }
  bool operator!() const { return stream_->fail(); }
  explicit operator bool() const { return !stream_->fail(); }
  iostate rdstate() const { return stream_->rdstate(); }
  void clear(iostate state = goodbit) { stream_->clear(state); }
  void setstate(iostate state) { stream_->setstate(state); }
  iostate exceptions() const { return stream_->exceptions(); }
  void exceptions(iostate wanted) { shared().exceptions(wanted); }
  std::locale getloc() const { return stream_->getloc(); }
  std::locale imbue(const std::locale& wanted) { return shared().imbue(wanted); }
  fmtflags flags() const { return stream_->flags(); }
  fmtflags flags(fmtflags wanted) { return stream_->flags(wanted); }
  fmtflags setf(fmtflags wanted) { return stream_->setf(wanted); }
  fmtflags setf(fmtflags wanted, fmtflags among) { return stream_->setf(wanted, among); }
  void unsetf(fmtflags unwanted) { stream_->unsetf(unwanted); }
  std::streamsize precision() const { return stream_->precision(); }
  std::streamsize precision(std::streamsize wanted) { return stream_->precision(wanted); }
  std::streamsize width() const { return stream_->width(); }
  std::streamsize width(std::streamsize wanted) { return stream_->width(wanted); }
  char fill() const { return stream_->fill(); }
  char fill(char wanted) { return stream_->fill(wanted); }
  string_stream& copyfmt(const std::ios& other) {
    shared().copyfmt(other);
    return *this;
  }

  // Of an input stream
  int_type get() { return stream_->get(); }
  template <class First, class... More>
  string_stream& get(First&& first, More... more) {
    stream_->get(std::forward<First>(first), more...);
    return *this;
  }
  template <class... Arguments>
  string_stream& getline(char* to, Arguments... arguments) {
    stream_->getline(to, arguments...);
    return *this;
  }
  template <class... Arguments>
  string_stream& ignore(Arguments... arguments) {
    stream_->ignore(arguments...);
    return *this;
  }
  int_type peek() { return stream_->peek(); }
  string_stream& read(char* to, std::streamsize size) {
    stream_->read(to, size);
    return *this;
  }
  std::streamsize readsome(char* to, std::streamsize size) { return stream_->readsome(to, size); }
  string_stream& putback(char byte) {
    stream_->putback(byte);
    return *this;
  }
  string_stream& unget() {
    stream_->unget();
    return *this;
  }
  int sync() { return stream_->sync(); }
  std::streamsize gcount() const { return stream_->gcount(); }
  pos_type tellg() { return stream_->tellg(); }
  template <class... Arguments>
  string_stream& seekg(Arguments... arguments) {
    stream_->seekg(arguments...);
    return *this;
  }

  // Of an output stream
  string_stream& put(char byte) {
    stream_->put(byte);
    return *this;
  }
  string_stream& write(const char* from, std::streamsize size) {
    stream_->write(from, size);
    return *this;
  }
  string_stream& flush() { return *this; }
  pos_type tellp() { return stream_->tellp(); }
  template <class... Arguments>
  string_stream& seekp(Arguments... arguments) {
    stream_->seekp(arguments...);
    return *this;
  }

  // True where usual extraction may look into the buffer; see `input`.
  bool may_look() const { return !is_own_ && stream_->rdstate() == goodbit; }
  bool reads_plainly() const {
    constexpr fmtflags wanted = std::ios_base::skipws | std::ios_base::dec;
    return (stream_->flags() & (wanted | std::ios_base::basefield)) == wanted && may_look();
  }
  bool writes_plainly() const {
    constexpr fmtflags looked_at = std::ios_base::skipws | std::ios_base::floatfield | std::ios_base::adjustfield;
    return (stream_->flags() & ~looked_at) == std::ios_base::dec && stream_->width() == 0 && may_look();
  }

  text_window window() const {
    std::stringbuf& buffer = *rdbuf();
    const char* const last = buffer_pointers::end(buffer);
    const char* const written = buffer_pointers::written(buffer);
    return {buffer_pointers::here(buffer), last, written == nullptr || written <= last};
  }
  // Moves to `to`; at the end of the text that is said as the standard library does.
  void take_up_to(const char* to, const text_window& of) {
    buffer_pointers::take(*rdbuf(), static_cast<std::size_t>(to - of.begin));
    if (to == of.end) stream_->setstate(eofbit);
  }
  // Where `size` bytes may be written; nullptr where the buffer has no such room.
  char* room_for(std::size_t size) const {
    std::stringbuf& buffer = *rdbuf();
    char* const at = buffer_pointers::written(buffer);
    return at != nullptr && static_cast<std::size_t>(buffer_pointers::limit(buffer) - at) > size ? at : nullptr;
  }
  void put_up_to(const char* to) {
    std::stringbuf& buffer = *rdbuf();
    buffer_pointers::put(buffer, static_cast<std::size_t>(to - buffer_pointers::written(buffer)));
  }
  void put_text(const char* text, std::size_t size) {
    if (char* const at = room_for(size)) {
      std::memcpy(at, text, size);
      put_up_to(at + size);
    } else if (rdbuf()->sputn(text, static_cast<std::streamsize>(size)) != static_cast<std::streamsize>(size)) {
      stream_->setstate(badbit);
    }
  }

 private:
  Stream& shared() { return *this; }

  // A stored stream with this text, or a new one. Those that are stored have the "C" locale.
  void begin(const std::string& text) {
    is_own_ = unlikely(std::locale() != std::locale::classic());
    stream_ = is_own_ ? nullptr : stream_store<Stream>::take();
    if (likely(stream_ != nullptr)) {
      stream_->str(text);
    } else if (is_own_) {
      stream_ = new Stream(text);
    } else {
      stream_ = new Stream(std::string(spare, ' '));  // so that its buffer has room for numbers from now on
      stream_->str(text);
    }
  }

  static constexpr std::size_t spare = 100;
  Stream* stream_ = nullptr;
  bool is_own_ = false;  // not from the store, or no longer as those are
};

// What the standard library's own operators do not change for good; an operator of the program's may.
template <class T>
constexpr bool is_library_text = false;
template <class Traits, class Allocator>
constexpr bool is_library_text<std::basic_string<char, Traits, Allocator>> = true;
template <class Traits>
constexpr bool is_library_text<std::basic_string_view<char, Traits>> = true;

template <class T>
constexpr bool is_manipulator =
    is_one_of<T, decltype(std::setw(0)), decltype(std::setprecision(0)), decltype(std::setfill(' ')),
              decltype(std::setbase(10)), decltype(std::setiosflags(std::ios_base::dec)),
              decltype(std::resetiosflags(std::ios_base::dec))>;

template <class T>
constexpr bool is_of_library =
    std::is_arithmetic_v<T> || std::is_pointer_v<std::decay_t<T>> || is_library_text<T> || is_manipulator<T>;

template <class T>
constexpr bool is_char = is_one_of<T, char, signed char, unsigned char>;

// Whether an operator that stands by itself takes the stream and a value: of the library, or of the value's namespace.
// One that is found only from where the program calls it is called there, with the standard stream. (Written as calls:
// of `a >> b` g++ 11 would see the program's operators here, too.)
template <class Stream, class T, class = void>
constexpr bool is_read_by_operator = false;
template <class Stream, class T>
constexpr bool
    is_read_by_operator<Stream, T, std::void_t<decltype(operator>>(std::declval<Stream&>(), std::declval<T>()))>> =
        true;
template <class Stream, class T, class = void>
constexpr bool is_written_by_operator = false;
template <class Stream, class T>
constexpr bool is_written_by_operator<
    Stream, T, std::void_t<decltype(operator<<(std::declval<Stream&>(), std::declval<const T&>()))>> = true;

// A member of the stream itself takes numbers, pointers to void, and the buffer of another stream.
template <class T>
constexpr bool is_read_by_member =
    std::is_arithmetic_v<T> || std::is_same_v<T, void*> || std::is_convertible_v<T, std::streambuf*>;

template <class Stream, class T, class Bare = std::remove_cv_t<std::remove_reference_t<T>>>
constexpr bool reads = std::is_base_of_v<std::istream, Stream> && !std::is_function_v<Bare> &&
                       (is_read_by_member<Bare> || is_read_by_operator<Stream, T>);
template <class Stream, class T>
constexpr bool writes = std::is_base_of_v<std::ostream, Stream> && !std::is_function_v<T> &&
                        (std::is_scalar_v<T> || std::is_convertible_v<T, bool> || is_written_by_operator<Stream, T>);

// Takes a value from the stream's buffer. False with nothing taken.
template <class Stream, class T>
HEADRACE_INLINE bool take_usual(string_stream<Stream>& from, T& value) {
  if (unlikely(!from.reads_plainly())) return false;
  const text_window text = from.window();
  const char* to = nullptr;
  if constexpr (is_short_or_longer<T>) {
    to = read_usual_integer(text.begin, text.end, text.is_all, value);
  } else if constexpr (is_float<T>) {
    to = read_usual_float(text.begin, text.end, text.is_all, value);
  } else if constexpr (is_char<T>) {
    const char* const at = skip_whitespace(text.begin, text.end);
    if (at == text.end) return false;
    value = static_cast<T>(*at);
    buffer_pointers::take(*from.rdbuf(), static_cast<std::size_t>(at + 1 - text.begin));  // does not look further
    return true;
  } else if constexpr (is_library_text<T>) {
    if (from.width() != 0) return false;
    const char* const at = skip_whitespace(text.begin, text.end);
    const char* last = at;
    while (last != text.end && !is_whitespace(*last)) ++last;
    if (last == at || (last == text.end && !text.is_all)) return false;
    value.assign(at, static_cast<std::size_t>(last - at));
    to = last;
  }
  if (unlikely(to == nullptr)) return false;
  from.take_up_to(to, text);
  return true;
}

template <class Stream, class T, std::enable_if_t<reads<Stream, T>, int> = 0>
string_stream<Stream>& operator>>(string_stream<Stream>& from, T&& value) {
  using bare = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>) {
    if (likely(take_usual(from, value))) return from;
  }
  if constexpr (is_read_by_member<bare>) {
    from.standard() >> value;
  } else {
    operator>>(from.standard(!is_of_library<bare>), std::forward<T>(value));
  }
  return from;
}
template <class Stream>
string_stream<Stream>& operator>>(string_stream<Stream>& from, std::istream& (*manipulator)(std::istream&)) {
  manipulator(from.standard(manipulator != &std::ws<char, std::char_traits<char>>));
  return from;
}
template <class Stream>
string_stream<Stream>& operator>>(string_stream<Stream>& from, std::ios_base& (*manipulator)(std::ios_base&)) {
  manipulator(from.standard());
  return from;
}
template <class Stream, class T, std::enable_if_t<reads<Stream, T>, int> = 0>
string_stream<Stream>& operator>>(string_stream<Stream>&& from, T&& value) {
  return from >> std::forward<T>(value);
}

template <class Stream>
string_stream<Stream>& getline(string_stream<Stream>& from, std::string& line, char delimiter = '\n') {
  if (likely(from.may_look())) {
    const text_window text = from.window();
    const auto held = static_cast<std::size_t>(text.end - text.begin);
    const void* const found = held == 0 ? nullptr : std::memchr(text.begin, delimiter, held);
    if (found != nullptr) {
      const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - text.begin);
      line.assign(text.begin, size);
      buffer_pointers::take(*from.rdbuf(), size + 1);
      return from;
    }
  }
  std::getline(static_cast<std::istream&>(from.standard()), line, delimiter);
  return from;
}
template <class Stream>
string_stream<Stream>& getline(string_stream<Stream>&& from, std::string& line, char delimiter = '\n') {
  return getline(from, line, delimiter);
}

// Writes a value of the usual kinds. False where it is not one, or not to be written in the usual way.
template <class Stream, class T>
HEADRACE_INLINE bool put_usual(string_stream<Stream>& to, const T& value) {
  if constexpr (is_short_or_longer<T>) {
    if (unlikely(!to.writes_plainly())) return false;
    char text[max_length<long long> + write_padding];
    if (char* const at = to.room_for(sizeof(text))) {
      std::memcpy(text, at, sizeof(text));  // what is written over keeps the bytes after the number
      char* const last = write_integer(at, value);
      std::memcpy(last, text + (last - at), write_padding);
      to.put_up_to(last);
      return true;
    }
    to.put_text(text, static_cast<std::size_t>(write_integer(text, value) - text));
    return true;
  } else if constexpr (is_one_of<T, float, double>) {
    char text[longest_float];
    float_form form;
    if (unlikely(!to.writes_plainly() || !form_of(to.flags(), form) || to.precision() > most_digits)) return false;
    const char* const end = write_formed(text, static_cast<double>(value), form, static_cast<int>(to.precision()));
    if (unlikely(end == nullptr)) return false;
    to.put_text(text, static_cast<std::size_t>(end - text));
    return true;
  } else if constexpr (is_char<T>) {
    const char byte = static_cast<char>(value);
    if (unlikely(!to.writes_plainly())) return false;
    to.put_text(&byte, 1);
    return true;
  } else if constexpr (is_one_of<T, const char*, char*>) {
    if (unlikely(value == nullptr || !to.writes_plainly())) return false;
    to.put_text(value, std::strlen(value));
    return true;
  } else if constexpr (is_library_text<T>) {
    if (unlikely(!to.writes_plainly())) return false;
    to.put_text(value.data(), value.size());
    return true;
  } else {
    return false;
  }
}

// By value, so that a static constant of a class needs no definition.
template <class Stream, class T, std::enable_if_t<std::is_scalar_v<T> && writes<Stream, T>, int> = 0>
HEADRACE_INLINE string_stream<Stream>& operator<<(string_stream<Stream>& to, T value) {
  if (unlikely(!put_usual(to, value))) to.standard(std::is_enum_v<T>) << value;
  return to;
}
template <class Stream, class T,
          std::enable_if_t<!std::is_scalar_v<T> && !std::is_array_v<T> && writes<Stream, T>, int> = 0>
HEADRACE_INLINE string_stream<Stream>& operator<<(string_stream<Stream>& to, const T& value) {
  if (likely(put_usual(to, value))) return to;
  Stream& standard = to.standard(!is_of_library<T>);
  if constexpr (is_written_by_operator<Stream, T>) {
    operator<<(standard, value);
  } else {
    standard << value;
  }
  return to;
}
template <class Stream>
string_stream<Stream>& operator<<(string_stream<Stream>& to, std::ostream& (*manipulator)(std::ostream&)) {
  using traits = std::char_traits<char>;
  const bool is_known = manipulator == &std::endl<char, traits> || manipulator == &std::ends<char, traits> ||
                        manipulator == &std::flush<char, traits>;
  manipulator(to.standard(!is_known));
  return to;
}
template <class Stream>
string_stream<Stream>& operator<<(string_stream<Stream>& to, std::ios_base& (*manipulator)(std::ios_base&)) {
  manipulator(to.standard());
  return to;
}
template <class Stream, class T, std::enable_if_t<writes<Stream, std::remove_reference_t<T>>, int> = 0>
string_stream<Stream>& operator<<(string_stream<Stream>&& to, T&& value) {
  return to << std::forward<T>(value);
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
