// A window of tokens as a reader has it, and what a kernel makes of it for any type of integer.
#pragma once

#include <headrace/detail/number_functions.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace test {

// Words with one space between them.
inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Text with room on both sides, whose bytes a kernel may read but never use; and its index.
struct window {
  std::string padded = std::string(64, '7');
  std::vector<std::uint16_t> edges;

  void add(const std::string& word, char after = ' ') {
    edges.push_back(static_cast<std::uint16_t>(padded.size() - 64));
    padded += word;
    edges.push_back(static_cast<std::uint16_t>(padded.size() - 64));
    padded += after;
  }
  const char* close() {
    padded.append(128, '9');
    return base();
  }
  const char* base() const { return padded.data() + 64; }
  std::size_t size() const { return edges.size() / 2; }
  std::string word(std::size_t i) const { return padded.substr(64u + edges[2 * i], edges[2 * i + 1] - edges[2 * i]); }
};

// Tokens that were taken; `values` keep their value from there on.
template <class Int>
std::size_t convert(const char* base, const std::vector<std::uint16_t>& edges, std::vector<Int>& values) {
  using waiting = headrace::detail::ahead_t<Int>;
  std::vector<char> out(edges.size() / 2 * sizeof(waiting) + 1);
  const auto& type = headrace::detail::number_type_of<Int>;
  const std::size_t done = type.convert(type, base, edges.data(), edges.size() / 2, out.data(), nullptr);
  for (std::size_t i = 0; i < done; ++i) {
    waiting value;
    std::memcpy(&value, out.data() + i * sizeof value, sizeof value);
    values[i] = static_cast<Int>(value);
  }
  return done;
}

}  // namespace test
