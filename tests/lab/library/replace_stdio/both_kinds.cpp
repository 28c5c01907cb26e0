#include <cstdio>
#include <iostream>
#include <string>

using namespace std;

int main() {
  int x = 0;
  string word;
  cout << "How many? ";
  while (scanf("%d", &x) == 1) {
    cout << x << ' ';
    printf("(%d)", x * 2);
    cin >> word;
    cout << word << endl;
    puts("next");
  }
  cout << cin.eof() << feof(stdin) << '\n';
}
