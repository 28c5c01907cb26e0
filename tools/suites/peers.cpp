// Answers questions about numbers, as numbers.cpp does, by another library: fast_float (reads), {fmt} (writes), or the
// standard library's <charconv>. A question that it has no call for is answered by a line "no call".
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <system_error>
#include <type_traits>

#if defined(PEER_FAST_FLOAT)
#include <fast_float/fast_float.h>
namespace peer = fast_float;
#elif defined(PEER_FMT)
#define FMT_HEADER_ONLY
#include <fmt/format.h>
#else
#include <charconv>
namespace peer = std;
#endif

namespace {

template <class Float>
using bits_of = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

const std::string no_call = "no call";

template <class Float>
std::string read([[maybe_unused]] const std::string& text, [[maybe_unused]] bool is_prefix) {
#if defined(PEER_FMT)
  return no_call;
#else
  Float value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = peer::from_chars(text.data(), last, value);
  if (end != last && !is_prefix) return "refused: malformed";
  if (error != std::errc{}) return "refused: out of range or malformed";
  bits_of<Float> bits;
  std::memcpy(&bits, &value, sizeof bits);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%0*llX", int(2 * sizeof bits), static_cast<unsigned long long>(bits));
  return std::string("ok ") + digits + (is_prefix ? ' ' + std::to_string(end - text.data()) : "");
#endif
}

template <class Float>
std::string write([[maybe_unused]] const std::string& kind, const std::string& text, [[maybe_unused]] int precision) {
  const auto bits = static_cast<bits_of<Float>>(std::strtoull(text.c_str(), nullptr, 16));
  Float value;
  std::memcpy(&value, &bits, sizeof value);
#if defined(PEER_FMT)
  if (kind == "shortest") return fmt::format("{}", value);
  return kind == "fixed" ? fmt::format("{:.{}f}", value, precision) : fmt::format("{:.{}e}", value, precision);
#elif defined(PEER_FAST_FLOAT)
  return no_call;
#else
  char digits[2048];
  const auto style = kind == "fixed" ? std::chars_format::fixed : std::chars_format::scientific;
  const auto done = kind == "shortest" ? std::to_chars(digits, digits + sizeof digits, value)
                                       : std::to_chars(digits, digits + sizeof digits, value, style, precision);
  return {digits, done.ptr};
#endif
}

template <class Float>
std::string answer(const std::string& kind, const std::string& text, int precision) {
  if (kind == "read" || kind == "prefix") return read<Float>(text, kind == "prefix");
  return write<Float>(kind, text, precision);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string kind, type, text, precision;
    std::getline(words, kind, '\t') && std::getline(words, type, '\t');
    std::getline(words, text, '\t') && std::getline(words, precision, '\t');
    const int digits = std::atoi(precision.c_str());
    std::cout << (type == "f" ? answer<float>(kind, text, digits) : answer<double>(kind, text, digits)) << '\n';
  }
}
