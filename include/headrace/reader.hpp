// headrace/reader.hpp: checked values, words and lines from a file, a pipe, a terminal, a FILE* or memory.
//
//   int n;  headrace::in >> n;                      // throws input_error unless a whole token is an int in range
//   auto x = in.read<double>();
//   std::vector<long long> v(n);  in.read(v);       // any contiguous range, many tokens at a time
//   while (in.try_read(n)) ...                      // false at the end of input, throws on anything else
//   if (auto r = in.parse(n); !r) ...               // never throws; r.error says what and where
//   int n = in.parse<int>().value_or(0);            // the same with the value in the result
//   for (std::string_view word : in.words()) ...
//   for (std::string_view line : in.lines()) ...    // without "\n" or "\r\n"
//   for (auto x : in.values<std::uint32_t>()) ...
//
// A token is a run of bytes between whitespace (space, \t \n \v \f \r). A value is a whole token: "12a" is not an
// integer, and 300 does not fit a std::uint8_t. On an error the target keeps its value and the reader stays before the
// token; of a bulk read the elements before the bad one are set. skip() passes over it.
//
// A string_view is valid until the next use of the reader. Nothing is read ahead beyond what one read(2) gives. Before
// headrace::in waits for a terminal, pipe or socket it flushes headrace::out; any other reader flushes nothing, or what
// tie() names. A reader owns its position: other code that reads the same descriptor (std::cin, scanf) does not see
// what the reader holds in its buffer.
// Memory: about 200 KiB, and more only for a token or line that is itself longer. One thread at a time.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "detail/source.hpp"
#include "detail/window.hpp"
#include "types.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {
struct reader_access;
}

// An input_error or none. (std::optional costs more compile time than all of parse.hpp.)
class possible_error {
 public:
  possible_error() noexcept : nothing_(), is_set_(false) {}
  explicit possible_error(const input_error& error) noexcept : error_(error), is_set_(true) {}
  possible_error(const possible_error& other) noexcept : nothing_(), is_set_(false) { *this = other; }
  possible_error& operator=(const possible_error& other) noexcept {
    if (this == &other) return *this;
    forget();
    if (other.is_set_) ::new (static_cast<void*>(&error_)) input_error(other.error_);
    is_set_ = other.is_set_;
    return *this;
  }
  ~possible_error() { forget(); }

  explicit operator bool() const noexcept { return is_set_; }
  const input_error& operator*() const noexcept { return error_; }
  const input_error* operator->() const noexcept { return &error_; }

 private:
  friend class reader;
  friend struct detail::reader_access;
  template <class Make>  // calls it for the error, which is thus made where it stays
  possible_error(std::true_type, Make make) : error_(make()), is_set_(true) {}

  void forget() noexcept {
    if (is_set_) error_.~input_error();
    is_set_ = false;
  }

  union {
    char nothing_;
    input_error error_;
  };
  bool is_set_;
};

// The result of parse(): true when the value was read.
struct read_result {
  possible_error error;
  explicit operator bool() const noexcept { return !error; }
};

// The result of parse<T>(), which users of std::expected know, and which becomes one where that is asked for:
//   if (auto x = in.parse<int>()) use(*x);
//   int y = in.parse<int>().value_or(0);
template <class T>
struct read_value {
  T read{};
  possible_error error;

  explicit operator bool() const noexcept { return !error; }
  [[nodiscard]] bool has_value() const noexcept { return !error; }
  // Throws the error where there is no value; * and -> do not look.
  [[nodiscard]] const T& value() const {
    if (error) detail::raise_input_error(*error);
    return read;
  }
  const T& operator*() const noexcept { return read; }
  const T* operator->() const noexcept { return &read; }
  template <class Other>
  [[nodiscard]] T value_or(Other&& other) const {
    return error ? static_cast<T>(std::forward<Other>(other)) : read;
  }
  // std::expected<T, E>, where an E can be made of an input_error.
  template <class Expected, class Unexpected = typename Expected::unexpected_type>
  operator Expected() const {
    if (error) return Expected(Unexpected(*error));
    return Expected(read);
  }
};

// How a reader takes a signal that comes while it waits: it goes on waiting, or ends the wait with errc::interrupted.
enum class interrupt_policy : unsigned char { retry, report };

