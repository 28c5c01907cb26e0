#include <fstream>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

// stores the input in a file and builds an index of offsets; then reads every record back
int main() {
  ios::sync_with_stdio(false);
  fstream f("records.dat", ios::in | ios::out | ios::trunc | ios::binary);
  vector<streampos> index;
  string w;
  while (index.size() < 150000 && cin >> w) {
    index.push_back(f.tellp());
    f << w << '\n';
  }
  f.flush();
  unsigned long h = 5381;
  for (size_t i = 0; i < index.size(); i++) {
    f.seekg(index[i]);
    getline(f, w);
    for (char c : w) h = h * 33 + (unsigned char)c;
  }
  cout << index.size() << " records, hash " << h << "\n";
  return 0;
}
