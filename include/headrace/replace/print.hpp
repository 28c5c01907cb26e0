// headrace/replace/print.hpp: printf and its like, into the room of a FILE's buffer. Not for users.
//
// A value that does not fit the room, and one that is rare, is written by the C library: it knows what to do with a
// full buffer, and what a failure means.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include <langinfo.h>

#include "../config.hpp"
#include "../format.hpp"
#include "file_windows.hpp"
#include "general_float.hpp"
#include "print_format.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// The C library's own two, with a format that its caller took apart: the compiler cannot check it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wformat-overflow"
#endif
template <class... Values>
int library_print(std::FILE* file, const char* format, Values... values) {
  return std::fprintf(file, format, values...);
}
template <class... Pointers>
int library_scan(std::FILE* file, const char* format, Pointers... pointers) {
  return std::fscanf(file, format, pointers...);
}
#pragma GCC diagnostic pop

// One call of printf: writes to the room of a FILE, and counts.
class printer {
 public:
  printer(std::FILE* file, file_window room) noexcept : file_(file), room_(room), from_(room.begin) {}

  char* here() const noexcept { return room_.begin; }
  std::size_t room() const noexcept { return room_.size(); }
  void move_to(char* place) noexcept { room_.begin = place; }

  HEADRACE_INLINE void put(const char* from, std::size_t size) noexcept {
    if (likely(size <= room())) {
      std::memcpy(room_.begin, from, size);
      room_.begin += size;
    } else {
      put_past_the_room(from, size);
    }
  }

  HEADRACE_INLINE void fill(char byte, std::size_t count) noexcept {
    if (likely(count <= room())) {
      std::memset(room_.begin, byte, count);
      room_.begin += count;
    } else {
      for (; count != 0; --count) put(&byte, 1);
    }
  }

  // The conversion `spec` of a value, by the C library.
  template <class Value>
  HEADRACE_COLD void by_library(const char* spec, Value value) noexcept {
    commit();
    const int size = library_print(file_, spec, value);
    go_on(size < 0, static_cast<std::size_t>(size));
  }

  // What printf returns.
  HEADRACE_INLINE int done() noexcept {
    commit();
    return likely(!failed_ && count_ <= INT_MAX) ? static_cast<int>(count_) : -1;
  }

 private:
  void commit() noexcept {
    if (failed_) return;
    written_up_to(file_, room_.begin);
    count_ += static_cast<std::size_t>(room_.begin - from_);
    from_ = room_.begin;
  }

  HEADRACE_COLD void put_past_the_room(const char* from, std::size_t size) noexcept {
    commit();
    go_on(!failed_ && std::fwrite(from, 1, size, file_) != size, size);
  }

  // After the C library wrote `size` bytes, or failed. Nothing is written after a failure.
  void go_on(bool failed, std::size_t size) noexcept {
    failed_ |= failed;
    count_ += size;
    room_ = room_of(file_);
    if (failed_) room_.end = room_.begin;
    from_ = room_.begin;
  }

  std::FILE* file_;
  file_window room_;
  const char* from_;       // where the room began
  std::size_t count_ = 0;  // bytes before it
  bool failed_ = false;
};

// The digits that printf and scanf expect after a point, whatever the locale.
HEADRACE_INLINE bool point_is_a_point() noexcept {
  const char* const point = ::nl_langinfo(RADIXCHAR);
  return likely(point[0] == '.' && point[1] == '\0');
}

// A number of at least `Width` bytes: spaces before or after it, or zeros after its sign.
template <bool Left, bool Zeros, std::size_t Width>
HEADRACE_INLINE void put_padded(printer& to, const char* text, std::size_t size) noexcept {
  if constexpr (Width == 0) {
    to.put(text, size);
  } else {
    const std::size_t padding = size < Width ? Width - size : 0;
    if constexpr (Left) {
      to.put(text, size);
      to.fill(' ', padding);
    } else if constexpr (Zeros) {
      const std::size_t sign = size != 0 && *text == '-';
      to.put(text, sign);
      to.fill('0', padding);
      to.put(text + sign, size - sign);
    } else {
      to.fill(' ', padding);
      to.put(text, size);
    }
  }
}

