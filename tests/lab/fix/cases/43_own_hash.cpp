#include <cstdint>
#include <cstdio>
#include <vector>
using namespace std;

struct HashTable {
  vector<uint64_t> key;
  vector<int> val;
  size_t used = 0;
  HashTable() : key(1024, 0), val(1024, 0) {}

  static uint64_t mix(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    return x;
  }
  int& operator[](uint64_t k) {
    if (used * 2 > key.size()) grow();
    size_t i = mix(k) & (key.size() - 1);
    while (key[i] && key[i] != k) i = (i + 1) & (key.size() - 1);
    if (!key[i]) {
      key[i] = k;
      ++used;
    }
    return val[i];
  }
  void grow() {
    vector<uint64_t> ok(key.size() * 2, 0);
    vector<int> ov(val.size() * 2, 0);
    ok.swap(key);
    ov.swap(val);
    used = 0;
    for (size_t i = 0; i < ok.size(); i++)
      if (ok[i]) (*this)[ok[i]] = ov[i];
  }
};

int main() {
  HashTable t;
  uint64_t s = 88172645463325252ULL;
  for (int i = 0; i < 4000000; i++) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    t[1 + s % 700000]++;
  }
  int best = 0;
  for (int v : t.val)
    if (v > best) best = v;
  printf("%zu keys, most frequent %d times\n", t.used, best);
}
