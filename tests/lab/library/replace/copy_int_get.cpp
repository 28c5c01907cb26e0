#include <cstdio>
#include <iostream>

using namespace std;

int main() {
  int c;
  while ((c = cin.get()) != EOF) cout.put(static_cast<char>(c));
  cout << cin.gcount() << '\n';
}
