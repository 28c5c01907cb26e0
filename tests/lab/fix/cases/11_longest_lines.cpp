#include <cstddef>
#include <iostream>
#include <string>

struct Stats {
  std::size_t lines = 0, bytes = 0, longest = 0;
  std::string sample;

  void add(const std::string& l) {
    ++lines;
    bytes += l.size() + 1;
    if (l.size() > longest) {
      longest = l.size();
      sample = l;
    }
  }
};

int main() {
  Stats st;
  for (std::string l; std::getline(std::cin, l);) st.add(l);
  std::cout << st.lines << " lines, " << st.bytes << " bytes\n"
            << "longest (" << st.longest << "): " << st.sample << "\n";
  return 0;
}
