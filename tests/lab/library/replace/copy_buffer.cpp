#include <iostream>

using namespace std;

int main() {
  cout << cin.rdbuf();
  cout << "end" << endl;
}
