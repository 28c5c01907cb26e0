// headrace/detail/write_values.hpp: what a value becomes in a writer's buffer. Not for users: ../writer.hpp says what
// is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../config.hpp"
#include "../format.hpp"
#include "../types.hpp"
#include "../utf.hpp"
#include "../writer.hpp"
#include "simd/dispatch.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

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

inline writer::iterator writer::appender() noexcept { return iterator(*this); }

namespace detail {

// Range may be const: a view that caches where it begins is a range only while it is not.
template <class Range, class = void>
constexpr bool is_range = false;
template <class Range>
constexpr bool
    is_range<Range, std::void_t<decltype(std::begin(std::declval<Range&>()) != std::end(std::declval<Range&>()))>> =
        true;

template <class Range>
using element_of = std::remove_cv_t<std::remove_reference_t<decltype(*std::begin(std::declval<Range&>()))>>;

// The elements of a path are paths.
template <class Range, bool = is_range<Range>>
constexpr bool is_own_element = false;
template <class Range>
constexpr bool is_own_element<Range, true> = std::is_same_v<element_of<Range>, std::remove_const_t<Range>>;

template <class T, class = void>
constexpr bool is_path = false;
template <class T>
constexpr bool
    is_path<T, std::void_t<decltype(std::declval<const T&>().lexically_normal(), std::declval<const T&>().native())>> =
        true;

// std::vector<bool> and views of it hand out stand-ins for bool.
template <class Range, class = void>
constexpr bool holds_bools = false;
template <class Range>
constexpr bool holds_bools<
    Range, std::enable_if_t<std::is_same_v<typename decltype(std::begin(std::declval<Range&>()))::value_type, bool>>> =
    true;

template <class T, class Unit>
constexpr bool is_text_of = std::is_convertible_v<const T&, std::basic_string_view<Unit>> && !std::is_null_pointer_v<T>;

// An element that fills a line of its own: a range (but no text) or a tuple.
template <class T>
constexpr bool is_line =
    ((is_range<const T> || is_range<T>) && !is_text_of<T, char> && !is_own_element<const T>) || is_tuple_like<T>;

template <class T>
constexpr bool is_wide_character = is_one_of<T, wchar_t, char16_t, char32_t>;

template <class T>
constexpr bool is_styled = false;
template <class Float>
constexpr bool is_styled<styled_float<Float>> = true;

template <class T>
constexpr bool is_string_literal = false;
template <std::size_t Size>
constexpr bool is_string_literal<char[Size]> = true;

// put_numbers() writes these types; one number may be so long.
template <class T>
constexpr bool is_written_in_bulk = is_integer<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
constexpr std::size_t max_bulk_length = is_integer<T> ? max_length<T> : max_float_length;

// put_short() writes these types: the text is never longer than writer::slack.
template <class T>
constexpr bool is_short = is_integer<T> || is_float<T> || is_one_of<T, char, bool, word_bool>;

// The length of the text in an array: up to its first NUL, or all of it where there is none. Compilers know it of a
// literal.
template <class Unit, std::size_t Size>
HEADRACE_INLINE std::size_t text_length(const Unit (&text)[Size]) noexcept {
  const Unit* const end = std::char_traits<Unit>::find(text, Size, Unit());
  return end == nullptr ? Size : static_cast<std::size_t>(end - text);
}

template <std::size_t Size>
HEADRACE_INLINE char* write_short(char* to, const char (&text)[Size]) noexcept {
  const std::size_t size = text_length(text);
  constexpr bool fits_register = Size == 4 || Size == 8 || Size == 16;
  if (fits_register && size == Size - 1) {  // in one piece with the NUL after it
    __builtin_memcpy(to, text, Size);
  } else {
    __builtin_memcpy(to, text, size);
  }
  return to + size;
}

// The room that write_short() needs for a T; more than a writer ever has for any other type.
template <class T>
constexpr std::size_t max_room = has_io_write<T>        ? 1 << 20
                                 : is_integer<T>        ? max_length<T> + write_padding
                                 : is_float<T>          ? float_room
                                 : is_short<T>          ? 8
                                 : is_string_literal<T> ? sizeof(T)
                                                        : 1 << 20;

// A sentence of the compiler's, where it optimises, for one who expects print("{}", x) to fill in the braces.
__attribute__((noinline, warning("headrace writes {} as it is: write print(\"x = \", x), take std::format or {fmt}, "
                                 "or hand over a std::string_view where the braces are meant"))) inline void
braces_are_text() noexcept {
  __asm__ volatile("");
}

template <class First, class... Rest>
HEADRACE_INLINE void check_braces([[maybe_unused]] const First& first, const Rest&...) noexcept {
#if defined(__OPTIMIZE__)  // without it every array would be searched, and one need not hold a NUL
  if constexpr (is_string_literal<First> && sizeof...(Rest) > 0) {
    const bool has_braces = __builtin_strstr(first, "{}") != nullptr;
    if (__builtin_constant_p(has_braces) && has_braces) braces_are_text();
  }
#endif
}
inline void check_braces() noexcept {}

// Calls `action` with what io<T>::format() writes; false: the value has no text.
template <class T, class Action>
HEADRACE_INLINE bool with_formatted(const T& value, Action action) {
  char text[io<T>::longest];
  const char* const end = io<T>::format(text, value);
  if (unlikely(end == nullptr)) return false;
  action(std::string_view(text, static_cast<std::size_t>(end - text)));
  return true;
}

HEADRACE_COLD inline void refuse_value(const writer& to, const char* expected) {
  raise_output_error(message{std::string_view(to.name()), ": cannot write a value that is not ", expected},
                     std::errc::invalid_argument, to.arrived());
}

// Has the compiler say one sentence, which is easy to find, for a type that cannot be written.
template <class T>
constexpr void refuse_type() noexcept {
  constexpr bool never = sizeof(T*) == 0;
  if constexpr (std::is_null_pointer_v<T>) {
    static_assert(never, "headrace cannot write nullptr: there is no text in it");
  } else if constexpr (std::is_pointer_v<T>) {
    static_assert(never, "headrace cannot write a pointer: write what it points to, or its address as an integer");
  } else if constexpr (std::is_function_v<T>) {
    static_assert(never,
                  "headrace cannot write a function and has no manipulators: write headrace::base(x, 16), fixed(x, 2), "
                  "scientific(x, 2) or as_word(x)");
  } else if constexpr (std::is_enum_v<T>) {
    static_assert(never,
                  "headrace cannot write an enumeration: write static_cast<int>(x), or specialise "
                  "headrace::io<T> for it (see types.hpp)");
  } else if constexpr (is_own_element<const T>) {
    static_assert(never,
                  "headrace cannot write a range whose elements are such ranges again: specialise "
                  "headrace::io<T> for it (see types.hpp)");
  } else if constexpr (is_range<T>) {
    static_assert(never,
                  "headrace cannot write a range that is neither const nor copied: call write_range(range, ' ')");
  } else {
    static_assert(never,
                  "headrace cannot write this type: specialise headrace::io<T> for it (see types.hpp). Instead of "
                  "std::setw, std::setprecision and their kind there are headrace::fixed, scientific and base");
  }
}

// Calls `action` with a range, const where it can be read so.
template <class Range, class Action>
HEADRACE_INLINE void visit_range(Range& range, Action action) {
  if constexpr (is_range<const Range>) {
    action(static_cast<const Range&>(range));
  } else if constexpr (is_range<Range>) {
    action(range);
  } else {
    static_assert(sizeof(Range*) == 0, "headrace: write_range() takes a range, and what to write between its elements");
  }
}

}  // namespace detail