class reader {
 public:
  // A descriptor, which stays open when the reader goes. `name` is for messages, which otherwise say "<descriptor 5>".
  constexpr explicit reader(int descriptor, const char* name = nullptr) noexcept : source_(descriptor, name) {}
  // A path; throws input_error if it cannot be opened.
  explicit reader(const char* path) : source_(path) {}
  explicit reader(const std::string& path) : source_(detail::whole_path<true>(path)) {}
  // From a std::filesystem::path.
  template <class Path, class = decltype(std::declval<const Path&>().lexically_normal())>
  explicit reader(const Path& path) : reader(path.string()) {}
  template <class View, std::enable_if_t<std::is_same_v<View, std::string_view>, int> = 0>
  explicit reader(const View&) = delete;  // a path: reader(std::string(view)); text in memory: reader::from(view)
  // A FILE*; what stdio has read of it already comes first.
  explicit reader(std::FILE* file) : source_(file) {}
  // For reader(true) and reader(0.5), which are no descriptors.
  template <class Number, class = detail::if_no_descriptor<Number>>
  explicit reader(Number, const char* = nullptr) : source_(detail::refuse_descriptor<Number>(), "") {}
  // For a std::istream: the compiler says what to write instead.
  template <class Character>
  explicit reader(std::basic_istream<Character>&) : source_(-1, "") {
    static_assert(sizeof(Character) == 0,
                  "headrace reads a std::istream by headrace::reader::from(source), source being a "
                  "headrace::istream_source of <headrace/iostreams.hpp>; std::cin is headrace::in");
  }
  // Text in memory, which must outlive the reader. Nothing outside it is read.
  [[nodiscard]] static reader from(std::string_view text) noexcept {
    return reader(detail::source(text.data(), text.size()));
  }
  template <class Text, class = std::enable_if_t<std::is_same_v<std::remove_const_t<Text>, std::string>>>
  static reader from(Text&& temporary) = delete;  // it would be gone before the first read: give the string a name
  // An object that outlives the reader: anything that can be called as
  //   source.read(char* to, std::size_t size), or source(to, size)
  // which returns how many bytes it gave, 0 at the end, or a negative number after a failure that errno names. It is
  // not asked again after its end. After EINTR it is asked again at once (or on_signal() decides), after EAGAIN in a
  // millisecond. Errors call it `name`, which is copied. What it throws becomes an input_error: a
  // std::system_error keeps its code, anything else is an io_error; the next read asks it again. One that claims more
  // bytes than it was asked for is an io_error, too, and the reader is given up: every later read reports it again.
  // Where the object has failure(), errors after a failed read say that text instead of what the system says of errno,
  // unless it is nullptr.
  template <class Source,
            class = std::enable_if_t<std::is_class_v<Source> && !std::is_convertible_v<Source&, std::string_view>>>
  [[nodiscard]] static reader from(Source& source, const char* name = "<source>") {
    static_assert(detail::is_source<Source>,
                  "headrace::reader::from takes a std::string_view, a function object, or an object with read(char*, "
                  "std::size_t); a std::istream is read through headrace::istream_source of <headrace/iostreams.hpp>");
    void* const object = const_cast<void*>(static_cast<const volatile void*>(&source));
    using readable = std::conditional_t<detail::is_source<Source>, Source, detail::nothing>;
    return reader(detail::source(&detail::source_calls_of<readable>, object, name));
  }
  // An object as from() takes it, which the reader keeps, in memory of its own: reader{headrace::gzip_source("x.gz")}.
  // Errors call it by its name(), a const char*, or else "<source>".
  template <class Source, class = detail::if_temporary<Source>,
            class = std::enable_if_t<std::is_class_v<Source> && detail::is_source<Source>>>
  explicit reader(Source&& source) : reader(std::true_type(), new Source(static_cast<Source&&>(source))) {}

  // `other` is left without a descriptor, at the end of its input.
  reader(reader&& other) noexcept;
  reader& operator=(reader&& other) noexcept;
  ~reader() = default;

  // The next value; throws input_error. T: integers, floats, bool, char (the next byte that is not whitespace),
  // std::string and std::string_view (a word), pair, tuple, std::tie, array, a range with data() and size() (fills it;
  // of a view of every second element of a block, those), and types with an io<T>. A vector must have its size
  // beforehand; a debug build aborts with a message if >> or try_read is asked to fill an empty one. read(v) fills an
  // empty one too, as a size that was read may be 0.
  template <class T>
  HEADRACE_INLINE reader& operator>>(T&& value);
  // For std::ws and std::hex: the compiler says what to write instead.
  template <class Character = char>
  reader& operator>>(std::basic_istream<Character>& (*)(std::basic_istream<Character>&)) {
    static_assert(sizeof(Character) == 0,
                  "headrace needs no ws: >> skips whitespace, and read_line() takes a whole line");
    return *this;
  }
  template <class Base>
  reader& operator>>(Base& (*)(Base&)) {
    static_assert(sizeof(Base*) == 0,
                  "headrace has no manipulators: read headrace::base(x, 16) for hexadecimal; bool is 0 or 1");
    return *this;
  }
  explicit operator bool() const = delete;  // >> throws instead: write while (in.try_read(x)), or if (in.parse(x))
  template <class T>
  [[nodiscard]] T read();
  template <class T>
  void read(T&& value);

