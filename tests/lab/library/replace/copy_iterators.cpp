#include <algorithm>
#include <iostream>
#include <iterator>

using namespace std;

int main() {
  copy(istreambuf_iterator<char>(cin), istreambuf_iterator<char>(), ostreambuf_iterator<char>(cout));
  cout << "end" << endl;
}
