// headrace/replace/scan.hpp: scanf and its like, from what a FILE's buffer holds. Not for users.
//
// A directive either takes what it needs from the held bytes, or leaves them, and itself and the rest of the format to
// the C library. It takes what is whole there, with a byte after it that ends it.
#pragma once

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "../config.hpp"
#include "../parse.hpp"
#include "../detail/read_digits.hpp"
#include "file_windows.hpp"
#include "print.hpp"
#include "scan_format.hpp"
#include "words.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// One call of scanf: what is left of the held bytes, of the format's count.
struct scanner {
  std::FILE* file;
  const char* format;
  const char* at;
  const char* end;
  int stored = 0;
};

// The rest of the format by the C library, from the byte that the scanner is at.
template <class... Pointers>
int scan_by_library(const scanner& from, std::size_t format_at, Pointers... pointers) noexcept {
  read_up_to(from.file, from.at);
  const int stored = library_scan(from.file, from.format + format_at, pointers...);
  return stored >= 0 ? from.stored + stored : from.stored != 0 ? from.stored : stored;
}

// Skips whitespace. False where the C library has to: at the end, and at a byte that is a space in some locale.
HEADRACE_INLINE bool skip_spaces(scanner& from) noexcept {
  const char* at = from.at;
  while (at != from.end && is_whitespace(*at)) ++at;
  from.at = at;
  return likely(at != from.end) &&
         (likely(static_cast<unsigned char>(*at) < 0x80) || std::isspace(static_cast<unsigned char>(*at)) == 0);
}

// Each of the following reads one conversion to `to`, or returns false and stores nothing. Of one that is not kept the
// value goes to a variable that nobody looks at.

template <class Integer>
HEADRACE_INLINE bool take_integer(scanner& from, void* to) noexcept {
  Integer number;
  const parse_result found = parse(from.at, from.end, number);
  if (unlikely(found.ec != std::errc{} || found.ptr == from.end)) return false;
  std::memcpy(to, &number, sizeof(number));
  from.at = found.ptr;
  return true;
}

// Nothing that begins with a letter, and nothing after which the number might go on in a way of the C library's.
template <class Float>
bool take_float(scanner& from, void* to) noexcept {
  const char* const digits = from.at + (*from.at == '-');
  if (digits == from.end || !(is_digit(*digits) || *digits == '.') || !point_is_a_point()) return false;
  Float number;
  const parse_result found = parse(from.at, from.end, number);
  if (found.ec != std::errc{} || found.ptr == from.end) return false;
  const char after = *found.ptr;
  if (!is_whitespace(after) && after != ',' && after != ';' && after != ')' && after != ':') return false;
  std::memcpy(to, &number, sizeof(number));
  from.at = found.ptr;
  return true;
}

// Bytes up to `last`, and a zero.
HEADRACE_INLINE bool store_text(scanner& from, const char* last, void* to, bool is_kept) noexcept {
  if (is_kept) {
    const auto size = static_cast<std::size_t>(last - from.at);
    char* const text = static_cast<char*>(to);
    std::memcpy(text, from.at, size);
    text[size] = '\0';
  }
  from.at = last;
  return true;
}

// Where text of at most `width` bytes (0: any) has to end.
HEADRACE_INLINE const char* end_of_width(const scanner& from, std::size_t width) noexcept {
  return width != 0 && static_cast<std::size_t>(from.end - from.at) > width ? from.at + width : from.end;
}

// A word to an array that has room for `Width` bytes and a zero, eight bytes at a time: what is after the zero keeps
// its value by being written as it was read. So no branch depends on how many bytes of the last eight are the word's.
// False where the word does not end in what is held, or a byte is not ASCII; what was stored then is stored again.
template <std::size_t Width>
HEADRACE_INLINE bool take_word_by_eights(scanner& from, char* to) noexcept {
  const char* at = from.at;
  for (std::size_t done = 0; done + 8 <= Width + 1 && from.end - at >= 8; done += 8, at += 8) {
    const std::uint64_t bytes = load_eight(at);
    if (unlikely((bytes & every_byte(0x80)) != 0)) return false;
    const std::uint64_t spaces = find_whitespace(bytes);
    if (spaces == 0) {
      std::memcpy(to + done, at, 8);
      continue;
    }
    const std::uint64_t first = spaces & (~spaces + 1);  // the top bit of the byte that becomes the zero
    store_eight(to + done, (load_eight(to + done) & ~((first << 1) - 1)) | (bytes & ((first >> 7) - 1)));
    from.at = at + (__builtin_ctzll(spaces) >> 3);
    return true;
  }
  return false;
}

template <std::size_t Width>
HEADRACE_INLINE bool take_word(scanner& from, void* to, bool is_kept) noexcept {
  const std::size_t room = __builtin_object_size(to, 0);  // the largest value where the compiler does not see it
  if (Width >= 15 && is_kept && room > Width && room != ~std::size_t{0}) {
    if (likely(take_word_by_eights<Width>(from, static_cast<char*>(to)))) return true;
  }
  const char* const end = end_of_width(from, Width);
  bool high;
  const char* const last = end_of_word(from.at, end, high);
  if (unlikely(high)) {
    for (const char* at = from.at; at != last; ++at) {
      if (std::isspace(static_cast<unsigned char>(*at)) != 0) return false;
    }
  }
  return likely(last != from.end) && store_text(from, last, to, is_kept);
}

