#include <iostream>
#include <string>

using namespace std;

int main() {
  int n = 7;
  string name;
  cin >> n;
  cin.ignore();
  getline(cin, name);
  cout << n << " [" << name << "]\n";
  getline(cin >> ws, name);
  cout << "[" << name << "]" << endl;
}