  // False at the end of input; throws input_error on anything but a value.
  template <class T>
  [[nodiscard]] HEADRACE_INLINE bool try_read(T&& value);

  // Never throws, except std::bad_alloc.
  template <class T>
  [[nodiscard]] read_result parse(T&& value);
  template <class T>
  [[nodiscard]] read_value<T> parse();

  // Fills a range with data() and size() as far as the input goes: returns how many elements were read.
  template <class Range>
  [[nodiscard]] std::size_t read_some(Range&& range);

  // The next line without its end, "\n" or "\r\n"; false at the end of input. What follows the last value of a
  // line is a line too, as with std::getline.
  [[nodiscard]] HEADRACE_INLINE bool try_read_line(std::string_view& line);
  std::string_view read_line();

  template <class Fetch>
  class sequence;
  struct get_word;
  struct get_line;
  template <class T>
  struct get_value;

  // Ranges for a for loop, until the end of input.
  [[nodiscard]] sequence<get_word> words() &;
  [[nodiscard]] sequence<get_line> lines() &;
  template <class T>
  [[nodiscard]] sequence<get_value<T>> values() &;

  // Rows of delimited text, for a for loop or one by one: a headrace::row_sequence<T...> of <headrace/columns.hpp>,
  // which has to be included; and rows of a width that is known at run time: a headrace::record_sequence. With a
  // headrace::rejects, bad ones are kept aside.
  template <class... T, class Format>
  [[nodiscard]] auto rows(const Format& format) &;
  template <class... T, class Format, class Rejects>
  [[nodiscard]] auto rows(const Format& format, Rejects& aside) &;
  template <class Format>
  [[nodiscard]] auto records(const Format& format) &;
  template <class Format, class Rejects>
  [[nodiscard]] auto records(const Format& format, Rejects& aside) &;

  // Not of a temporary, which is gone when the loop begins.
  sequence<get_word> words() && = delete;  // give the reader a name
  sequence<get_line> lines() && = delete;  // give the reader a name
  template <class T>
  sequence<get_value<T>> values() && = delete;  // give the reader a name
  template <class... T, class Format, class... Rejects>
  void rows(const Format& format, Rejects&... aside) && = delete;  // give the reader a name
  template <class Format, class... Rejects>
  void records(const Format& format, Rejects&... aside) && = delete;  // give the reader a name

  // Bytes that are blanks, too, from here on: after separators(",;") the input 1,2;3 is three numbers for >>, bulk
  // reads and words. Each of them reads as a space, in lines as well. Several in a row are one blank: for fields that
  // may be empty or in quotes there is columns.hpp. What the reader holds already stays so when others are named.
  void separators(std::string_view bytes) {
    window_.sync_position(source_);
    source_.blank_out(detail::byte_set(bytes));
  }

  // Passes over one token; false at the end of input.
  bool skip();
  // The next token, which is not consumed; empty at the end of input. The whitespace before it is.
  [[nodiscard]] std::string_view peek();
  // For an io<T>::read that has peeked at a token which is no T: throws an input_error, "expected a colour, found ..."
  // after reject("a colour"), and leaves the reader before the token.
  //   static void read(reader& source, colour& value) {
  //     const auto found = colours.find(source.peek());
  //     if (found == colours.end()) source.reject("a colour");
  //     source.skip();
  //     value = found->second;
  //   }
  [[noreturn]] void reject(const char* expected);
  // True when nothing but whitespace is left; waits for input to know. Passes over nothing.
  [[nodiscard]] bool at_end();
  // Where the next byte is.
  [[nodiscard]] struct position where();
  // Errors call it by this name: "<stdin>", the path, "<descriptor 5>", "<memory>", "<source>", what was given to the
  // constructor, or "<moved>". Valid until the reader is moved, assigned to or gone.
  [[nodiscard]] const char* name() const noexcept { return source_.name(); }
  // -1 where there is none.
  [[nodiscard]] int descriptor() const noexcept { return source_.descriptor(); }

  // For code that moves bytes by other means: what is buffered and not yet consumed, and how much of it was taken (a
  // debug build aborts with a sentence where that is more than there is).
  [[nodiscard]] std::string_view buffered();
  void consume(std::size_t bytes);
  // Reads more after it, once; false at the end of input.
  [[nodiscard]] bool fetch_more();
  // True when the descriptor itself goes on where an empty buffer ends; then how many bytes were read from it.
  [[nodiscard]] bool can_bypass_buffer() const noexcept { return source_.can_bypass_buffer(); }
  void skip_external(std::uint64_t bytes) noexcept { source_.skip_external(bytes); }
  [[deprecated("renamed to can_bypass_buffer")]] bool can_be_passed_by() const noexcept { return can_bypass_buffer(); }
  [[deprecated("renamed to skip_external")]] void passed_by(std::uint64_t bytes) noexcept { skip_external(bytes); }

