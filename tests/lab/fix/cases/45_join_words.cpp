#include <iostream>
#include <string>
using namespace std;

int main() {
  string result = "";
  string w;
  int n = 0;
  while (n < 14000 && cin >> w) {
    result = result + w + ",";
    n++;
  }
  cout << result.substr(0, 60) << "..." << endl;
  cout << result.length() << endl;
  return 0;
}
