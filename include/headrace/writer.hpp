// headrace/writer.hpp: values and text to a sink, through a buffer.
//
// A failure to write is never silent. flush() and close() throw output_error, and so does any write that has to
// empty the buffer. After a failure the sink is given up: what the buffer held is dropped, the error says how many
// bytes arrived, and every later write or flush, and the first close, throws it again. A destructor cannot throw: it
// flushes, and a failure that no exception has reported becomes one line on stderr; call close() to get the exception.
//
// Nothing is formatted: a text is written as it is, and braces or percent signs in it are text. For widths and
// alignment, hand appender() to {fmt} or std::format_to.
//
// A writer allocates its buffer of 128 KiB at the first write, and nothing after that; it uses half of it until 4 MiB
// have arrived. A writer is not synchronised: threads that share one take turns by their own lock.
//
// Windows: a console shows UTF-8 text whatever its code page is; what is not UTF-8 becomes U+FFFD there. Everywhere
// else the bytes arrive as they were written, even at a descriptor in text mode: "\n" stays "\n".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "config.hpp"
#include "detail/console.hpp"
#include "error.hpp"
#include "detail/file.hpp"
#include "detail/objects.hpp"
#include "format.hpp"
#include "types.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

using detail::open_mode;  // truncate, append

// When the buffer goes to the sink by itself. A writer starts with each_line on a terminal, with when_full
// everywhere else.
enum class flush_policy : unsigned char { when_full, each_line, each_write };

// The answer of the last flush of `out`, at exit, to a failure: one line on stderr and an exit status of 1, only the
// line, or nothing.
enum class exit_policy : unsigned char { message_and_status, message, nothing };

namespace detail {
struct writer_access;
void flush_before_waiting() noexcept;
void flush_at_exit() noexcept;
void flush_at_quick_exit() noexcept;
}  // namespace detail

class writer {
 public:
  // Creates or truncates the file, or appends to it. Throws output_error if it cannot be opened.
  explicit writer(const char* path, open_mode mode = open_mode::truncate);
  explicit writer(const std::string& path, open_mode mode = open_mode::truncate);
  // To a std::filesystem::path.
  template <class Path, class = decltype(std::declval<const Path&>().lexically_normal())>
  explicit writer(const Path& path, open_mode mode = open_mode::truncate) : writer(path.string(), mode) {}
  template <class View, std::enable_if_t<std::is_same_v<View, std::string_view>, int> = 0>
  explicit writer(const View&, open_mode = open_mode::truncate) = delete;  // a path: writer(std::string(view))

  // Writes to a descriptor, which stays open when the writer is closed.
  explicit writer(int descriptor);

  // Flushes the stream, then writes to its descriptor, or through the stream where it has none (open_memstream). The
  // stream stays open.
  explicit writer(std::FILE* stream);

  // For writer(true) and writer(0.5), which are no descriptors.
  template <class Number, class = detail::if_no_descriptor<Number>>
  explicit writer(Number) : writer(detail::refuse_descriptor<Number>()) {}

  // For a std::ostream: the compiler says what to write instead.
  template <class Character>
  explicit writer(std::basic_ostream<Character>&) : writer(-1) {
    static_assert(sizeof(Character) == 0,
                  "headrace writes to a std::ostream by headrace::writer::into(sink), sink being a "
                  "headrace::ostream_sink of <headrace/iostreams.hpp>; std::cout is headrace::out");
  }

  // Appends to a string that outlives the writer. It is complete after flush(). Until then the string may grow at any
  // write: hand it to nothing that keeps a view of it, nor to the writer itself.
  [[nodiscard]] static writer into(std::string& text);

  // Writes to [to, to + size), which outlives the writer. What does not fit is an error: no_buffer_space.
  [[nodiscard]] static writer into(char* to, std::size_t size);

  // Writes to an object that outlives the writer: anything that can be called as
  //   sink.write(const char* from, std::size_t size), or sink(from, size)
  // which returns nothing after it took all, or how many bytes it took (the rest is offered again), or a negative
  // number after a failure that errno names; after EINTR it is asked again at once, after EAGAIN in a millisecond.
  // Where the object has flush() and close(), the writer's flush() calls the one; close(), or else the destructor,
  // calls both. They return nothing, or a bool that is false after a failure. Errors call the sink `name`, which is
  // copied. A sink that takes nothing, claims more than it was given, or throws is an output_error like any other
  // failure; a std::system_error keeps its code, all else is an io_error.
  template <class Sink, class = std::enable_if_t<std::is_class_v<Sink>>>
  [[nodiscard]] static writer into(Sink& sink, const char* name = "<sink>");
  // An object as into() takes it, which the writer keeps, in memory of its own: writer{headrace::gzip_sink("x.gz")}.
  // Errors call it by its name(), a const char*, or else "<sink>".
  template <class Sink, class = detail::if_temporary<Sink>,
            class = std::enable_if_t<std::is_class_v<Sink> && detail::is_sink_object<Sink>>>
  explicit writer(Sink&& object) : writer(std::true_type(), new Sink(static_cast<Sink&&>(object))) {}

