// causes: flush per line; input: nothing; flags: -O2
#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  for (int i = 0; i < 200000; ++i) cout << setw(8) << i << setw(8) << i % 100 << std::endl;
}
