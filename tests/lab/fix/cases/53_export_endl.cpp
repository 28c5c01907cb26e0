#include <fstream>
#include <iostream>
#include <string>
using namespace std;

int main() {
  ios::sync_with_stdio(false);
  ofstream evens("evens.txt"), odds("odds.txt");
  if (!evens || !odds) {
    cerr << "cannot write" << endl;
    return 1;
  }
  int x, n = 0;
  while (n < 320000 && cin >> x) {
    n++;
    if (x % 2 == 0) evens << x << endl;
    else odds << x << endl;
  }
  evens.close();
  odds.close();
  cout << n << " numbers distributed" << endl;
  return 0;
}