// --- short values and text

// Each way to write ends in the same store: so next_ stays in a register while a loop writes.
template <class T>
HEADRACE_INLINE void writer::put_short(T value) {
  char* to = next_;
  if (detail::likely(to < end_)) {
    to = detail::write_short(to, value);
  } else {
    put_short_slowly(value);
    to = next_;
  }
  next_ = to;
}

template <class T>
HEADRACE_COLD void writer::put_short_slowly(T value) {
  prepare();
  next_ = detail::write_short(next_, value);
  apply_policy();
}

HEADRACE_INLINE void writer::put_text(const char* from, std::size_t size) {
  char* to = next_;
  if (detail::likely(to < end_ && size <= slack)) {
    if (detail::likely(size != 0)) std::memcpy(to, from, size);  // which a view of nothing may not be given
    to += size;
  } else {
    put_text_slowly(from, size);
    to = next_;
  }
  next_ = to;
}

template <std::size_t Size>
HEADRACE_INLINE void writer::put_literal(const char (&text)[Size]) {
  char* to = next_;
  if (detail::likely(to < end_)) {
    to = detail::write_short(to, text);
  } else {
    put_text_slowly(text, detail::text_length(text));
    to = next_;
  }
  next_ = to;
}

template <class Unit, class T>
HEADRACE_INLINE void writer::put_text_of(const T& value) {
  if constexpr (std::is_pointer_v<T>) {
    if (detail::unlikely(value == nullptr)) refuse("write a null pointer as text");
  }
  std::basic_string_view<Unit> text;
  if constexpr (std::is_array_v<T>) {
    text = {value, detail::text_length(value)};
  } else {
    text = value;
  }
  if constexpr (sizeof(Unit) == 1) {
    put_text(reinterpret_cast<const char*>(text.data()), text.size());
  } else {
    put_wide(text.data(), text.size());
  }
}

