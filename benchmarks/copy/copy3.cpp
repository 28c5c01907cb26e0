#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

#ifndef SOURCE
#define SOURCE cin
#define SINK cout
#endif
#ifndef SYNC
#define SYNC true
#define TIE true
#endif

enum class end { cin, ifstream, cout, ofstream };
constexpr end source = end::SOURCE;
constexpr end sink = end::SINK;

int main() {
  std::ios::sync_with_stdio(SYNC);
  if (!TIE) std::cin.tie(nullptr);
  std::ifstream from;
  std::ofstream to;
  if (source == end::ifstream) from.open("/dev/stdin", std::ios::binary);
  if (sink == end::ofstream) to.open("/dev/stdout", std::ios::binary);
  std::istream& is = source == end::cin ? std::cin : from;
  std::ostream& os = sink == end::cout ? std::cout : to;

  is >> std::noskipws;  // or all whitespace is lost
  std::copy(std::istream_iterator<char>(is), std::istream_iterator<char>(), std::ostream_iterator<char>(os));
  return os.flush() ? 0 : 1;
}
