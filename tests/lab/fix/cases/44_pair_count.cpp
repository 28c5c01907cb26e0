#include <bits/stdc++.h>
using namespace std;

vector<int> readNumbers() {
  string all;
  vector<char> buf(1 << 17);
  size_t k;
  while ((k = fread(buf.data(), 1, buf.size(), stdin)) > 0) all.append(buf.data(), k);
  vector<int> v;
  char* p = all.data();
  while (*p) {
    v.push_back(strtol(p, &p, 10));
    while (*p == '\n') p++;
  }
  return v;
}

int main() {
  auto a = readNumbers();
  long long pairs = 0;
  for (int target : {0, 1000}) {
    unordered_map<int, int> seen;
    seen.reserve(a.size());
    for (int x : a) {
      auto it = seen.find(target - x);
      if (it != seen.end()) pairs += it->second;
      seen[x]++;
    }
    cout << "target " << target << ": " << pairs << " pairs so far" << endl;
  }
}
