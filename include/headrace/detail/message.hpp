// headrace/detail/message.hpp: the text of an error, composed of pieces. Not std::string, whose code would be half of
// a small program that might only fail. Not for users.
//
//   message{name, ":", digits_of(line), ": expected ", what, ", found ", quoted(token)}
//
// One allocation, shared by copies; nothing throws: without memory the text is "out of memory".
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "../config.hpp"
#include "../utf.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

class message;

// A number in decimal.
struct digits_of {
  explicit constexpr digits_of(std::uint64_t value) noexcept : number(value) {}
  std::uint64_t number;
};

// Text as a person can read it in one line: in quotes, cut after the letter with the 40th byte; quotes, and bytes that
// are no visible letter, are escaped. Written at once, so that messages without quotes hold no code for it.
class quoted {
 public:
  explicit quoted(std::string_view token) noexcept : size_(write(text_, token.data(), token.data() + token.size())) {}
  operator std::string_view() const noexcept { return {text_, size_}; }

 private:
  static constexpr std::size_t limit = 40;
  static std::size_t write(char* to, const char* first, const char* last) noexcept;

  char text_[4 * (limit + 3) + 5];  // every byte escaped, quotes and "..."
  std::size_t size_;
};

// A part of a message, in two words, because each is put on the stack by code of its own. It refers to its text.
struct piece {
  constexpr piece(const char* from) noexcept : text(from), size(__builtin_strlen(from)) {}
  constexpr piece(std::string_view from) noexcept : text(from.data()), size(from.size()) {}
  constexpr piece(digits_of from) noexcept : text(&is_number), size(from.number) {}
  piece(const quoted& from) noexcept : piece(std::string_view(from)) {}
  piece(const message& from) noexcept;

  static constexpr char is_number = 0;  // its address as `text`: `size` is a number

  const char* text;
  std::uint64_t size;
};

char* compose(const piece* pieces, std::size_t count) noexcept;
char* share(char* text) noexcept;
void release(char* text) noexcept;

class message {
 public:
  constexpr message() noexcept : text_(nullptr) {}
  message(std::initializer_list<piece> pieces) noexcept : text_(compose(pieces.begin(), pieces.size())) {}
  template <class Text, class = std::enable_if_t<std::is_convertible_v<const Text&, std::string_view>>>
  message(const Text& text) noexcept : message({piece(std::string_view(text))}) {}
  message(const message& other) noexcept : text_(share(other.text())) {}
  message(message&& other) noexcept : text_(other.text_) { other.text_ = nullptr; }
  message& operator=(message other) noexcept {
    char* const mine = text_;
    text_ = other.text_;
    other.text_ = mine;
    return *this;
  }
  ~message() { release(text_); }

  // False where there was no memory for the text, and where none was given.
  bool is_complete() const noexcept { return text() != nullptr; }
  const char* c_str() const noexcept { return is_complete() ? text() : "out of memory"; }
  operator std::string_view() const noexcept { return c_str(); }

