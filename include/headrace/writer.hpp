// headrace/writer.hpp: values and text to a sink, through a buffer.
//
// A failure to write is never silent. flush() and close() throw output_error, and so does any write that has to
// empty the buffer. After a failure the sink is given up: what the buffer held is dropped, the error says how many
// bytes arrived, and every later write, flush or close throws it again. A destructor cannot throw: it flushes, and
// a failure that nobody was told of becomes one line on stderr; call close() to be told.
//
// A writer is not synchronised: threads that share one take turns by their own lock.
//
// Windows: a console shows UTF-8 text whatever its code page is; what is not UTF-8 becomes U+FFFD there. Everywhere
// else the bytes arrive as they were written, even at a descriptor in text mode: "\n" stays "\n".
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "config.hpp"
#include "detail/console.hpp"
#include "error.hpp"
#include "detail/file.hpp"
#include "detail/simd/dispatch.hpp"
#include "format.hpp"
#include "types.hpp"
#include "utf.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

using detail::open_mode;  // truncate, append

// When the buffer goes to the sink by itself. A writer starts with each_line on a terminal, with when_full
// everywhere else.
enum class flush_policy : unsigned char { when_full, each_line, each_write };

namespace detail {
void flush_before_waiting() noexcept;
void flush_at_exit() noexcept;
}  // namespace detail

class writer {
 public:
  // Creates or truncates the file, or appends to it. Throws output_error if it cannot be opened.
  explicit writer(const char* path, open_mode mode = open_mode::truncate);
  explicit writer(const std::string& path, open_mode mode = open_mode::truncate);

  // Writes to a descriptor, which stays open when the writer is closed.
  explicit writer(int descriptor);

  // Flushes the stream, then writes to its descriptor. The stream stays open.
  explicit writer(std::FILE* stream);

  // Appends to a string that outlives the writer. It is complete after flush().
  static writer into(std::string& text);

  // Writes to [to, to + size), which outlives the writer. What does not fit is an error: no_buffer_space.
  static writer into(char* to, std::size_t size);

  writer(writer&& other) noexcept;
  writer& operator=(writer&& other) noexcept;
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;
  ~writer();

  // Writes one value: integers in decimal, floating point as the shortest text that reads back as the same value,
  // bool as 0 or 1, characters, text (wide text as UTF-8), pairs and tuples with a blank between the elements,
  // ranges with a blank (ranges of ranges or of tuples with a newline), and whatever io<T>::write takes.
  template <class T>
  writer& operator<<(const T& value);
  // For std::endl and std::flush: a sentence of the compiler's that says what to write instead.
  template <class Character = char>
  writer& operator<<(std::basic_ostream<Character>& (*)(std::basic_ostream<Character>&)) {
    static_assert(sizeof(Character) == 0, "headrace has no endl: write '\\n', and call flush() where it must go now");
    return *this;
  }

  // Writes the values one after another, println() a newline behind them.
  template <class... T>
  HEADRACE_INLINE void print(const T&... values);
  template <class... T>
  HEADRACE_INLINE void println(const T&... values);

  // Writes the elements of a range with `separator` (any value that << takes) between them, none behind the last.
  // A contiguous range of integers and a char as separator go through the SIMD kernels.
  template <class Range, class Separator>
  void write_range(const Range& range, const Separator& separator);

  // Writes bytes as they are. A large block goes to the sink without being copied.
  void write(std::string_view bytes);

  // An output iterator that writes chars: fmt::format_to(out.appender(), "{}", x).
  class iterator;
  iterator appender() noexcept;

  // Hands everything to the sink. Throws output_error if it does not all arrive.
  void flush();

  // flush(), then closes a file that the writer opened itself. Further writes throw. Closing again does nothing.
  void close();

  void flush_when(flush_policy policy);

  // Bytes that the sink has taken so far, what is still buffered not counted.
  std::uint64_t arrived() const noexcept { return arrived_; }

