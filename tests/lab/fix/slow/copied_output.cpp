// causes: string copies; input: nothing; flags: -O2
#include <cstdio>
#include <string>

using namespace std;

int main() {
  string s;
  for (int i = 0; i < 60000; ++i) s = s + to_string(i);
  printf("%s\n", s.c_str());
}
