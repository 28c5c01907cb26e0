// headrace/replace/string_stream.hpp: a string stream that borrows a standard one, from those that wait to be used
// again. Not for users.
#pragma once

#include <cstddef>
#include <cstring>
#include <ios>
#include <istream>
#include <limits>
#include <locale>
#include <memory>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../config.hpp"
#include "values.hpp"

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

// The streams of a thread. They are as good as new but for their text, and have the "C" locale. It needs neither a
// constructor nor a destructor, so it may be used at any time; its streams are deleted when the thread ends.
template <class Stream>
class stream_store {
 public:
  // nullptr where there is none.
  static Stream* take() noexcept {
    stream_store& own = of_thread;
    return own.count_ != 0 ? own.held_[--own.count_] : nullptr;
  }

  // Stores a stream, or deletes it. `extent` is the size of its buffer.
  static void give(Stream* stream, std::size_t extent) {
    stream_store& own = of_thread;
    if (unlikely(!own.is_watched_)) own.watch_the_end();
    if (own.count_ == most || extent > most_bytes || own.is_closed_) {
      delete stream;
      return;
    }
    stream->clear();
    if constexpr (std::is_base_of_v<std::istream, Stream>) {
      if (stream->gcount() != 0) stream->read(nullptr, 0);
    }
    stream->flags(std::ios_base::skipws | std::ios_base::dec);
    stream->precision(6);
    stream->width(0);
    if (stream->fill() != ' ') stream->fill(' ');
    own.held_[own.count_++] = stream;
  }

 private:
  static constexpr int most = 8;
  static constexpr std::size_t most_bytes = 65536;

  struct end_of_thread {
    ~end_of_thread() {
      of_thread.is_closed_ = true;
      while (Stream* const stream = take()) delete stream;
    }
  };
  HEADRACE_COLD void watch_the_end() {
    is_watched_ = true;
    static thread_local end_of_thread watched;
    static_cast<void>(watched);
  }

  static thread_local stream_store of_thread;
  Stream* held_[most] = {};
  int count_ = 0;
  bool is_watched_ = false;
  bool is_closed_ = false;
};
template <class Stream>
thread_local stream_store<Stream> stream_store<Stream>::of_thread;

// Whether a stream is made of these values, and not of a text alone.
template <class Stream, class... Values>
constexpr bool is_made_specially = sizeof...(Values) != 0 && std::is_constructible_v<Stream, Values...>;
template <class Stream, class Value>
constexpr bool is_made_specially<Stream, Value> =
    std::is_constructible_v<Stream, Value> && !std::is_convertible_v<Value, const std::string&>;

// Stream is std::stringstream, std::istringstream or std::ostringstream.
template <class Stream>
class string_stream final {
 public:
  using char_type = char;
  using traits_type = std::char_traits<char>;
  using int_type = traits_type::int_type;
  using pos_type = traits_type::pos_type;
  using off_type = traits_type::off_type;
  using allocator_type = std::allocator<char>;
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
  // With a mode, an allocator, or what else the standard library's stream is made of.
  template <class... Values, std::enable_if_t<is_made_specially<Stream, Values...>, int> = 0>
  explicit string_stream(Values&&... values) : stream_(new Stream(std::forward<Values>(values)...)), is_own_(true) {}
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

  // A stream that the program hands to others may be changed in ways that cannot be undone: it is not stored again.
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
  template <class Allocator, std::enable_if_t<!std::is_convertible_v<Allocator, const std::string&>, int> = 0>
  auto str(const Allocator& allocator) const -> decltype(std::declval<const Stream&>().str(allocator)) {
    return std::as_const(*stream_).str(allocator);
  }
  std::stringbuf* rdbuf() const { return stream_->rdbuf(); }
  bool operator!() const { return stream_->fail(); }
  explicit operator bool() const { return !stream_->fail(); }
  string_stream& flush() { return *this; }

  // These changes cannot be undone.
  iostate exceptions() const { return stream_->exceptions(); }
  void exceptions(iostate wanted) { shared().exceptions(wanted); }
  std::locale imbue(const std::locale& wanted) { return shared().imbue(wanted); }
  string_stream& copyfmt(const std::ios& other) {
    shared().copyfmt(other);
    return *this;
  }
  std::ostream* tie() const { return stream_->tie(); }
  std::ostream* tie(std::ostream* to) { return shared().tie(to); }
  long& iword(int index) { return shared().iword(index); }
  void*& pword(int index) { return shared().pword(index); }
  void register_callback(std::ios_base::event_callback call, int index) { shared().register_callback(call, index); }

