#include <iostream>
using namespace std;

class Caesar {
  int k;

 public:
  Caesar(int shift) : k(shift) {}
  char enc(char c) const {
    if (c >= 'a' && c <= 'z') return 'a' + (c - 'a' + k) % 26;
    return c;
  }
};

int main() {
  ios::sync_with_stdio(false);
  cin.tie(0);
  Caesar cs(13);
  char ch;
  while (cin.get(ch)) {
    cout.put(cs.enc(ch));
  }
  return 0;
}
