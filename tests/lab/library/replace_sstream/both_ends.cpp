#include <iostream>
#include <sstream>
#include <string>

using namespace std;

int main() {
  stringstream queue;
  int x, sum = 0;
  for (int i = 0; i < 50; ++i) {
    queue << i << ' ';
    if (i % 3 == 0 && queue >> x) sum += x;
  }
  while (queue >> x) sum += x;
  cout << sum << queue.rdstate() << '\n';
  queue.clear();
  queue << "12";
  queue >> x;
  cout << x << queue.eof() << '\n';
  queue.clear();
  queue << "34";
  queue >> x;
  cout << x << queue.eof() << queue.tellg() << queue.tellp() << '\n';
  queue.clear();
  queue.seekg(0);
  queue >> x;
  cout << x << '\n';
  queue.seekp(0);
  queue << "changed";
  cout << queue.str() << '\n';
}
