#include <fstream>

int main() {
#if TELLP
  long long last = 0;
#endif
  std::ofstream out("/dev/stdout");
  for (int i = 0; i < 7064580; ++i) {
    out << "hello! " << i << '\n';
#if TELLP
    last = out.tellp();
#endif
  }
#if TELLP
  return last == 0;
#endif
}