template <class Unit>
void writer::put_wide(const Unit* from, std::size_t size) {
  constexpr std::size_t max_piece = slack / utf8_per_unit<Unit>;
  prepare();
  while (size > 0) {
    std::size_t piece = size < max_piece ? size : max_piece;
    if (piece < size && splits_a_pair(from[piece - 1])) --piece;
    next_ = to_utf8(from, from + piece, next_);
    from += piece;
    size -= piece;
    if (size > 0) prepare();
  }
  apply_policy();
}

// --- numbers in a base or a style

template <class Integer>
void writer::put_based(Integer value, int base) {
  const bool is_ready = next_ < end_;
  if (!is_ready) prepare();
  const format_result result = format(next_, limit_ + slack, value, base);
  if (!result) refuse("write in a base that is not 2 to 36");
  next_ = result.ptr;
  if (!is_ready) apply_policy();
}

// --- tuples and ranges

template <class Tuple, std::size_t... Index>
void writer::put_tuple(const Tuple& tuple, std::index_sequence<Index...>) {
  using std::get;
  ((Index == 0 ? void() : put(' '), put(get<Index>(tuple))), ...);
}

template <class Range, class Separator>
void writer::put_elements(Range& range, const Separator& separator) {
  using element = detail::element_of<Range>;
  if constexpr (detail::is_contiguous<Range> && detail::is_written_in_bulk<element> &&
                std::is_same_v<Separator, char>) {
    if (detail::likely(detail::is_gapless(range))) {
      const auto count = static_cast<std::size_t>(std::size(range));
      if (count == 0) return;
      put_numbers(std::data(range), count - 1, separator);
      return put_short(std::data(range)[count - 1]);
    }
  }
  bool first = true;
  for (auto&& value : range) {
    if (!first) put(separator);
    first = false;
    if constexpr (std::is_class_v<element> && !detail::has_io_write<element> && detail::holds_bools<Range>) {
      put_short(static_cast<bool>(value));
    } else {
      put(value);
    }
  }
}

template <class Range, class Separator>
void writer::write_range(Range&& range, const Separator& separator) {
  detail::visit_range(range, [&](auto& elements) { put_elements(elements, separator); });
}

template <class Number>
void writer::put_numbers(const Number* values, std::size_t count, char separator) {
  constexpr std::size_t max_size = detail::max_bulk_length<Number> + 1;
  while (count > 0) {
    prepare();
    const auto room = static_cast<std::size_t>(limit_ + slack - next_) - detail::bulk_write_padding;
    const std::size_t piece = room / max_size < count ? room / max_size : count;
    if constexpr (detail::is_integer<Number>) {
      next_ = detail::write_integers(next_, values, piece, separator);
    } else {
      next_ = detail::write_floats(next_, values, piece, separator);
    }
    values += piece;
    count -= piece;
    apply_policy();
  }
}

