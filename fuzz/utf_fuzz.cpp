// Units made of the fuzzer's bytes, as UTF-8, UTF-16 and UTF-32: the library against a decoder that takes one code
// point at a time and knows no shortcuts.
#include <headrace/utf.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

template <class Unit>
std::basic_string<Unit> units_of(const std::uint8_t* data, std::size_t size) {
  std::basic_string<Unit> units(size / sizeof(Unit), Unit{});
  if (!units.empty()) std::memcpy(units.data(), data, units.size() * sizeof(Unit));
  return units;
}

void append_utf8(std::string& to, std::uint32_t code) {
  const int following = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
  to += static_cast<char>(first[following] | code >> 6 * following);
  for (int i = following - 1; i >= 0; --i) to += static_cast<char>(0x80 | (code >> 6 * i & 0x3f));
}

std::string reference(const std::u32string& text) {
  std::string result;
  for (char32_t code : text) {
    append_utf8(result,
                code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0xfffd : static_cast<std::uint32_t>(code));
  }
  return result;
}

std::u32string code_points(const std::u16string& text) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char32_t code = text[i];
    if (code >= 0xd800 && code < 0xdc00 && i + 1 < text.size() && text[i + 1] >= 0xdc00 && text[i + 1] < 0xe000) {
      code = 0x10000 + (code - 0xd800) * 0x400 + (text[++i] - 0xdc00u);
    }
    result += code;
  }
  return result;
}

template <class Unit>
std::string converted(const std::basic_string<Unit>& text) {
  std::string result(text.size() * headrace::utf8_per_unit<Unit>, '\0');
  result.resize(static_cast<std::size_t>(headrace::to_utf8(text.data(), text.data() + text.size(), result.data()) -
                                         result.data()));
  return result;
}

// The next code point of UTF-8 at `at`, or U+FFFD for the longest part of one: by the table of well-formed
// sequences (Unicode 15, table 3-7).
std::uint32_t decode(const std::string& text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at++);
  if (first < 0x80) return first;
  const int following = first >= 0xc2 && first <= 0xdf   ? 1
                        : first >= 0xe0 && first <= 0xef ? 2
                        : first >= 0xf0 && first <= 0xf4 ? 3
                                                         : 0;
  if (following == 0) return 0xfffd;
  std::uint32_t code = first & (0x3fu >> following);
  for (int i = 0; i < following; ++i) {
    const unsigned next = byte(at);
    const unsigned low = i > 0 ? 0x80 : first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = i > 0 ? 0xbf : first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (next < low || next > high) return 0xfffd;
    code = code << 6 | (next & 0x3f);
    ++at;
  }
  return code;
}

void check_utf8(const std::string& text) {
  std::u32string expected;
  for (std::size_t at = 0; at < text.size();) expected += static_cast<char32_t>(decode(text, at));
  std::u16string result(text.size(), u'\0');
  const char* end = text.data() + text.size();
  const auto done = headrace::to_utf16(text.data(), end, result.data());
  require(done.read == end, "UTF-8 left unread");
  result.resize(static_cast<std::size_t>(done.written - result.data()));
  require(code_points(result) == expected, "UTF-8 to UTF-16");
  // in two pieces, the first not final
  for (std::size_t cut = 0; cut <= text.size(); cut += 1 + text.size() / 8) {
    std::u16string pieces(text.size(), u'\0');
    const auto first = headrace::to_utf16(text.data(), text.data() + cut, pieces.data(), false);
    require(text.data() + cut - first.read < 4, "too much left unread");
    const auto second = headrace::to_utf16(first.read, end, first.written);
    pieces.resize(static_cast<std::size_t>(second.written - pieces.data()));
    require(pieces == result, "UTF-8 in two pieces");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto narrow = units_of<char16_t>(data, size);
  require(converted(narrow) == reference(code_points(narrow)), "UTF-16 to UTF-8");
  const auto wide = units_of<char32_t>(data, size);
  require(converted(wide) == reference(wide), "UTF-32 to UTF-8");
  check_utf8(units_of<char>(data, size));
  return 0;
}
