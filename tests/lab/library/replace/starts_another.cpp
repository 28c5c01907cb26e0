#include <cstdlib>
#include <iostream>

using namespace std;

int main() {
  int n = 0;
  cin >> n;
  cout << "before " << n << endl;
  int r = system("echo between");
  cout << "after " << r << endl;
}
