// The fuzzer's bytes as one number: float, double and long double against the C library, bit by bit.
#include <headrace/parse.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../tests/support/model.hpp"

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

template <class Float>
bool same(Float a, Float b) {
  return a == b ? __builtin_signbit(a) == __builtin_signbit(b) : a != a && b != b;
}

template <class Float>
void check(const std::string& token) {
  Float expected = 7;
  const std::errc code = test::model::parse(token, expected);

  const std::vector<char> exact(token.begin(), token.end());
  const char* const last = exact.data() + exact.size();
  Float value = 7;
  const headrace::parse_result result = headrace::parse(exact.data(), last, value);
  if (code == std::errc::invalid_argument) {
    require(result.ec == code ? result.ptr == exact.data() : result.ptr != last, "parsed what is no number");
  } else {
    require(result.ec == code && result.ptr == last, "parse: code");
    require(same(value, expected), "parse: value");
  }

  const std::string buffer = "12345678 7654321" + token + " 12345678 7654321";  // 16 bytes of room on both sides
  const char* const in_buffer = buffer.data() + 16;
  value = 7;
  require(headrace::detail::parse_token_in_buffer(in_buffer, in_buffer + token.size(), value) == code, "buffer: code");
  require(same(value, expected), "buffer: value");
  value = 7;
  require(headrace::detail::parse_token_in_turn(in_buffer, in_buffer + token.size(), value) == (code == std::errc{}),
          "turn: code");
  require(same(value, expected), "turn: value");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string token(reinterpret_cast<const char*>(data), size < 3000 ? size : 3000);
  for (char& byte : token) {
    if (test::model::is_whitespace(byte)) byte = '0';  // a token has none
  }
  if (token.empty()) return 0;
  check<float>(token);
  check<double>(token);
  check<long double>(token);
  return 0;
}