  // For code that moves bytes past the buffer, after a flush(): where they go (-1: memory), and how many have gone.
  int descriptor() const noexcept { return descriptor_; }
  void count_arrived(std::uint64_t bytes) noexcept { arrived_ += bytes; }
  // The same into memory: says what arrived, where a write would throw. The failure ends the writer like any other.
  detail::transfer deliver(const char* from, std::size_t size) noexcept;

  // "<stdout>", the path, "descriptor 5", "<memory>".
  std::string name() const;

 private:
  enum class sink : unsigned char { none, standard_output, descriptor, file, text, span };

  friend union detail::immortal<writer>;  // makes `out`
  friend void detail::flush_before_waiting() noexcept;
  friend void detail::flush_at_exit() noexcept;

  constexpr writer() noexcept : sink_(sink::standard_output), descriptor_(1) {}
  writer(sink kind, void* target, std::size_t size) noexcept : sink_(kind), target_(target), target_size_(size) {}

  template <class T>
  HEADRACE_INLINE void put(const T& value);
  template <class T>
  HEADRACE_INLINE void put_short(T value);
  template <class T>
  void put_short_slowly(T value);
  HEADRACE_INLINE void put_text(const char* from, std::size_t size);
  void put_text_slowly(const char* from, std::size_t size);
  template <class Unit>
  void put_wide(const Unit* from, std::size_t size);
  template <class Integer>
  void put_based(Integer value, int base);
  template <class Float>
  void put_styled(Float value, float_style style, int precision);
  template <class Tuple, std::size_t... Index>
  void put_tuple(const Tuple& tuple, std::index_sequence<Index...>);
  template <class Range>
  void put_range(const Range& range);
  template <class Integer>
  void put_integers(const Integer* values, std::size_t count, char separator);

  void prepare();
  void settle();
  void start();
  bool send(const char* from, std::size_t size) noexcept;
  bool send_buffer() noexcept;
  void send_last() noexcept;
  void send_full_buffer();
  void fail(int error) noexcept;
  void set_policy(flush_policy policy) noexcept;
  bool finish() noexcept;
  [[noreturn]] void report();
  void tell(const char* action, int error) const noexcept;
  detail::message label() const noexcept;
  void take(writer& other) noexcept;
  void abandon() noexcept;

  // A write may begin wherever next_ < end_ and then has `slack` bytes of room. end_ is limit_, or begin_ where each
  // write has to look further: before the first one, on a terminal, after a failure.
  static constexpr std::size_t capacity = 64 * 1024;
  static constexpr std::size_t slack = 256;

  char* next_ = nullptr;
  char* end_ = nullptr;
  char* begin_ = nullptr;
  char* limit_ = nullptr;  // begin_ + capacity; slack more bytes lie behind it

  sink sink_ = sink::none;
  flush_policy policy_ = flush_policy::when_full;
  bool policy_is_given_ = false;
  bool reported_ = false;
  bool is_closed_ = false;
  int descriptor_ = -1;
  int error_ = 0;                 // errno of what ended this writer: a failure, or EBADF once it is closed
  const char* action_ = "write";  // what failed
  std::uint64_t arrived_ = 0;
  std::size_t searched_ = 0;  // bytes of the buffer known to hold no newline
  char* path_ = nullptr;      // owned
  void* target_ = nullptr;    // std::string, or where the next byte of a span goes
  bool (*append_)(void* text, const char* from, std::size_t size) = nullptr;  // to the std::string
  std::size_t target_size_ = 0;                                               // what is left of a span
#if HEADRACE_WINDOWS
  bool on_console_ = false;
  detail::console_rest rest_;
#endif
};

namespace detail {
#if HEADRACE_COMPILED
extern immortal<writer> standard_output;
#elif defined(__clang__)  // which otherwise guards and registers even an empty destructor
[[clang::no_destroy]] inline immortal<writer> standard_output;
#else
inline immortal<writer> standard_output;
#endif
}  // namespace detail