  // A limit for the wait for a token or line from a descriptor, however many pieces it comes in: milliseconds, or a
  // duration of <chrono>. Where it is not complete before that has passed, an input_error says errc::timed_out. What
  // had come of it is kept, and the next read goes on with it, and waits as long again. (Elements of a pair, tuple or
  // range are values of their own: those before are gone.) A number below 0 takes the limit away. A socket's
  // SO_RCVTIMEO is reported alike. No limit holds on Windows, and for a FILE* that is read through stdio.
  void wait_at_most(int milliseconds) noexcept;
  template <class Duration, class = typename Duration::period>
  void wait_at_most(Duration limit) noexcept {
    using period = typename Duration::period;
    const double exact = static_cast<double>(limit.count()) * 1000.0 * static_cast<double>(period::num) /
                         static_cast<double>(period::den);
    const int whole = exact < 0 ? 0 : exact < 2e9 ? static_cast<int>(exact) : 2000000000;
    wait_at_most(whole + (whole < exact));  // rounded up; a negative duration is over at once
  }
  void on_signal(interrupt_policy policy) noexcept;

  // Flushes a writer before each read that has to wait, as `in` does with `out`; nullptr: none. The writer must outlive
  // the reader or be untied. A failure of the flush stays in the writer, which reports it at its next use.
  template <class Writer>
  void tie(Writer* to) noexcept;
  void tie(std::nullptr_t) noexcept { source_.tie_to({}); }
  void flush_tied() const noexcept { source_.flush_tied(); }

 private:
  friend union detail::immortal<reader>;  // makes `in`
  friend struct detail::reader_access;
  friend bool detail::is_in(const detail::source& from) noexcept;
  friend void detail::release_in(process::held_input& held) noexcept;
  constexpr reader(int descriptor, const char* name, detail::tie tied_to) noexcept
      : source_(descriptor, name, tied_to) {}
  explicit reader(detail::source&& source) noexcept : source_(static_cast<detail::source&&>(source)) {}
  template <class Source>
  reader(std::true_type, Source* owned) noexcept
      : source_(&detail::source_calls_of<Source, true>, owned, detail::name_of(*owned, "<source>")) {}

  template <class T>
  HEADRACE_INLINE detail::status fetch(T& value);
  template <class T>
  HEADRACE_INLINE detail::status fetch_number(T& value);
  template <class T>
  detail::status fetch_number_slowly(T& value);
  template <class T>
  detail::status fetch_in_turn(T& value);
  template <class T>
  detail::status fetch_other(T& value);
  template <class T>
  detail::status fetch_based(T& value, int base);
  template <class T>
  detail::status fetch_many(T* values, std::size_t count, std::size_t& done);
  template <class Range>
  detail::status fetch_range(Range& range, std::size_t& done);
  template <class T, class Target, std::size_t... Index>
  detail::status fetch_elements(T& value, const Target& target, std::index_sequence<Index...>);
  HEADRACE_INLINE detail::status fetch_word_view(std::string_view& word);
  HEADRACE_INLINE detail::status fetch_line_view(std::string_view& line);

  input_error make_error(detail::status why, detail::value_kind expected, bool is_final = false);
  void end_or_fail(detail::status why, detail::value_kind expected);
  [[noreturn]] void fail(detail::status why, detail::value_kind expected);

  detail::source source_;
  detail::window window_;
  bool in_parts_ = false;  // the input ended after the first part of a value
};

namespace detail {
#if HEADRACE_COMPILED
extern immortal<reader> standard_input;
#elif defined(__clang__)  // which otherwise guards and registers even an empty destructor
[[clang::no_destroy, clang::require_constant_initialization]] inline immortal<reader> standard_input{
    0, "<stdin>", tie{flush_out, nullptr}};
#else
inline immortal<reader> standard_input{0, "<stdin>", tie{flush_out, nullptr}};
#endif
}  // namespace detail

// For who is used to std::getline: false at the end of input, and `line` is then unchanged.
inline bool getline(reader& from, std::string& line) {
  std::string_view found;
  if (!from.try_read_line(found)) return false;
  line.assign(found.data(), found.size());
  return true;
}

// Standard input. Usable before and after any other static object; made at first use. After
// in = headrace::reader("numbers.txt") it is that file's, and flushes `out` no more unless tie(&out) says so.
[[maybe_unused]] inline reader& in = detail::standard_input.value;

}  // namespace HEADRACE_ABI
}  // namespace headrace

#include "detail/read_values.hpp"
