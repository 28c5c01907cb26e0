// headrace/replace/stdio_calls.hpp: what printf, scanf and their like become where a program calls them. Not for users.
//
// A call does all of what its format asks for in the buffer of the FILE, or nothing: then the C library does all of it.
// It knows what to do with a full buffer, at the end of what is held, with what is rare or malformed, and what a
// failure means. Values that were stored, and bytes past the FILE's place that were written, are so again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <sys/single_threaded.h>

#include "../config.hpp"
#include "../detail/read_digits.hpp"
#include "formats.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// ---- what the buffer of a FILE holds, and the room in it ----

// The GNU C library compiles getc_unlocked and putc_unlocked into programs as moves of two pointers of the FILE, which
// is why these pointers stay as they are from version to version. What is read here is between the one pair, what is
// written between the other. Where the C library wants to see each byte (nothing read yet, a line-buffered or
// unbuffered stream, the end of the buffer) the pair is empty.

// Bytes that wait in a FILE, or room for more.
struct file_window {
  char* begin;
  char* end;
  bool is_empty() const noexcept { return begin == end; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(end - begin); }
};

// Other threads may use the FILE, too, once there are any; a stream of wide characters has its text elsewhere.
HEADRACE_INLINE bool may_look_into(const std::FILE* file) noexcept {
  return likely(__libc_single_threaded != 0 && file->_mode <= 0);
}

// Empty where the bytes are the C library's business.
HEADRACE_INLINE file_window held_of(const std::FILE* file) noexcept {
  char* const begin = file->_IO_read_ptr;
  char* const end = file->_IO_read_end;
  return {begin, begin < end && may_look_into(file) ? end : begin};
}
HEADRACE_INLINE file_window room_of(const std::FILE* file) noexcept {
  char* const begin = file->_IO_write_ptr;
  char* const end = file->_IO_write_end;
  return {begin, begin < end && may_look_into(file) ? end : begin};
}

// Says how far the window has been read or written.
HEADRACE_INLINE void read_up_to(std::FILE* file, const char* place) noexcept {
  file->_IO_read_ptr = const_cast<char*>(place);
}
HEADRACE_INLINE void written_up_to(std::FILE* file, char* place) noexcept { file->_IO_write_ptr = place; }

// ---- calls ----

// Room needed by write_decimal().
inline constexpr std::ptrdiff_t decimal_room = 24;
[[gnu::returns_nonnull]] HEADRACE_FUNC char* write_decimal(char* to, int value) noexcept;
[[gnu::returns_nonnull]] HEADRACE_FUNC char* write_decimal(char* to, unsigned value) noexcept;
[[gnu::returns_nonnull]] HEADRACE_FUNC char* write_decimal(char* to, long long value) noexcept;
[[gnu::returns_nonnull]] HEADRACE_FUNC char* write_decimal(char* to, unsigned long long value) noexcept;

// Floating point as f, F, e or g write it; a negative precision is six. Null where it does not fit, or is the C
// library's. A template, so that only a program that prints floating point compiles it.
template <class Double>
char* write_formatted(char* to, const char* end, Double value, char letter, int precision) noexcept;

// The text in [from, end) with spaces before or after it, or zeros after its sign, to the step's width, which is
// more. Returns its end; null where it does not fit.
HEADRACE_FUNC char* pad(char* from, char* end, const char* room_end, const print_step& step) noexcept;

// Whatever a step takes.
union print_value {
  constexpr print_value(int value) noexcept : integer(value) {}
  constexpr print_value(unsigned value) noexcept : integer(value) {}
  constexpr print_value(long value) noexcept : integer(value) {}
  constexpr print_value(unsigned long value) noexcept : integer(static_cast<long long>(value)) {}
  constexpr print_value(long long value) noexcept : integer(value) {}
  constexpr print_value(unsigned long long value) noexcept : integer(static_cast<long long>(value)) {}
  constexpr print_value(double value) noexcept : number(value) {}
  constexpr print_value(const void* value) noexcept : text(value) {}
  long long integer;
  double number;
  const void* text;
};

// Prints by a plan. Returns what printf does, or -1 where nothing was done.
template <bool HasFloats>
int print_by_plan(std::FILE* file, const char* format, const print_step* step, const print_value* value) noexcept;

HEADRACE_INLINE bool put_text(file_window& room, const char* text, std::size_t size) noexcept {
  if (unlikely(size > room.size())) return false;
  __builtin_memcpy(room.begin, text, size);
  room.begin += size;
  return true;
}

