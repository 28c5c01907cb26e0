// Integers of 128 bits to and from text, a digit at a time, as the standard library does neither.
#pragma once

#include <string>

inline __int128 number_of(const std::string& text) {
  unsigned __int128 value = 0;
  for (std::size_t i = text[0] == '-'; i < text.size(); ++i) value = value * 10 + static_cast<unsigned>(text[i] - '0');
  return static_cast<__int128>(text[0] == '-' ? -value : value);
}

inline std::string text_of(__int128 value) {
  unsigned __int128 left = value < 0 ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  std::string text(41, '0');
  std::size_t first = text.size();
  do text[--first] = static_cast<char>('0' + static_cast<int>(left % 10));
  while ((left /= 10) != 0);
  if (value < 0) text[--first] = '-';
  return text.substr(first);
}