  writer(writer&& other) noexcept;
  writer& operator=(writer&& other) noexcept;
  writer(const writer&) = delete;
  ~writer();

  // Writes one value: integers in decimal, floating point as the shortest text that reads back as the same value,
  // bool as 0 or 1, characters, text (wide text as UTF-8), std::filesystem::path, pairs and tuples with a space
  // between the elements, ranges and views with a space (ranges of ranges or of tuples with a newline), and whatever
  // io<T>::write takes. A view that cannot be read while it is const is copied. An array of characters is text up to
  // its first NUL, or all of it. A const char* that is null is an output_error with std::errc::invalid_argument, and
  // nothing is written.
  template <class T>
  writer& operator<<(const T& value);
  // For std::endl and std::flush: the compiler says what to write instead.
  template <class Character = char>
  writer& operator<<(std::basic_ostream<Character>& (*)(std::basic_ostream<Character>&)) {
    static_assert(sizeof(Character) == 0, "headrace has no endl: write '\\n', and call flush() where it must go now");
    return *this;
  }

  // Writes the values one after another, println() a newline after them. Neither fills in braces: a compiler that
  // optimises warns of print("{}", x).
  template <class... T>
  HEADRACE_INLINE void print(const T&... values);
  template <class... T>
  HEADRACE_INLINE void println(const T&... values);

  // Writes the elements of a range with `separator` (any value that << takes) between them, none after the last.
  // A contiguous range of integers, floats or doubles and a char as separator go through the SIMD kernels.
  template <class Range, class Separator>
  void write_range(Range&& range, const Separator& separator);
  // Writes floating point: each element as fixed(x, precision) or scientific(x, precision) has it, which are
  // float_style::fixed and float_style::scientific. One at a time.
  template <class Range, class Separator>
  void write_range(Range&& range, const Separator& separator, float_style style, int precision);

  // Writes the fields as a row of delimited text, quoted where they must be and only there. `format` is a
  // headrace::delimited of <headrace/columns.hpp>, which has to be included.
  template <class Format, class... T>
  writer& write_row(const Format& format, const T&... fields);

  // Writes bytes as they are. A large block goes to the sink without being copied.
  void write(std::string_view bytes);

  // An output iterator that writes chars: fmt::format_to(out.appender(), "{}", x).
  class iterator;
  [[nodiscard]] iterator appender() noexcept;

  // Hands everything to the sink. Throws output_error if it does not all arrive.
  void flush();

  // Flushes without throwing: false after a failure, which the next write, flush or close throws.
  [[nodiscard]] bool try_flush() noexcept;

  // flush(), then closes a file that the writer opened itself. Further writes throw. Closing again does nothing.
  void close();

  // From now on; what is held goes out first. Throws output_error if it does not all arrive.
  void flush_when(flush_policy policy);

  // Bytes that the sink has taken so far, what is still buffered not counted.
  [[nodiscard]] std::uint64_t arrived() const noexcept { return arrived_; }

  // For code that moves bytes past the buffer, after a flush(): where they go (-1: no descriptor), and how many have
  // gone.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  void count_arrived(std::uint64_t bytes) noexcept { arrived_ += bytes; }
  // Moves bytes where there is no descriptor: says what arrived, where a write would throw. What the buffer holds goes
  // first; where that does not arrive, nothing does. The failure ends the writer like any other.
  [[nodiscard]] detail::transfer deliver(const char* from, std::size_t size) noexcept;

  // Errors call it by this name: "<stdout>", the path, "<descriptor 5>", "<memory>", "<sink>", or "<moved>". Valid
  // until the writer is moved, assigned to or gone.
  [[nodiscard]] const char* name() const noexcept;

 private:
  enum class sink : unsigned char { none, standard_output, descriptor, file, span, object, discarded };

  friend union detail::immortal<writer>;  // makes `out`
  friend struct detail::writer_access;
  friend void detail::flush_before_waiting() noexcept;
  friend void detail::flush_at_exit() noexcept;
  friend void detail::flush_at_quick_exit() noexcept;
  friend void at_exit_failure(exit_policy policy) noexcept;

  constexpr writer() noexcept : sink_(sink::standard_output), descriptor_(1), descriptor_name_(1) {}
  writer(sink kind, void* target, std::size_t size) noexcept : sink_(kind), target_(target), target_size_(size) {}
  writer(void* object, const detail::sink_calls* calls, const char* name) noexcept;
  template <class Sink>
  writer(std::true_type, Sink* owned) noexcept
      : writer(owned, &detail::sink_calls_of<Sink, true>, detail::name_of(*owned, "<sink>")) {}

