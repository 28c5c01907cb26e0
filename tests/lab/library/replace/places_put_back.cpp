#include <iostream>

using namespace std;

void show(const char* what) {
  cout << what << ' ' << cin.rdstate() << ' ';
  cin.clear();
  const int next = cin.get();
  cout << next << ' ' << cin.rdstate() << '\n';
  cin.clear();
}

int main() {
  cin.get();
  cin.get();
  cin.seekg(3);
  cin.unget();
  show("seek, unget");
  cin.clear();
  cin.seekg(5);
  cin.peek();
  cin.unget();
  show("seek, peek, unget");
  cin.seekg(4);
  cin.putback('z');
  show("seek, putback");
  show("and what follows");
  cin.seekg(0);
  cin.unget();
  show("at the start");
}
