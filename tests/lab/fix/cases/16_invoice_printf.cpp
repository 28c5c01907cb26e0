#include <cstdio>
#include <cstdint>

struct Item {
  int no;
  const char* name;
  double price;
};

class Rng {
  uint32_t s = 12345;

 public:
  uint32_t next() {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
  }
};

static void printItem(const Item& it) {
  std::printf("%06d  %-10s %10.2f %08x\n", it.no, it.name, it.price, (unsigned)it.no * 2654435761u);
}

int main() {
  static const char* names[] = {"bolt", "nut", "washer", "screw", "plate", "gasket", "spring"};
  Rng r;
  double total = 0;
  for (int i = 0; i < 400000; ++i) {
    Item it{i, names[r.next() % 7], (r.next() % 100000) / 100.0};
    total += it.price;
    printItem(it);
  }
  std::printf("total %.2f\n", total);
}