// Standard output. Usable before main and after it: it is constant-initialised and never destroyed. The buffer is
// made at the first use and flushed when the program exits; what is written later than that (by destructors of
// static objects) goes straight through. If that flush fails, one line on stderr says so and the process exits
// with status 1. Exits that run no handlers (_exit, quick_exit, abort, a signal) lose the buffer, as with stdio: a
// child that leaves by _exit() therefore prints nothing twice; one that leaves by exit() prints again what its
// parent had not yet flushed when it forked.
[[maybe_unused]] inline writer& out = detail::standard_output.value;

// Makes quick_exit() flush `out`, too. Returns false where the platform has no at_quick_exit or no room in it.
bool flush_out_at_quick_exit() noexcept;

// ---------------------------------------------------------------------------------------------------------------

class writer::iterator {
 public:
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;

  iterator() noexcept = default;
  explicit iterator(writer& sink) noexcept : sink_(&sink) {}
  iterator& operator=(char value) {
    sink_->put_short(value);
    return *this;
  }
  iterator& operator*() noexcept { return *this; }
  iterator& operator++() noexcept { return *this; }
  iterator operator++(int) noexcept { return *this; }

 private:
  writer* sink_ = nullptr;
};

namespace detail {

template <class T, class = void>
constexpr bool is_range = false;
template <class T>
constexpr bool
    is_range<T, std::void_t<decltype(std::begin(std::declval<const T&>()) != std::end(std::declval<const T&>()))>> =
        true;

template <class Range>
using element_of = std::decay_t<decltype(*std::begin(std::declval<const Range&>()))>;

// An element that fills a line of its own: a range (but no text) or a tuple.
template <class T>
constexpr bool is_line = (is_range<T> && !std::is_convertible_v<const T&, std::string_view>) || is_tuple_like<T>;

template <class T, class Unit>
constexpr bool is_text_of = std::is_convertible_v<const T&, std::basic_string_view<Unit>>;

template <class T>
constexpr bool is_wide_character = is_one_of<T, wchar_t, char16_t, char32_t>;

template <class T>
struct styled_value {
  static constexpr bool yes = false;
};
template <class Float>
struct styled_value<styled_float<Float>> {
  static constexpr bool yes = true;
};

template <class T>
struct based_value {
  static constexpr bool yes = false;
};
template <class Integer>
struct based_value<based_integer<Integer>> {
  static constexpr bool yes = true;
};

template <class T>
constexpr bool is_string_literal = false;
template <std::size_t Size>
constexpr bool is_string_literal<char[Size]> = true;

// What put_short() writes: the text is never longer than writer::slack.
template <class T>
constexpr bool is_short = is_integer<T> || is_float<T> || is_one_of<T, char, bool, word_bool>;

// The room that write_short() needs for a T; more than a writer ever has for any other type.
template <class T>
constexpr std::size_t most_room = has_io_write<T>        ? 1 << 20
                                  : is_integer<T>        ? greatest_length<T> + overshoot
                                  : is_float<T>          ? float_room
                                  : is_short<T>          ? 8
                                  : is_string_literal<T> ? sizeof(T)
                                                         : 1 << 20;

}  // namespace detail

inline writer::iterator writer::appender() noexcept { return iterator(*this); }

namespace detail {

// False when there is no memory for it. Called by a pointer that writer::into() sets: other programs hold none of it.
inline bool append_to_string(void* text, const char* from, std::size_t size) noexcept {
#if HEADRACE_EXCEPTIONS
  try {
#endif
    static_cast<std::string*>(text)->append(from, size);
    return true;
#if HEADRACE_EXCEPTIONS
  } catch (const std::exception&) {
    return false;
  }
#endif
}

}  // namespace detail

template <class T>
HEADRACE_INLINE void writer::put_short(T value) {
  if (detail::likely(next_ < end_)) {
    next_ = detail::write_short(next_, value);
  } else {
    put_short_slowly(value);
  }
}