// An integer as d, i, u or c write it.
template <class Signed, class Unsigned>
HEADRACE_INLINE char* write_plain(char* to, char letter, Signed value) noexcept {
  if (letter == 'u') return write_decimal(to, static_cast<Unsigned>(value));
  if (letter != 'c') return write_decimal(to, value);
  *to = static_cast<char>(value);
  return to + 1;
}
template <class Value>
HEADRACE_INLINE char* write_plain(char* to, const char* end, const print_step& step, Value value) noexcept {
  constexpr char kind = passed_as<Value>;
  if constexpr (kind == 'f') {
    return write_formatted(to, end, static_cast<double>(value), step.letter, step.precision);
  } else if (unlikely(end - to < decimal_room)) {
    return nullptr;
  } else if constexpr (kind == sizeof(int)) {
    return write_plain<int, unsigned>(to, step.letter, static_cast<int>(value));
  } else {
    return write_plain<long long, unsigned long long>(to, step.letter, static_cast<long long>(value));
  }
}

// Moves past what was written to `end`, once it is padded. False where `end` is null, or it does not fit.
HEADRACE_INLINE bool put_written(file_window& room, const print_step& step, char* end) noexcept {
  if (step.width != 0 && end != nullptr && end - room.begin < step.width) end = pad(room.begin, end, room.end, step);
  if (unlikely(end == nullptr)) return false;
  room.begin = end;
  return true;
}
HEADRACE_INLINE bool put_word(file_window& room, const print_step& step, const char* text) noexcept {
  if (unlikely(text == nullptr)) return false;
  const std::size_t size = __builtin_strlen(text);
  if (step.width == 0) return put_text(room, text, size);
  char* const from = room.begin;
  if (unlikely(!put_text(room, text, size))) return false;
  char* const end = room.begin;
  room.begin = from;
  return put_written(room, step, end);
}

// A plain step, its text and its value. False where it is not done.
template <class Value>
HEADRACE_INLINE bool put_step(file_window& room, const char* format, const print_step& step, Value value) noexcept {
  if (unlikely(!put_text(room, format + step.text, step.size))) return false;
  if constexpr (passed_as<Value> == 's') {
    return put_word(room, step, reinterpret_cast<const char*>(value));
  } else {
    return put_written(room, step, write_plain(room.begin, room.end, step, value));
  }
}

#pragma GCC diagnostic push  // the macro took the format apart from its arguments: the compiler cannot compare them
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wformat-overflow"
#endif

// fprintf of a format that is spelt as `Spelt`.
template <class Spelt, class... Values>
HEADRACE_INLINE int print(Spelt, std::FILE* file, const char* format, Values... values) noexcept {
  constexpr char kinds[] = {argument_kind<Values>(0)..., '\0'};
  static constexpr auto plan = plan_print<__builtin_strlen(Spelt::spelling())>(Spelt::spelling(), kinds);
  if constexpr (plan.kind == plan_kind::plain) {
    file_window room = room_of(file);
    char* const from = room.begin;
    const print_step* step = plan.steps;
    if (likely(!room.is_empty() && (put_step(room, format, *step++, +values) && ...) &&
               put_text(room, format + step->text, step->size))) {
      written_up_to(file, room.begin);
      return static_cast<int>(room.begin - from);
    }
  } else if constexpr (plan.kind == plan_kind::general) {
    const print_value list[] = {print_value(+values)..., print_value(0)};
    const int size = print_by_plan<plan.has_floats>(file, format, plan.steps, list);
    if (likely(size >= 0)) return size;
  }
  return std::fprintf(file, format, values...);
}

// Each of the following reads one conversion from the bytes in [at, end) to `to`, and returns where it ends; null, and
// what was at `to` may have changed, where the C library has to: a byte after it has to be held, too.

template <class Integer>
const char* take_integer(const char* at, const char* end, void* to) noexcept;
template <class Float>
const char* take_float(const char* at, const char* end, void* to) noexcept;
// A byte after whitespace.
HEADRACE_FUNC const char* take_spaced_byte(const char* at, const char* end, void* to) noexcept;
// Up to `width` bytes (0: any); `to` may be null.
HEADRACE_FUNC const char* take_word(const char* at, const char* end, void* to, std::size_t width) noexcept;

// Scans by a plan. Returns what scanf does, or -1 where nothing was read.
template <bool HasFloats>
int scan_by_plan(std::FILE* file, const scan_step* step, void* const* targets) noexcept;

// load_eight() the other way round.
HEADRACE_INLINE void store_eight(char* to, std::uint64_t bytes) noexcept {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap64(bytes);
#endif
  std::memcpy(to, &bytes, 8);
}

// A word to an array that has room for `width` bytes and a zero, eight bytes at a time: what is after the zero keeps
// its value by being written as it was read. So no branch depends on how many bytes of the last eight are the word's.
// Null where the word does not end in what is held, or a byte is not ASCII; what was stored then is stored again.
HEADRACE_INLINE const char* take_word_by_eights(const char* at, const char* end, char* to, std::size_t width) noexcept {
  for (std::size_t done = 0; done + 8 <= width + 1 && end - at >= 8; done += 8, at += 8) {
    const std::uint64_t bytes = load_eight(at);
    if (unlikely((bytes & every_byte(0x80)) != 0)) return nullptr;
    const std::uint64_t spaces = find_whitespace(bytes);
    if (spaces == 0) {
      std::memcpy(to + done, at, 8);
      continue;
    }
    const std::uint64_t first = spaces & (~spaces + 1);  // the top bit of the byte that becomes the zero
    store_eight(to + done, (load_eight(to + done) & ~((first << 1) - 1)) | (bytes & ((first >> 7) - 1)));
    return at + (__builtin_ctzll(spaces) >> 3);
  }
  return nullptr;
}

