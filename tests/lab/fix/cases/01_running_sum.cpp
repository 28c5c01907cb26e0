#include <iostream>
using namespace std;

// prints the running sum after each number
int main() {
  ios_base::sync_with_stdio(false);
  long long total = 0;
  int x;
  int step = 0;
  while (cin >> x) {
    total += x;
    ++step;
    cout << step << ": " << total << "\n";
  }
  cout << "done\n";
  return 0;
}