template <class T>
HEADRACE_COLD void writer::put_short_slowly(T value) {
  prepare();
  next_ = detail::write_short(next_, value);
  settle();
}

HEADRACE_INLINE void writer::put_text(const char* from, std::size_t size) {
  if (detail::likely(next_ < end_ && size <= slack)) {
    std::memcpy(next_, from, size);
    next_ += size;
  } else {
    put_text_slowly(from, size);
  }
}

HEADRACE_COLD inline void writer::put_text_slowly(const char* from, std::size_t size) {
  prepare();
  if (size >= capacity) {
    if (!send_buffer() || !send(from, size)) report();
    return;
  }
  const auto room = static_cast<std::size_t>(limit_ - next_);
  if (size > room) {
    std::memcpy(next_, from, room);
    next_ = limit_;
    send_full_buffer();
    from += room;
    size -= room;
  }
  std::memcpy(next_, from, size);
  next_ += size;
  settle();
}

template <class Unit>
void writer::put_wide(const Unit* from, std::size_t size) {
  constexpr std::size_t most = slack / utf8_per_unit<Unit>;
  while (size > 0) {
    std::size_t piece = size < most ? size : most;
    if (piece < size && splits_a_pair(from[piece - 1])) --piece;
    prepare();
    next_ = to_utf8(from, from + piece, next_);
    from += piece;
    size -= piece;
  }
  settle();
}

template <class Integer>
void writer::put_based(Integer value, int base) {
  prepare();
  const format_result result = format(next_, limit_ + slack, value, base);
  if (!result) detail::raise_output_error(label(), "write in a base that is not 2 to 36", EINVAL, arrived_);
  next_ = result.ptr;
  settle();
}

template <class Float>
void writer::put_styled(Float value, float_style style, int precision) {
  // More digits than any number has are zeros, which stand before the exponent of the scientific style.
  constexpr int most = detail::bits_of<Float>;
  prepare();
  if (limit_ - next_ < 2 * most && !send_buffer()) report();
  char* const limit = limit_ + slack;
  const format_result result = format(next_, limit, value, style, precision < most ? precision : most);
  if (!result) detail::raise_output_error(label(), "write with a negative precision", EINVAL, arrived_);
  char* exponent = result.ptr;
  if (precision > most && style == float_style::scientific) {
    while (exponent != next_ && *exponent != 'e') --exponent;
  }
  char kept[8];
  const auto kept_size = static_cast<std::size_t>(result.ptr - exponent);
  std::memcpy(kept, exponent, kept_size);
  next_ = exponent;
  if (result.ptr[-1] <= '9') {  // not inf or nan
    for (int i = most; i < precision; ++i) put('0');
  }
  put(std::string_view(kept, kept_size));
}

template <class Tuple, std::size_t... Index>
void writer::put_tuple(const Tuple& tuple, std::index_sequence<Index...>) {
  using std::get;
  ((Index == 0 ? void() : put(' '), put(get<Index>(tuple))), ...);
}

template <class Range>
void writer::put_range(const Range& range) {
  write_range(range, detail::is_line<detail::element_of<Range>> ? '\n' : ' ');
}