// --- the buffer, for what fills it with rows

namespace detail {

struct writer_access {
  // Where up to `slack` bytes go, or nullptr.
  static constexpr std::size_t slack = writer::slack;
  static HEADRACE_INLINE char* next(const writer& of) noexcept {
    return likely(of.next_ < of.end_) ? of.next_ : nullptr;
  }
  static HEADRACE_INLINE void set_next(writer& of, char* next) noexcept { of.next_ = next; }

  // Where up to `size` bytes go; nullptr: a buffer does not hold so many. finish() follows.
  static char* begin(writer& of, std::size_t size) {
    of.prepare();
    if (size > writer::capacity) return nullptr;
    if (size > room(of, of.next_) && !of.send_buffer()) of.report();
    return of.next_;
  }
  static HEADRACE_INLINE std::size_t room(const writer& of, const char* next) noexcept {
    return next < of.limit_ ? static_cast<std::size_t>(of.limit_ - next) + writer::slack : 0;
  }
  static void finish(writer& of, char* next) {
    of.next_ = next;
    of.apply_policy();
  }
};

}  // namespace detail

// --- any value

template <class T>
HEADRACE_INLINE void writer::put(const T& value) {
  if constexpr (detail::has_io_write<T>) {
    io<T>::write(*this, value);
  } else if constexpr (detail::has_io_format<T>) {
    const auto write = [this](std::string_view text) { put(text); };
    if (detail::unlikely(!detail::with_formatted(value, write))) detail::refuse_value(*this, io<T>::expected);
  } else if constexpr (detail::is_short<T>) {
    put_short(value);
  } else if constexpr (detail::is_based<T>) {
    put_based(value.value, value.base);
  } else if constexpr (detail::is_styled<T>) {
    put_styled(value.value, value.style, value.precision);
  } else if constexpr (detail::is_wide_character<T>) {
    put_wide(&value, 1);
  } else if constexpr (detail::is_string_literal<T>) {
    if constexpr (sizeof(T) <= slack) {
      put_literal(value);
    } else {
      put_text_of<char>(value);
    }
  } else if constexpr (detail::is_text_of<T, char>) {
    put_text_of<char>(value);
  } else if constexpr (detail::is_text_of<T, wchar_t>) {
    put_text_of<wchar_t>(value);
  } else if constexpr (detail::is_text_of<T, char16_t>) {
    put_text_of<char16_t>(value);
  } else if constexpr (detail::is_text_of<T, char32_t>) {
    put_text_of<char32_t>(value);
#if defined(__cpp_char8_t)
  } else if constexpr (std::is_same_v<T, char8_t>) {
    put_short(static_cast<char>(value));
  } else if constexpr (detail::is_text_of<T, char8_t>) {
    put_text_of<char8_t>(value);
#endif
  } else if constexpr (detail::is_own_element<const T>) {
    if constexpr (detail::is_path<T>) {
      put(value.native());
    } else {
      detail::refuse_type<T>();
    }
  } else if constexpr (detail::is_range<const T>) {
    put_elements(value, detail::is_line<detail::element_of<const T>> ? '\n' : ' ');
  } else if constexpr (detail::is_tuple_like<T>) {
    put_tuple(value, std::make_index_sequence<std::tuple_size<T>::value>());
  } else if constexpr (detail::is_range<T> && std::is_copy_constructible_v<T>) {
    T from_start(value);
    put_elements(from_start, detail::is_line<detail::element_of<T>> ? '\n' : ' ');
  } else {
    detail::refuse_type<T>();
  }
}

template <class T>
HEADRACE_INLINE writer& writer::operator<<(const T& value) {
  put(value);
  return *this;
}

template <class... T>
HEADRACE_INLINE void writer::print(const T&... values) {
  detail::check_braces(values...);
  put_all(values...);
}

template <class... T>
HEADRACE_INLINE void writer::println(const T&... values) {
  detail::check_braces(values...);
  put_all(values..., '\n');
}