  // Gives a message without a text that of another. Several threads may do so, and read or copy it, at once: the first
  // one's is kept.
  void fill(message&& other) noexcept {
    char* none = nullptr;
    if (__atomic_compare_exchange_n(&text_, &none, other.text_, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      other.text_ = nullptr;
    }
  }

 private:
  char* text() const noexcept { return __atomic_load_n(&text_, __ATOMIC_ACQUIRE); }

  char* text_;  // after the number of messages that share it
};

inline piece::piece(const message& from) noexcept : piece(from.c_str()) {}

// How many bytes of [first, last), which is not empty, a person can see as one letter: a character of ASCII or of valid
// UTF-8. 0 for a control character, for a byte order mark, which nobody sees, and for malformed text.
inline std::size_t visible_letter(const char* first, const char* last) noexcept {
  const utf8_character letter = decode(first, last);
  const bool is_control = letter.code < 0x20 || (letter.code >= 0x7f && letter.code < 0xa0);
  return letter.state != utf8_state::valid || is_control || letter.code == 0xfeff ? 0 : letter.size;
}

HEADRACE_COLD inline std::size_t quoted::write(char* to, const char* first, const char* last) noexcept {
  char* const start = to;
  const char* const begin = first;
  *to++ = '"';
  std::size_t rest = 0;  // of the letter
  for (; first != last; ++first) {
    if (rest == 0) {
      if (static_cast<std::size_t>(first - begin) >= limit) break;
      rest = visible_letter(first, last);
      if (rest == 0) {
        const char* const digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(*first);
        *to++ = '\\';
        *to++ = 'x';
        *to++ = digits[byte >> 4];
        *to++ = digits[byte & 15];
        continue;
      }
      if (*first == '"' || *first == '\\') *to++ = '\\';
    }
    *to++ = *first;
    --rest;
  }
  *to++ = '"';
  if (first != last) {
    std::memcpy(to, "...", 3);
    to += 3;
  }
  return static_cast<std::size_t>(to - start);
}

// The digits of a number, backwards from `end`; returns the first.
constexpr HEADRACE_INLINE char* write_number_before(char* end, std::uint64_t number) noexcept {
  do {  // where size counts, compilers divide, which takes longer than all else here: x / 10 of 32 bits is a product
    const std::uint64_t tenth = number >> 32 == 0 ? number * 3435973837u >> 35 : number / 10;
    *--end = static_cast<char>('0' + (number - tenth * 10));
    number = tenth;
  } while (number != 0);
  return end;
}

HEADRACE_INLINE char* write_piece(char* to, const piece& part) noexcept {
  if (part.text != &piece::is_number) {
    const auto size = static_cast<std::size_t>(part.size);
    if (size != 0) std::memcpy(to, part.text, size);
    return to + size;
  }
  char digits[20];
  const char* const first = write_number_before(digits + sizeof digits, part.size);
  const auto size = static_cast<std::size_t>(digits + sizeof digits - first);
  std::memcpy(to, first, size);
  return to + size;
}

// The pieces as one text with a zero at its end, in memory that release() frees; nullptr where there is none.
HEADRACE_COLD inline char* compose(const piece* pieces, std::size_t count) noexcept {
  constexpr std::size_t max_digits = 20;
  std::size_t room = sizeof(unsigned) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    room += pieces[i].text == &piece::is_number ? max_digits : static_cast<std::size_t>(pieces[i].size);
  }
  void* const block = std::malloc(room);
  if (block == nullptr) return nullptr;
  *static_cast<unsigned*>(block) = 1;
  char* const text = static_cast<char*>(block) + sizeof(unsigned);
  char* to = text;
  for (std::size_t i = 0; i < count; ++i) to = write_piece(to, pieces[i]);
  *to = '\0';
  return text;
}

inline unsigned* users_of(char* text) noexcept { return reinterpret_cast<unsigned*>(text - sizeof(unsigned)); }

HEADRACE_COLD inline char* share(char* text) noexcept {
  if (text != nullptr) __atomic_add_fetch(users_of(text), 1u, __ATOMIC_RELAXED);
  return text;
}

HEADRACE_COLD inline void release(char* text) noexcept {
  if (text != nullptr && __atomic_sub_fetch(users_of(text), 1u, __ATOMIC_ACQ_REL) == 0) std::free(users_of(text));
}

inline const char* system_message(int code) noexcept {
#if HEADRACE_WINDOWS
  if (code == ENOBUFS) return "No buffer space available";  // younger than its C library
#endif
  return std::strerror(code);
}

// Adds to the system's own words for an error of read(2), or adds nothing.
constexpr const char* reading_hint(int code) noexcept {
  if (code == EINVAL) {
    return " (nothing can be read from it: an epoll descriptor, perhaps, or a socket that is not connected)";
  }
  return code == EBADF ? " (it is closed, or open for writing only)" : "";
}

// A descriptor's name in messages: "<stdin>", "<stdout>", "<stderr>" or "<descriptor 5>", without memory of its own.
struct descriptor_text {
  constexpr descriptor_text() noexcept = default;
  constexpr explicit descriptor_text(int descriptor) noexcept {
    constexpr const char* standard[] = {"<stdin>", "<stdout>", "<stderr>"};
    if (descriptor >= 0 && descriptor < 3) {
      append(standard[descriptor]);
      return;
    }
    append(descriptor < 0 ? "<descriptor -" : "<descriptor ");
    const auto bits = static_cast<unsigned>(descriptor);
    char digits[11] = {};
    append(write_number_before(digits + 10, descriptor < 0 ? 0 - bits : bits));
    append(">");
  }

  char text[28] = {};
  int size = 0;  // without the zero at its end

 private:
  constexpr void append(const char* from) noexcept {
    while (*from != '\0') text[size++] = *from++;
  }
};

inline message descriptor_name(int descriptor) noexcept { return {descriptor_text(descriptor).text}; }

// An empty path would leave a message without a subject.
constexpr std::string_view path_name(std::string_view path) noexcept { return path.empty() ? "\"\"" : path; }

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