template <class T>
HEADRACE_INLINE void writer::put(const T& value) {
  if constexpr (detail::has_io_write<T>) {
    io<T>::write(*this, value);
  } else if constexpr (detail::is_short<T>) {
    put_short(value);
  } else if constexpr (detail::based_value<T>::yes) {
    put_based(value.value, value.base);
  } else if constexpr (detail::styled_value<T>::yes) {
    put_styled(value.value, value.style, value.precision);
  } else if constexpr (detail::is_wide_character<T>) {
    put_wide(&value, 1);
  } else if constexpr (detail::is_text_of<T, char>) {
    const std::string_view text = value;
    put_text(text.data(), text.size());
  } else if constexpr (detail::is_text_of<T, wchar_t>) {
    const std::wstring_view text = value;
    put_wide(text.data(), text.size());
  } else if constexpr (detail::is_text_of<T, char16_t>) {
    const std::u16string_view text = value;
    put_wide(text.data(), text.size());
  } else if constexpr (detail::is_text_of<T, char32_t>) {
    const std::u32string_view text = value;
    put_wide(text.data(), text.size());
#if defined(__cpp_char8_t)
  } else if constexpr (std::is_same_v<T, char8_t>) {
    put_short(static_cast<char>(value));
  } else if constexpr (detail::is_text_of<T, char8_t>) {
    const std::basic_string_view<char8_t> text = value;
    put_text(reinterpret_cast<const char*>(text.data()), text.size());
#endif
  } else if constexpr (detail::is_range<T>) {
    put_range(value);
  } else {
    static_assert(detail::is_tuple_like<T>,
                  "headrace cannot write this type: specialise headrace::io<T> for it (see types.hpp)");
    put_tuple(value, std::make_index_sequence<std::tuple_size<T>::value>());
  }
}

template <class T>
HEADRACE_INLINE writer& writer::operator<<(const T& value) {
  put(value);
  return *this;
}

template <class... T>
HEADRACE_INLINE void writer::print(const T&... values) {
  if constexpr ((detail::most_room<T> + ... + 0) <= slack) {  // one look at the buffer is enough for all of them
    if (detail::likely(next_ < end_)) {
      char* to = next_;
      ((to = detail::write_short(to, values)), ...);
      next_ = to;
      return;
    }
  }
  (put(values), ...);
}

template <class... T>
HEADRACE_INLINE void writer::println(const T&... values) {
  print(values..., '\n');
}

template <class Range, class Separator>
void writer::write_range(const Range& range, const Separator& separator) {
  using element = detail::element_of<Range>;
  if constexpr (detail::is_contiguous<const Range> && detail::is_integer<element> && std::is_same_v<Separator, char>) {
    const std::size_t count = std::size(range);
    if (count == 0) return;
    put_integers(std::data(range), count - 1, separator);
    put(std::data(range)[count - 1]);
  } else {
    bool first = true;
    for (auto&& value : range) {
      if (!first) put(separator);
      first = false;
      if constexpr (!detail::is_short<element> && std::is_convertible_v<element, bool> && std::is_class_v<element> &&
                    std::is_same_v<typename Range::value_type, bool>) {
        put(static_cast<bool>(value));  // std::vector<bool> hands out stand-ins
      } else {
        put(value);
      }
    }
  }
}

template <class Integer>
void writer::put_integers(const Integer* values, std::size_t count, char separator) {
  constexpr std::size_t longest = detail::greatest_length<Integer> + 1;
  while (count > 0) {
    prepare();
    const auto room = static_cast<std::size_t>(limit_ + slack - next_) - detail::integers_overshoot;
    const std::size_t piece = room / longest < count ? room / longest : count;
    next_ = detail::write_integers(next_, values, piece, separator);
    values += piece;
    count -= piece;
  }
  settle();
}

inline void writer::write(std::string_view bytes) { put_text(bytes.data(), bytes.size()); }

// Makes room for `slack` bytes behind next_, or throws.
inline void writer::prepare() {
  if (detail::unlikely(begin_ == nullptr)) start();
  if (detail::unlikely(error_ != 0)) report();
  if (next_ >= limit_) send_full_buffer();
}

// Behind a write that prepare() let through: does what the policy asks for.
inline void writer::settle() {
  if (policy_ == flush_policy::when_full) return;
  const auto size = static_cast<std::size_t>(next_ - begin_);
  if (policy_ == flush_policy::each_line && std::memchr(begin_ + searched_, '\n', size - searched_) == nullptr) {
    searched_ = size;
    return;
  }
  if (!send_buffer()) report();
}

