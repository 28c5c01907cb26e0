// The fuzzer's bytes as text: its tokens found and turned into integers by every kernel, a window at a time, and by
// parse() one by one; against the model, which takes a byte at a time.
#include <headrace/detail/number_functions.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../tests/support/kernels.hpp"
#include "../tests/support/convert.hpp"
#include "../tests/support/model.hpp"

namespace {

using headrace::detail::token;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::vector<token> tokens_of(const std::string& text) {
  std::vector<token> tokens;
  bool within = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool solid = !test::model::is_whitespace(text[i]);
    if (solid && !within) tokens.push_back({static_cast<std::uint16_t>(i), 0});
    if (!solid && within) tokens.back().end = static_cast<std::uint16_t>(i);
    within = solid;
  }
  return tokens;  // the text ends with whitespace: each has its end
}

template <class Int>
void check_conversion(const std::string& text, const char* base, const std::vector<token>& tokens) {
  std::vector<Int> expected, values(tokens.size(), Int(77));
  for (const token& one : tokens) {
    const std::string word = text.substr(one.begin, one.end - std::size_t(one.begin));
    Int value = 77, parsed = 77, in_buffer = 77;
    const std::errc code = test::model::parse(word, value);
    require(headrace::detail::parse_token(word.data(), word.data() + word.size(), parsed) == code, "parse_token: code");
    require(parsed == value, "parse_token: value");
    require(headrace::detail::parse_token_in_buffer(base + one.begin, base + one.end, in_buffer) == code,
            "in buffer: code");
    require(in_buffer == value, "in buffer: value");
    if (code == std::errc{} && expected.size() == static_cast<std::size_t>(&one - tokens.data()))
      expected.push_back(value);
  }
  if constexpr (sizeof(Int) <= 8) {
    std::vector<std::uint16_t> edges;
    for (const token& one : tokens) edges.insert(edges.end(), {one.begin, one.end});
    const std::size_t done = test::convert(base, edges, values);
    require(done == expected.size(), "convert: count");
    for (std::size_t i = 0; i < values.size(); ++i)
      require(values[i] == (i < done ? expected[i] : Int(77)), "convert: value");
  }
}

void check_text(const std::string& text) {
  const std::string padded = std::string(64, '7') + text + std::string(128, '7');  // kernels may read, never use, both
  const char* base = padded.data() + 64;
  const std::vector<token> tokens = tokens_of(text);
  std::vector<std::uint16_t> found(headrace::detail::window_edges);
  require(headrace::detail::index_tokens(base, text.size(), found.data()) == 2 * tokens.size(), "index: count");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    require(found[2 * i] == tokens[i].begin && found[2 * i + 1] == tokens[i].end, "index: place");
  }
  check_conversion<std::int8_t>(text, base, tokens);
  check_conversion<std::uint16_t>(text, base, tokens);
  check_conversion<std::int32_t>(text, base, tokens);
  check_conversion<std::uint32_t>(text, base, tokens);
  check_conversion<std::int64_t>(text, base, tokens);
  check_conversion<std::uint64_t>(text, base, tokens);
#if defined(__SIZEOF_INT128__)
  check_conversion<headrace::int128>(text, base, tokens);
  check_conversion<headrace::uint128>(text, base, tokens);
#endif
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size < 4000 ? size : 4000);
  text += ' ';
  test::for_each_kernel([&] { check_text(text); });
  return 0;
}