template <class Target>
HEADRACE_INLINE const char* take_word_to(const char* at, const char* end, std::size_t width, Target* to) noexcept {
  const std::size_t room = __builtin_object_size(to, 0);  // the largest value where the compiler does not see it
  if (width >= 15 && room > width && room != ~std::size_t{0}) {
    const char* const last = take_word_by_eights(skip_whitespace(at, end), end, reinterpret_cast<char*>(to), width);
    if (likely(last != nullptr)) return last;
  }
  return take_word(at, end, to, width);
}

// A plain step.
template <class Target>
HEADRACE_INLINE const char* take_step(const char* at, const char* end, const scan_step& step, Target* to) noexcept {
  constexpr char kind = points_to<Target*>;
  if constexpr (kind == 'f' || kind == 'd') {
    return take_float<Target>(at, end, to);
  } else if constexpr (kind == sizeof(int)) {
    return step.is_signed ? take_integer<int>(at, end, to) : take_integer<unsigned>(at, end, to);
  } else if constexpr (kind != 'c') {
    return step.is_signed ? take_integer<long long>(at, end, to) : take_integer<unsigned long long>(at, end, to);
  } else {
    if (step.kind == scan_kind::word) return take_word_to(at, end, static_cast<std::size_t>(step.width), to);
    if (step.skips) return take_spaced_byte(at, end, to);
    if (unlikely(at == end)) return nullptr;
    *to = static_cast<Target>(*at);
    return at + 1;
  }
}

// fscanf of a format that is spelt as `Spelt`.
template <class Spelt, class... Pointers>
HEADRACE_INLINE int scan(Spelt, std::FILE* file, const char* format, Pointers... pointers) noexcept {
  constexpr char kinds[] = {points_to<Pointers>..., '\0'};
  static constexpr auto plan = plan_scan<__builtin_strlen(Spelt::spelling())>(Spelt::spelling(), kinds);
  if constexpr (plan.kind == plan_kind::plain) {
    const file_window held = held_of(file);
    const char* at = held.begin;
    [[maybe_unused]] const scan_step* step = plan.steps;
    if (likely(!held.is_empty() && ((at = take_step(at, held.end, *step++, pointers)) && ...))) {
      read_up_to(file, at);
      return sizeof...(Pointers);
    }
  } else if constexpr (plan.kind == plan_kind::general) {
    void* const targets[] = {pointers..., nullptr};
    const int stored = scan_by_plan<plan.has_floats>(file, plan.steps, targets);
    if (likely(stored >= 0)) return stored;
  }
  return std::fscanf(file, format, pointers...);
}

#pragma GCC diagnostic pop

// `size` bytes, and a newline; false where they do not fit the room.
HEADRACE_INLINE bool put_sized(std::FILE* file, const char* text, std::size_t size, bool newline) noexcept {
  char* const at = file->_IO_write_ptr;
  const auto room = static_cast<std::size_t>(file->_IO_write_end - at);
  if (unlikely(at >= file->_IO_write_end || size + newline > room || !may_look_into(file))) return false;
  __builtin_memcpy(at, text, size);
  if (newline) at[size] = '\n';
  written_up_to(file, at + size + newline);
  return true;
}
inline bool put_unknown(std::FILE* file, const char* text, bool newline, std::size_t& size) noexcept {
  size = __builtin_strlen(text);
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

// putc and getc as the C library has them, without the call: a stream of wide characters gets no other treatment there.
HEADRACE_INLINE int put_byte(int byte, std::FILE* file) noexcept {
  char* const at = file->_IO_write_ptr;
  if (unlikely(at >= file->_IO_write_end || __libc_single_threaded == 0)) return std::putc(byte, file);
  written_up_to(file, at + 1);
  *at = static_cast<char>(byte);
  return static_cast<unsigned char>(byte);
}
HEADRACE_INLINE int get_byte(std::FILE* file) noexcept {
  const char* const at = file->_IO_read_ptr;
  if (unlikely(at >= file->_IO_read_end || __libc_single_threaded == 0)) return std::getc(file);
  read_up_to(file, at + 1);
  return static_cast<unsigned char>(*at);
}

// fgets of a line, or a part of `size` - 1 bytes, that is held whole. Null where it is not.
HEADRACE_FUNC char* get_held_line(char* to, int size, std::FILE* file) noexcept;

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#if HEADRACE_COMPILED != 1
#include "stdio_impl.hpp"
#endif
