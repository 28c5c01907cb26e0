#include <iostream>
#include <string>

using namespace std;

void step_back(const char* what) {
  cout << what << ' ' << cin.rdstate() << ' ' << cin.gcount() << ' ';
  cin.clear();
  cin.unget();
  cout << cin.rdstate() << ' ';
  cin.clear();
  cout << cin.get() << ' ' << cin.rdstate() << '\n';
  cin.clear();
}

int main() {
  while (cin.get() != EOF) {}
  step_back("get");
  while (cin.get() != EOF) {}
  cin.clear();
  cin.putback('q');
  step_back("putback");
  cin.peek();
  step_back("peek");
  char block[100];
  cin.putback('r');
  cin.putback('s');
  cin.read(block, 100);
  step_back("read");
  cin.read(block, 100);
  step_back("read of nothing");
  string word;
  cin >> word;
  step_back("word");
}