template <class... T>
HEADRACE_INLINE void writer::put_all(const T&... values) {
  if constexpr ((detail::max_room<T> + ... + 0) <= slack) {  // one look at the buffer is enough for all of them
    char* to = next_;
    if (detail::likely(to < end_)) {
      ((to = detail::write_short(to, values)), ...);
    } else {
      (put(values), ...);
      to = next_;
    }
    next_ = to;
  } else {
    (put(values), ...);
  }
}

template <class Sink, class>
writer writer::into(Sink& sink, const char* name) {
  static_assert(detail::is_sink_object<Sink>,
                "headrace::writer::into takes a std::string, an array with its size, a function object, or an object "
                "with write(const char*, std::size_t); a std::ostream is written to through headrace::ostream_sink of "
                "<headrace/iostreams.hpp>");
  if constexpr (detail::is_sink_object<Sink>) {
    return writer(const_cast<std::remove_const_t<Sink>*>(&sink), &detail::sink_calls_of<Sink>, name);
  } else {
    return writer(sink::none, nullptr, 0);
  }
}

// ---- floating point in a style and with a precision, alone and in ranges ----

template <class Float>
void writer::put_styled(Float value, float_style style, int precision) {
  if (detail::likely(next_ < end_ && precision <= 17)) {
    const format_result result = format(next_, limit_ + slack, value, style, precision);
    if (detail::likely(bool(result))) {
      next_ = result.ptr;
      return;
    }
  }
  // Digits past the last one that any number has are zeros. In the scientific style the exponent follows them.
  constexpr int max_precision = detail::bits_of<Float>;
  prepare();
  if (limit_ - next_ < 2 * max_precision && !send_buffer()) report();
  const int given = precision < max_precision ? precision : max_precision;
  const format_result result = format(next_, limit_ + slack, value, style, given);
  if (!result) refuse("write with a negative precision");
  const bool is_finite = result.ptr[-1] <= '9';
  char* end = result.ptr;
  if (precision > given && is_finite) {
    if (style == float_style::scientific) {
      while (*--end != 'e') {}
    }
    char exponent[8];
    const auto size = static_cast<std::size_t>(result.ptr - end);
    std::memcpy(exponent, end, size);
    next_ = end;
    put_zeros(static_cast<std::size_t>(precision - given));
    put_text(exponent, size);
  } else {
    next_ = end;
  }
  apply_policy();
}

inline void writer::put_zeros(std::size_t count) {
  while (count > 0) {
    prepare();
    const std::size_t piece = count < slack ? count : slack;
    std::memset(next_, '0', piece);
    next_ += piece;
    count -= piece;
  }
}

template <class Range, class Separator>
void writer::put_styled_elements(Range& range, const Separator& separator, float_style style, int precision) {
  if constexpr (detail::is_float<detail::element_of<Range>>) {
    bool first = true;
    for (const auto value : range) {
      if (!first) put(separator);
      first = false;
      put_styled(value, style, precision);
    }
  } else {
    static_assert(sizeof(Range) == 0,
                  "headrace: write_range() takes a style with ranges of float, double or long double");
  }
}

template <class Range, class Separator>
void writer::write_range(Range&& range, const Separator& separator, float_style style, int precision) {
  detail::visit_range(range, [&](auto& elements) { put_styled_elements(elements, separator, style, precision); });
}

}  // namespace HEADRACE_ABI
}  // namespace headrace

#if HEADRACE_COMPILED
namespace headrace {
inline namespace HEADRACE_ABI {
extern template void writer::put_short_slowly(int);
extern template void writer::put_short_slowly(unsigned);
extern template void writer::put_short_slowly(long);
extern template void writer::put_short_slowly(unsigned long);
extern template void writer::put_short_slowly(long long);
extern template void writer::put_short_slowly(unsigned long long);
extern template void writer::put_short_slowly(float);
extern template void writer::put_short_slowly(double);
extern template void writer::put_short_slowly(char);
}  // namespace HEADRACE_ABI
}  // namespace headrace
#endif