  template <class T>
  HEADRACE_INLINE void put(const T& value);
  template <class... T>
  HEADRACE_INLINE void put_all(const T&... values);
  template <class T>
  HEADRACE_INLINE void put_short(T value);
  template <class T>
  void put_short_slowly(T value);
  HEADRACE_INLINE void put_text(const char* from, std::size_t size);
  void put_text_slowly(const char* from, std::size_t size);
  template <std::size_t Size>
  HEADRACE_INLINE void put_literal(const char (&text)[Size]);
  template <class Unit, class T>
  HEADRACE_INLINE void put_text_of(const T& value);
  template <class Unit>
  void put_wide(const Unit* from, std::size_t size);
  template <class Integer>
  void put_based(Integer value, int base);
  template <class Float>
  void put_styled(Float value, float_style style, int precision);
  void put_zeros(std::size_t count);
  template <class Tuple, std::size_t... Index>
  void put_tuple(const Tuple& tuple, std::index_sequence<Index...>);
  template <class Range, class Separator>
  void put_elements(Range& range, const Separator& separator);
  template <class Range, class Separator>
  void put_styled_elements(Range& range, const Separator& separator, float_style style, int precision);
  template <class Number>
  void put_numbers(const Number* values, std::size_t count, char separator);

  void prepare();
  void hold() noexcept;
  void apply_policy();
  void flush_last() noexcept;
  void start();
  bool send(const char* from, std::size_t size) noexcept;
  bool send_buffer() noexcept;
  void send_last() noexcept;
  void send_full_buffer();
  bool flush_sink() noexcept;
  void close_sink() noexcept;
  void fail(int error) noexcept;
  void fail(int error, const char* action) noexcept;
  void set_policy(flush_policy policy) noexcept;
  void finish_at_exit(void (*set_status)()) noexcept;
  void give_up_at_exit() noexcept;
  void report();
  [[noreturn]] void raise();
  [[noreturn]] void refuse(const char* action);
  void print_failure() const noexcept;
  writer& operator=(const writer& other) noexcept = default;  // every member: only take() may do that
  void take(writer& other) noexcept;
  void abandon() noexcept;

  // A write may begin wherever next_ < end_ and then has `slack` bytes of room. end_ is limit_, or begin_ where each
  // write has to look further: before the first one, on a terminal, after a failure.
  static constexpr std::size_t capacity = 64 * 1024;  // twice as much once 64 times as much has arrived
  static constexpr std::size_t slack = 256;

  char* next_ = nullptr;
  char* end_ = nullptr;
  char* begin_ = nullptr;
  char* limit_ = nullptr;  // begin_ + capacity, or twice that; slack more bytes follow it

  sink sink_ = sink::none;
  flush_policy policy_ = flush_policy::when_full;
  exit_policy exit_policy_ = exit_policy::message_and_status;
  bool policy_is_given_ = false;
  bool reported_ = false;
  bool is_closed_ = false;
  bool is_flushed_last_ = false;  // `out`: at exit
  int descriptor_ = -1;
  detail::descriptor_text descriptor_name_;  // empty where the sink has another name
  int error_ = 0;                            // errno of what ended this writer: a failure, or EBADF once it is closed
  const char* action_ = "write";             // what failed
  std::uint64_t arrived_ = 0;
  std::size_t searched_ = 0;                   // bytes of the buffer known to hold no newline
  char* name_ = nullptr;                       // of a file or an object; owned
  void* target_ = nullptr;                     // the object, or where the next byte of a span goes
  std::size_t target_size_ = 0;                // what is left of a span
  const detail::sink_calls* calls_ = nullptr;  // how to reach the object
  void (*set_status_)() = nullptr;             // not null once exit handlers run: makes the exit status 1
#if HEADRACE_WINDOWS
  bool on_console_ = false;
  detail::console_rest rest_;
#endif
};

namespace detail {
#if HEADRACE_COMPILED
extern immortal<writer> standard_output;
#elif defined(__clang__)  // which otherwise guards and registers even an empty destructor
[[clang::no_destroy, clang::require_constant_initialization]] inline immortal<writer> standard_output;
#else
inline immortal<writer> standard_output;
#endif
}  // namespace detail

// Standard output. Usable before main and after it: it is constant-initialised and never destroyed. The buffer is
// made at the first use and flushed when the program exits; what is written later than that (by destructors of
// static objects) goes straight through. From then on nothing is thrown: a failure is one line on stderr and an exit
// status of 1, or what at_exit_failure() chose; what is written after it is dropped, and all other exit handlers and
// destructors still run. Exits that run no handlers (_exit, quick_exit, abort, a signal) lose the buffer, as with
// stdio: a child that leaves by _exit() therefore prints nothing twice; one that leaves by exit() prints again what
// its parent had not yet flushed when it forked. A plugin that has an `out` of its own flushes it at dlclose. All of
// that holds, too, after out = headrace::writer("result.txt").
[[maybe_unused]] inline writer& out = detail::standard_output.value;

// Says what a failure to write `out` does from the flush at exit on. A failure before that is thrown, as ever.
void at_exit_failure(exit_policy policy) noexcept;

// Makes quick_exit() flush `out`, too. Returns false where the platform has no at_quick_exit or no room in it.
[[nodiscard]] bool flush_out_at_quick_exit() noexcept;

}  // namespace HEADRACE_ABI
}  // namespace headrace

#include "detail/write_values.hpp"
#if HEADRACE_COMPILED != 1
#include "detail/writer_impl.hpp"
#endif