HEADRACE_COLD inline void writer::start() {
  if (error_ != 0) report();
  if (sink_ == sink::standard_output) {
    std::fflush(stdout);  // what printf wrote before comes before
    std::atexit(detail::flush_at_exit);
    detail::before_waiting = detail::flush_before_waiting;
  }
  if (descriptor_ >= 0) {
    const bool on_terminal = detail::describe(descriptor_).kind == detail::file_kind::terminal;
    if (on_terminal && !policy_is_given_) policy_ = flush_policy::each_line;
#if HEADRACE_WINDOWS
    on_console_ = on_terminal;
#endif
  }
  begin_ = static_cast<char*>(std::malloc(capacity + slack));
  if (begin_ == nullptr) {
    fail(ENOMEM);
    report();
  }
  limit_ = begin_ + capacity;
  next_ = begin_;
  set_policy(policy_);
}

inline void writer::set_policy(flush_policy policy) noexcept {
  policy_ = policy;
  searched_ = 0;
  end_ = policy == flush_policy::when_full && error_ == 0 ? limit_ : begin_;
}

inline void writer::flush_when(flush_policy policy) {
  policy_is_given_ = true;
  if (begin_ != nullptr) {
    flush();
    set_policy(policy);
  }
  policy_ = policy;
}

// The one place where bytes leave. False after a failure.
inline bool writer::send(const char* from, std::size_t size) noexcept {
  detail::transfer done{size, 0};
  if (sink_ == sink::text) {
    if (!append_(target_, from, size)) done = {0, ENOMEM};
  } else if (sink_ == sink::span) {
    if (size > target_size_) done = {target_size_, ENOBUFS};
    std::memcpy(target_, from, done.size);
    target_ = static_cast<char*>(target_) + done.size;
    target_size_ -= done.size;
#if HEADRACE_WINDOWS
  } else if (on_console_) {
    done = detail::write_console(descriptor_, from, size, rest_);
#endif
  } else {
    done = detail::write_all(descriptor_, from, size);
  }
  arrived_ += done.size;
  if (detail::unlikely(done.error != 0)) fail(done.error);
  return done.error == 0;
}

HEADRACE_COLD inline detail::transfer writer::deliver(const char* from, std::size_t size) noexcept {
  if (error_ != 0) return {0, error_};
  const std::uint64_t before = arrived_;
  reported_ = !send(from, size);
  return {static_cast<std::size_t>(arrived_ - before), error_};
}

inline void writer::fail(int error) noexcept {
  error_ = error;
  reported_ = false;
  next_ = end_ = begin_;
}

inline bool writer::send_buffer() noexcept {
  if (error_ != 0) return false;
  const auto size = static_cast<std::size_t>(next_ - begin_);
  next_ = begin_;
  searched_ = 0;
  return size == 0 || send(begin_, size);
}

// The same when nothing follows: a console shows a sequence that nobody completed as U+FFFD.
inline void writer::send_last() noexcept {
  if (!send_buffer()) return;
#if HEADRACE_WINDOWS
  if (const int error = detail::end_console(descriptor_, rest_)) fail(error);
#endif
}

// Sends whole pages, so that a file is written page by page; the few bytes behind them move to the front.
inline void writer::send_full_buffer() {
  const auto rest = static_cast<std::size_t>(next_ - limit_);
  if (arrived_ == 0 && descriptor_ >= 0) detail::enlarge_pipe(descriptor_);
  if (!send(begin_, capacity)) report();
  std::memcpy(begin_, limit_, rest);
  next_ = begin_ + rest;
  searched_ = 0;
}

inline void writer::flush() {
  if (!send_buffer()) report();
}

[[noreturn]] HEADRACE_COLD inline void writer::report() {
  reported_ = true;
  detail::raise_output_error(label(), action_, error_, arrived_);
}

inline writer::writer(const char* path, open_mode mode) : sink_(sink::file) {
  descriptor_ = detail::open_file(path, mode);
  if (descriptor_ < 0) detail::raise_output_error(path, "open", errno, 0);
  const std::size_t size = std::strlen(path) + 1;
  path_ = static_cast<char*>(std::malloc(size));
  if (path_ != nullptr) std::memcpy(path_, path, size);
}

