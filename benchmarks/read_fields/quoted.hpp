// What the programs of libraries that leave quotes in fields share.
#pragma once

#include <cstddef>
#include <string_view>

// The bytes of a field without the quotes around it, and with one of two in a row.
inline std::size_t size_of(std::string_view text) {
  if (text.size() < 2 || text.front() != '"') return text.size();
  std::size_t size = text.size() - 2;
  for (std::size_t at = text.find('"', 1); at < text.size() - 1; at = text.find('"', at + 2)) --size;
  return size;
}
