#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace std;

// ---- converts_and_writes
struct modular {
  int v;
  operator int() const { return v; }
  friend ostream& operator<<(ostream& o, const modular& m) { return o << m.v << "m"; }
};
struct only_converts {
  operator double() const { return 2.5; }
};
struct named {
  operator string() const { return "never"; }
  friend ostream& operator<<(ostream& o, const named&) { return o << "named"; }
};
enum colour { red, green };
enum class shade : char { dark = 'd' };
int main() {
  cout << modular{5} << ' ' << only_converts{} << ' ' << named{} << ' ' << green << ' '
       << static_cast<char>(shade::dark) << endl;
  int n = 0;
  cin >> n;
  cout << modular{n} << endl;
}

// ---- forks
int main() {
  int n = 0;
  cin >> n;
  cout << "before " << n << endl;
  if (fork() == 0) {
    cout << "child" << endl;
    _exit(0);
  }
  int s;
  wait(&s);
  cout << "parent" << endl;
}

// ---- leaves_at_once
int main() {
  int n = 0;
  cin >> n;
  cout << "said " << n << endl;
  cout << "not said";
  _exit(4);
}

// ---- printed_between
int main() {
  int n = 0;
  while (cin >> n) {
    cout << n << ' ';
    printf("%d ", n);
    std::printf("%s\n", "x");
    cout << 1.5 << endl;
    putchar('.');
    fflush(stdout);
  }
  int c;
  while ((c = getchar()) != EOF) putchar(c);
}

// ---- scanned_and_printed
int main() {
  int n = 0;
  cout << "How many? ";
  while (scanf("%d", &n) == 1) {
    cout << n << ' ';
    printf("(%d)\n", n * 2);
  }
  cout << "done" << endl;
  puts("really");
}

// ---- starts_another
int main() {
  int n = 0;
  cin >> n;
  cout << "before " << n << endl;
  int r = system("echo between");
  cout << "after " << r << endl;
}

// ---- unsynced_and_printed
int main() {
  ios::sync_with_stdio(false);
  int n = 0;
  while (cin >> n) printf("%d\n", n);
  fprintf(stdout, "end\n");
}