  // Members that are the standard stream's.
#define HEADRACE_OF_STANDARD(name)                                                                       \
  template <class... Values>                                                                             \
  decltype(auto) name(Values&&... values) {                                                              \
    return returned([&]() -> decltype(auto) { return stream_->name(std::forward<Values>(values)...); }); \
  }                                                                                                      \
  template <class... Values>                                                                             \
  decltype(auto) name(Values&&... values) const {                                                        \
    return static_cast<const Stream*>(stream_)->name(std::forward<Values>(values)...);                   \
  }
  HEADRACE_OF_STANDARD(good)
  HEADRACE_OF_STANDARD(eof)
  HEADRACE_OF_STANDARD(fail)
  HEADRACE_OF_STANDARD(bad)
  HEADRACE_OF_STANDARD(rdstate)
  HEADRACE_OF_STANDARD(clear)
  HEADRACE_OF_STANDARD(setstate)
  HEADRACE_OF_STANDARD(getloc)
  HEADRACE_OF_STANDARD(narrow)
  HEADRACE_OF_STANDARD(widen)
  HEADRACE_OF_STANDARD(view)
  HEADRACE_OF_STANDARD(flags)
  HEADRACE_OF_STANDARD(setf)
  HEADRACE_OF_STANDARD(unsetf)
  HEADRACE_OF_STANDARD(precision)
  HEADRACE_OF_STANDARD(width)
  HEADRACE_OF_STANDARD(fill)
  HEADRACE_OF_STANDARD(get)
  HEADRACE_OF_STANDARD(getline)
  HEADRACE_OF_STANDARD(ignore)
  HEADRACE_OF_STANDARD(peek)
  HEADRACE_OF_STANDARD(read)
  HEADRACE_OF_STANDARD(readsome)
  HEADRACE_OF_STANDARD(putback)
  HEADRACE_OF_STANDARD(unget)
  HEADRACE_OF_STANDARD(sync)
  HEADRACE_OF_STANDARD(gcount)
  HEADRACE_OF_STANDARD(tellg)
  HEADRACE_OF_STANDARD(seekg)
  HEADRACE_OF_STANDARD(put)
  HEADRACE_OF_STANDARD(write)
  HEADRACE_OF_STANDARD(tellp)
  HEADRACE_OF_STANDARD(seekp)
#undef HEADRACE_OF_STANDARD

  // The members that values.hpp asks of a stream.
  static constexpr bool keeps_what_follows = true;
  bool may_look() const { return !is_own_ && stream_->rdstate() == goodbit; }
  bool reads_plainly() const {
    constexpr fmtflags wanted = std::ios_base::skipws | std::ios_base::dec;
    return (stream_->flags() & (wanted | std::ios_base::basefield)) == wanted && may_look();
  }
  bool writes_plainly() const { return is_plain_format(stream_->flags()) && may_look(); }

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
  bool put_text(const char* text, std::size_t size) {
    if (char* const at = room_for(size)) {
      if (size != 0) std::memcpy(at, text, size);
      put_up_to(at + size);
    } else if (rdbuf()->sputn(text, static_cast<std::streamsize>(size)) != static_cast<std::streamsize>(size)) {
      stream_->setstate(badbit);
    }
    return true;
  }

 private:
  Stream& shared() { return *this; }

  // Returns what a member of the standard stream returns; this stream where that is the standard one.
  template <class Call>
  decltype(auto) returned(Call call) {
    if constexpr (std::is_convertible_v<decltype(call()), const std::ios_base&>) {
      call();
      return (*this);
    } else {
      return call();
    }
  }

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

// The standard library's own operators do not change a stream for good; an operator of the program's may.
template <class T>
constexpr bool is_of_library = std::is_arithmetic_v<T> || std::is_pointer_v<std::decay_t<T>> || is_string<T> ||
                               std::is_same_v<T, std::string_view> || is_manipulator<T>;

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

// Inlined, so that the standard library sees the size of an array of char that it reads into, where it can.
template <class Stream, class T, std::enable_if_t<reads<Stream, T>, int> = 0>
HEADRACE_INLINE string_stream<Stream>& operator>>(string_stream<Stream>& from, T&& value) {
  using bare = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>) {
    if (likely(take_value(from, value))) return from;
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
string_stream<Stream>&& operator>>(string_stream<Stream>&& from, T&& value) {
  return std::move(from >> std::forward<T>(value));
}

template <class Stream>
string_stream<Stream>& getline(string_stream<Stream>& from, std::string& line, char delimiter = '\n') {
  if (unlikely(!take_line(from, line, delimiter))) {
    std::getline(static_cast<std::istream&>(from.standard()), line, delimiter);
  }
  return from;
}
template <class Stream>
string_stream<Stream>& getline(string_stream<Stream>&& from, std::string& line, char delimiter = '\n') {
  return getline(from, line, delimiter);
}

// By value, so that a static constant of a class needs no definition.
template <class Stream, class T, std::enable_if_t<std::is_scalar_v<T> && writes<Stream, T>, int> = 0>
HEADRACE_INLINE string_stream<Stream>& operator<<(string_stream<Stream>& to, T value) {
  if (unlikely(!put_value(to, value))) to.standard(std::is_enum_v<T>) << value;
  return to;
}
template <class Stream, class T,
          std::enable_if_t<!std::is_scalar_v<T> && !std::is_array_v<T> && writes<Stream, T>, int> = 0>
HEADRACE_INLINE string_stream<Stream>& operator<<(string_stream<Stream>& to, const T& value) {
  if (likely(put_value(to, value))) return to;
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
string_stream<Stream>&& operator<<(string_stream<Stream>&& to, T&& value) {
  return std::move(to << std::forward<T>(value));
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
