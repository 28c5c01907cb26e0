// The class, by way of std::string. Letters beyond ASCII are quoted as they are, whether a person can see them or not.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

#include <headrace/config.hpp>

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

struct digits_of {
  explicit digits_of(std::uint64_t value) : number(value) {}
  std::uint64_t number;
};

struct quoted : std::string {
  explicit quoted(std::string_view token) : std::string(1, '"') {
    constexpr std::size_t limit = 40;
    for (const char letter : token.substr(0, limit)) {
      const auto byte = static_cast<unsigned char>(letter);
      if (byte < ' ' || byte == 0x7f) {
        *this += {'\\', 'x', "01234567"[byte >> 4], "0123456789abcdef"[byte & 15]};
        continue;
      }
      if (letter == '"' || letter == '\\') *this += '\\';
      *this += letter;
    }
    *this += token.size() > limit ? "\"..." : "\"";
  }
};

struct piece : std::string {
  piece(const char* from) : std::string(from) {}
  piece(std::string_view from) : std::string(from) {}
  piece(const std::string& from) : std::string(from) {}
  piece(digits_of from) : std::string(std::to_string(from.number)) {}
};

struct message : std::string {
  using std::string::string;
  message(std::string_view text) : std::string(text) {}
  message(std::initializer_list<piece> pieces = {}) {
    for (const piece& part : pieces) *this += part;
  }
  bool is_complete() const noexcept { return !empty(); }
  void fill(const message& other) { *this = other; }
};

inline const char* system_message(int code) noexcept { return std::strerror(code); }

constexpr const char* reading_hint(int) noexcept { return ""; }

// Its number is not said.
struct descriptor_text {
  constexpr descriptor_text() noexcept = default;
  constexpr explicit descriptor_text(int descriptor) noexcept
      : text(descriptor == 0   ? "<stdin>"
             : descriptor == 1 ? "<stdout>"
                               : "<descriptor>") {}
  const char* text = "";
};

inline message descriptor_name(int descriptor) { return {descriptor_text(descriptor).text}; }

inline std::string_view path_name(std::string_view path) { return path.empty() ? "\"\"" : path; }

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
