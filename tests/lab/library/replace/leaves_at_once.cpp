#include <iostream>
#include <unistd.h>

using namespace std;

int main() {
  int n = 0;
  cin >> n;
  cout << "said " << n << endl;
  cout << "not said";
  _exit(4);
}