// The digits of a value in base 1 << Shift, before `end`. Returns the first.
template <unsigned Shift, class Unsigned>
HEADRACE_INLINE char* write_power_base(char* end, Unsigned value, bool uppercase) noexcept {
  const char* const digits = uppercase ? "0123456789ABCDEF" : "0123456789abcdef";
  do {
    *--end = digits[value & ((1u << Shift) - 1)];
    value = static_cast<Unsigned>(value >> Shift);
  } while (value != 0);
  return end;
}

template <std::size_t Bytes, bool Signed>
using integer_of = std::conditional_t<
    Bytes == 1, std::conditional_t<Signed, signed char, unsigned char>,
    std::conditional_t<Bytes == 2, std::conditional_t<Signed, short, unsigned short>,
                       std::conditional_t<Bytes == 4, std::conditional_t<Signed, int, unsigned>,
                                          std::conditional_t<Signed, long long, unsigned long long>>>>;

// The text of one conversion, with a zero after it.
template <class Spelt, std::size_t Begin, std::size_t End>
struct conversion_text {
  char bytes[End - Begin + 1] = {};
  constexpr conversion_text() noexcept {
    for (std::size_t i = Begin; i != End; ++i) bytes[i - Begin] = literal<Spelt>.bytes[i];
  }
  static const conversion_text value;
};
template <class Spelt, std::size_t Begin, std::size_t End>
inline constexpr conversion_text<Spelt, Begin, End> conversion_text<Spelt, Begin, End>::value{};

template <class Spelt, std::size_t At, class Value>
HEADRACE_INLINE void print_integer(printer& to, Value value) noexcept {
  constexpr print_directive how = print_directive_of<Spelt, At>;
  constexpr auto width = static_cast<std::size_t>(how.width);
  constexpr bool is_signed = how.conversion == 'd' || how.conversion == 'i';
  const auto number = static_cast<integer_of<how.bytes, is_signed>>(value);
  if constexpr (how.conversion == 'x' || how.conversion == 'X' || how.conversion == 'o') {
    char text[24];
    char* const end = text + sizeof(text);
    const char* const first = write_power_base < how.conversion == 'o' ? 3 : 4 > (end, number, how.conversion == 'X');
    put_padded<how.left, how.zeros, width>(to, first, static_cast<std::size_t>(end - first));
  } else {
    using written = std::conditional_t<(how.bytes < sizeof(int)), int, decltype(+number)>;
    constexpr std::size_t room = max_length<written> + write_padding;
    if (width == 0 && likely(to.room() >= room)) {
      to.move_to(write_integer(to.here(), static_cast<written>(number)));
      return;
    }
    char text[room];
    const char* const end = write_integer(text, static_cast<written>(number));
    put_padded<how.left, how.zeros, width>(to, text, static_cast<std::size_t>(end - text));
  }
}

template <class Spelt, std::size_t At>
HEADRACE_INLINE void print_float(printer& to, double value) noexcept {
  constexpr print_directive how = print_directive_of<Spelt, At>;
  constexpr float_form form = how.conversion == 'f' || how.conversion == 'F' ? float_form::fixed
                              : how.conversion == 'e'                        ? float_form::scientific
                                                                             : float_form::general;
  constexpr int precision = how.precision < 0 ? 6 : how.precision;
  char text[longest_float];
  const char* const end = point_is_a_point() ? write_formed(text, value, form, precision) : nullptr;
  if (likely(end != nullptr)) {
    put_padded<how.left, how.zeros, static_cast<std::size_t>(how.width)>(to, text,
                                                                         static_cast<std::size_t>(end - text));
  } else {
    to.by_library(conversion_text<Spelt, how.begin, how.end>::value.bytes, value);
  }
}