template <class Spelt, std::size_t At>
HEADRACE_INLINE bool take_set_bytes(scanner& from, void* to) noexcept {
  constexpr const scan_directive& how = scan_directive_of<Spelt, At>;  // in memory once, with its set
  const char* const end = end_of_width(from, how.width);
  const char* last = from.at;
  while (last != end && how.set.has(*last)) ++last;
  return likely(last != from.end && last != from.at) && store_text(from, last, to, how.is_kept);
}

template <class Spelt, std::size_t At>
HEADRACE_INLINE bool take_conversion(scanner& from, void* to) noexcept {
  constexpr scan_directive how = scan_directive_of<Spelt, At>;
  if constexpr (how.kind == scan_kind::character) {
    if (unlikely(from.at == from.end)) return false;
    if (how.is_kept) std::memcpy(to, from.at, 1);
    ++from.at;
    return true;
  } else if constexpr (how.kind == scan_kind::set) {
    return take_set_bytes<Spelt, At>(from, to);
  } else {
    if (unlikely(!skip_spaces(from))) return false;
    [[maybe_unused]] long long unseen;
    if constexpr (!how.is_kept) to = &unseen;
    if constexpr (how.kind == scan_kind::integer) {
      return take_integer<integer_of<how.bytes, how.is_signed>>(from, to);
    } else if constexpr (how.kind == scan_kind::floating) {
      return take_float<std::conditional_t<how.bytes == sizeof(float), float, double>>(from, to);
    } else {
      return take_word<how.width>(from, to, how.is_kept);
    }
  }
}

template <class Spelt, std::size_t At, class... Pointers>
HEADRACE_INLINE int scan_from(scanner& from, Pointers... pointers) noexcept;

// A conversion that is kept, and what comes after it.
template <class Spelt, std::size_t At, class First, class... Rest>
HEADRACE_INLINE int scan_kept(scanner& from, First first, Rest... rest) noexcept {
  constexpr scan_directive how = scan_directive_of<Spelt, At>;
  if constexpr (is_stored_by<First>(how)) {
    if (likely((take_conversion<Spelt, At>(from, first)))) {
      ++from.stored;
      return scan_from<Spelt, how.end>(from, rest...);
    }
  }
  return scan_by_library(from, At, first, rest...);
}

// Reads the format from `At` on, and returns what scanf does.
template <class Spelt, std::size_t At, class... Pointers>
HEADRACE_INLINE int scan_from(scanner& from, Pointers... pointers) noexcept {
  constexpr scan_directive how = scan_directive_of<Spelt, At>;
  if constexpr (how.kind == scan_kind::end) {
    read_up_to(from.file, from.at);
    return from.stored;
  } else if constexpr (how.kind == scan_kind::whitespace) {
    if (likely(skip_spaces(from))) return scan_from<Spelt, how.end>(from, pointers...);
  } else if constexpr (how.kind == scan_kind::byte) {
    if (likely(from.at != from.end && *from.at == literal<Spelt>.bytes[At])) {
      ++from.at;
      return scan_from<Spelt, how.end>(from, pointers...);
    }
  } else if constexpr (how.kind != scan_kind::rare && !how.is_kept) {
    if (likely((take_conversion<Spelt, At>(from, nullptr)))) return scan_from<Spelt, how.end>(from, pointers...);
  } else if constexpr (how.kind != scan_kind::rare && sizeof...(Pointers) != 0) {
    return scan_kept<Spelt, At>(from, pointers...);
  }
  return scan_by_library(from, At, pointers...);
}

// fscanf of a format that is spelt as `Spelt`.
template <class Spelt, class... Pointers>
int scan(Spelt, std::FILE* file, const char* format, Pointers... pointers) noexcept {
  if constexpr (literal<Spelt>.is_known && !has_count(literal<Spelt>.bytes)) {
    const file_window held = held_of(file);
    if (likely(!held.is_empty())) {
      scanner from{file, format, held.begin, held.end};
      return scan_from<Spelt, 0>(from, pointers...);
    }
  }
  return library_scan(file, format, pointers...);
}

// What getc is in the C library, without the call: a stream of wide characters gets no other treatment there.
HEADRACE_INLINE int get_byte(std::FILE* file) noexcept {
  const char* const at = file->_IO_read_ptr;
  if (unlikely(at >= file->_IO_read_end || __libc_single_threaded == 0)) return std::getc(file);
  read_up_to(file, at + 1);
  return static_cast<unsigned char>(*at);
}

// fgets of a line, or a part of `size` - 1 bytes, that is held whole. Null where it is not.
inline char* get_held_line(char* to, int size, std::FILE* file) noexcept {
  const file_window held = held_of(file);
  if (unlikely(held.is_empty() || size < 2)) return nullptr;
  const std::size_t wanted = static_cast<std::size_t>(size) - 1;
  const std::size_t most = held.size() < wanted ? held.size() : wanted;
  const void* const newline = std::memchr(held.begin, '\n', most);
  if (newline == nullptr && most != wanted) return nullptr;
  const char* const last = newline != nullptr ? static_cast<const char*>(newline) + 1 : held.begin + most;
  const auto taken = static_cast<std::size_t>(last - held.begin);
  std::memcpy(to, held.begin, taken);
  to[taken] = '\0';
  read_up_to(file, last);
  return to;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
