#include <cstddef>
#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  const nullptr_t none = nullptr;
  cout << nullptr << '\n' << setw(12) << none << '|' << NULL << '\n';
  cout << left << setw(9) << nullptr << static_cast<const void*>(nullptr) << endl;
}