template <class Spelt, std::size_t At, class Value>
HEADRACE_INLINE void print_value(printer& to, Value value) noexcept {
  constexpr print_directive how = print_directive_of<Spelt, At>;
  constexpr char letter = how.conversion;
  constexpr bool is_rare =
      how.rare_flags || how.width > longest_field || letter == 'p' || letter == 'E' || letter == 'G';
  constexpr bool is_float = letter == 'f' || letter == 'F' || letter == 'e' || letter == 'g';
  constexpr auto width = static_cast<std::size_t>(how.width);
  if constexpr (!is_rare && is_float) {
    print_float<Spelt, At>(to, value);
  } else if constexpr (!is_rare && how.precision < 0 && letter == 's') {
    const auto* const text = reinterpret_cast<const char*>(value);
    if (likely(text != nullptr)) return put_padded<how.left, false, width>(to, text, std::strlen(text));
    to.by_library(conversion_text<Spelt, how.begin, how.end>::value.bytes, text);
  } else if constexpr (!is_rare && how.precision < 0 && letter == 'c') {
    const char byte = static_cast<char>(value);
    put_padded<how.left, false, width>(to, &byte, 1);
  } else if constexpr (!is_rare && how.precision < 0 && letter != 'p') {
    print_integer<Spelt, At>(to, value);
  } else {
    to.by_library(conversion_text<Spelt, how.begin, how.end>::value.bytes, value);
  }
}

// Writes the format from `At` on.
template <class Spelt, std::size_t At, class... Values>
HEADRACE_INLINE void print_from(printer& to, Values... values) noexcept;

template <class Spelt, std::size_t At, class Value, class... Values>
HEADRACE_INLINE void print_first(printer& to, Value value, Values... values) noexcept {
  print_value<Spelt, At>(to, value);
  print_from<Spelt, print_directive_of<Spelt, At>.end>(to, values...);
}

template <class Spelt, std::size_t At, class... Values>
HEADRACE_INLINE void print_from(printer& to, Values... values) noexcept {
  constexpr print_directive next = print_directive_of<Spelt, At>;
  constexpr bool is_percent = next.conversion == '%';  // whose first byte is text
  constexpr std::size_t text = next.begin - At + is_percent;
  if constexpr (text != 0) to.put(literal<Spelt>.bytes + At, text);
  if constexpr (is_percent) {
    print_from<Spelt, next.end>(to, values...);
  } else if constexpr (next.conversion != 0) {
    print_first<Spelt, At>(to, values...);
  }
}

// fprintf of a format that is spelt as `Spelt`.
template <class Spelt, class... Values>
int print(Spelt, std::FILE* file, const char* format, Values... values) noexcept {
  if constexpr (literal<Spelt>.is_known) {
    if constexpr (is_known_print<Spelt, 0, Values...>()) {
      const file_window room = room_of(file);
      if (likely(!room.is_empty())) {
        printer to(file, room);
        print_from<Spelt, 0>(to, promoted<Values>(values)...);
        return to.done();
      }
    }
  }
  return library_print(file, format, values...);
}

// `size` bytes, and a newline; false where they do not fit the room.
HEADRACE_INLINE bool put_sized(std::FILE* file, const char* text, std::size_t size, bool newline) noexcept {
  char* const at = file->_IO_write_ptr;
  const auto room = static_cast<std::size_t>(file->_IO_write_end - at);
  if (unlikely(at >= file->_IO_write_end || size + newline > room || !may_look_into(file))) return false;
  std::memcpy(at, text, size);
  if (newline) at[size] = '\n';
  written_up_to(file, at + size + newline);
  return true;
}
inline bool put_unknown(std::FILE* file, const char* text, bool newline, std::size_t& size) noexcept {
  size = std::strlen(text);
  return put_sized(file, text, size, newline);
}

// fputs, and puts where there is a newline. The length of a literal is the compiler's to know.
HEADRACE_INLINE bool put_string(std::FILE* file, const char* text, bool newline, std::size_t& size) noexcept {
  if (__builtin_constant_p(__builtin_strlen(text)) != 0) {
    size = __builtin_strlen(text);
    return put_sized(file, text, size, newline);
  }
  return put_unknown(file, text, newline, size);
}

// What putc is in the C library, without the call: a stream of wide characters gets no other treatment there.
HEADRACE_INLINE int put_byte(int byte, std::FILE* file) noexcept {
  char* const at = file->_IO_write_ptr;
  if (unlikely(at >= file->_IO_write_end || __libc_single_threaded == 0)) return std::putc(byte, file);
  written_up_to(file, at + 1);
  *at = static_cast<char>(byte);
  return static_cast<unsigned char>(byte);
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
