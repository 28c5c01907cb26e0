#include <iostream>
#include <string>

using namespace std;

int main() {
  string f;
  while (getline(cin, f, ',')) cout << '<' << f << '>' << endl;
}
