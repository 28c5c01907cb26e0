#include <cstdio>
#include <thread>

using namespace std;

int main() {
  int x = 0;
  scanf("%d", &x);
  printf("before %d\n", x);
  thread other([&] {
    for (int i = 0; i < 1000; ++i) printf("%d from the other\n", i);
    scanf("%d", &x);
  });
  other.join();
  scanf("%d", &x);
  printf("after %d\n", x);
}
