// causes: flush per line; input: nothing; flags: -O2
#include <fstream>

using namespace std;

int main() {
  ofstream out("/dev/stdout");
  for (int i = 0; i < 300000; ++i) out << i << endl;
}