inline writer::writer(const std::string& path, open_mode mode) : writer(path.c_str(), mode) {}

inline writer::writer(int descriptor) : sink_(sink::descriptor), descriptor_(descriptor) {}

inline writer::writer(std::FILE* stream) : sink_(sink::descriptor), descriptor_(detail::descriptor_of(stream)) {
  if (std::fflush(stream) != 0) detail::raise_output_error(label(), "write", errno, 0);
}

inline writer writer::into(std::string& text) {
  writer made(sink::text, &text, 0);
  made.append_ = detail::append_to_string;
  return made;
}
inline writer writer::into(char* to, std::size_t size) { return writer(sink::span, to, size); }

inline writer::writer(writer&& other) noexcept { take(other); }

inline writer& writer::operator=(writer&& other) noexcept {
  if (this != &other) {
    abandon();
    take(other);
  }
  return *this;
}

inline writer::~writer() { abandon(); }

// The other is left closed.
inline void writer::take(writer& other) noexcept {
  std::memcpy(static_cast<void*>(this), static_cast<const void*>(&other), sizeof *this);
  other.begin_ = other.limit_ = other.path_ = nullptr;
  other.sink_ = sink::none;
  other.descriptor_ = -1;
  other.fail(EBADF);
  other.reported_ = true;
}

// What a destructor does.
inline void writer::abandon() noexcept {
  finish();
  if (sink_ == sink::file && descriptor_ >= 0) {
    const int error = detail::close_file(descriptor_);
    if (error != 0 && error_ == 0) tell("close", error);
  }
  std::free(begin_);
  std::free(path_);
}

inline void writer::close() {
  send_last();
  if (sink_ == sink::file && descriptor_ >= 0) {
    const int error = detail::close_file(descriptor_);
    descriptor_ = -1;
    if (error != 0 && error_ == 0) {
      action_ = "close";
      fail(error);
    }
  }
  if (is_closed_) return;
  is_closed_ = true;
  if (error_ != 0) report();
  fail(EBADF);
  reported_ = true;
}

// Flushes; a failure that was never thrown becomes a line on stderr. False if there was one.
HEADRACE_COLD inline bool writer::finish() noexcept {
  send_last();
  if (error_ == 0 || reported_) return true;
  reported_ = true;
  tell(action_, error_);
  return false;
}

// One line about a failure to standard error, where nothing may be thrown. Past stdio, which has its own buffers.
HEADRACE_COLD inline void writer::tell(const char* action, int error) const noexcept {
  const detail::message line{detail::output_message(label(), action, error, arrived_), "\n"};
  detail::write_all(2, line.c_str(), std::strlen(line.c_str()));
}

inline std::string writer::name() const { return label().c_str(); }

HEADRACE_COLD inline detail::message writer::label() const noexcept {
  if (path_ != nullptr) return {path_};
  if (sink_ == sink::none) return {"<nothing>"};
  if (sink_ == sink::text || sink_ == sink::span) return {"<memory>"};
  if (descriptor_ == 1 || descriptor_ == 2) return {descriptor_ == 1 ? "<stdout>" : "<stderr>"};
  return {"descriptor ", detail::digits_of(static_cast<std::uint64_t>(descriptor_))};
}

namespace detail {

// A failure stays in the writer: the next write or the exit reports it.
inline void flush_before_waiting() noexcept { out.send_buffer(); }

inline void flush_at_exit() noexcept {
  if (out.finish()) {
    out.set_policy(flush_policy::each_write);
    return;
  }
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace detail

inline bool flush_out_at_quick_exit() noexcept {
#if HEADRACE_WINDOWS || defined(__APPLE__)
  return false;
#else
  return std::at_quick_exit(detail::flush_at_exit) == 0;
#endif
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
