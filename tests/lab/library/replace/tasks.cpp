#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

using namespace std;

// ---- ask_again
int main() {
  int n = 0;
  for (int t = 0; t < 20; ++t) {
    cout << "A number: ";
    if (cin >> n) {
      cout << "got " << n << "\n";
      continue;
    }
    if (cin.eof()) {
      cout << "eof\n";
      break;
    }
    cin.clear();
    cin.ignore(numeric_limits<streamsize>::max(), '\n');
    cout << "again\n";
  }
}

// ---- calculator
int main() {
  double a, b;
  char op;
  while (cin >> a >> op >> b) {
    cout << a << op << b << " = ";
    switch (op) {
      case '+':
        cout << a + b;
        break;
      case '-':
        cout << a - b;
        break;
      case '*':
        cout << a * b;
        break;
      default:
        cout << "?";
    }
    cout << endl;
  }
  cout << "done" << endl;
}

// ---- dates
int main() {
  int d, m, y;
  char s, t;
  while (cin >> d >> s >> m >> t >> y)
    cout << setfill('0') << setw(4) << y << '-' << setw(2) << m << '-' << setw(2) << d << setfill(' ') << endl;
  cout << (cin.eof() ? "end" : "bad") << endl;
}

// ---- fast_sum
int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  unsigned u = 3;
  unsigned long long s = 0;
  while (cin >> u) s += u;
  cout << s << ' ' << u << "\n";
}

// ---- graph
int main() {
  std::ios::sync_with_stdio(false);
  int n = 3, m = 3;
  std::cin >> n >> m;
  n = std::min(std::abs(n), 100) + 1;
  std::vector<std::vector<int>> g(n);
  for (int a, b; std::cin >> a >> b;) g[unsigned(a) % n].push_back(b);
  for (int i = 0; i < n; ++i) {
    std::cout << i << ":";
    for (int x : g[i]) std::cout << " " << x;
    std::cout << std::endl;
  }
}

// ---- matrix
int main() {
  int n, m;
  if (!(cin >> n >> m)) return 1;
  n = min(abs(n), 20);
  m = min(abs(m), 20);
  vector<vector<int>> a(n, vector<int>(m));
  for (auto& r : a)
    for (auto& x : r) cin >> x;
  for (auto& r : a) {
    for (int x : r) cout << setw(8) << x;
    cout << endl;
  }
}

// ---- menu
int main() {
  int choice = -1;
  double balance = 100;
  while (true) {
    cout << "1 deposit, 2 withdraw, 0 leave: ";
    if (!(cin >> choice)) {
      cout << "\nno choice\n";
      break;
    }
    if (choice == 0) break;
    double x;
    cout << "How much? ";
    if (!(cin >> x)) {
      cin.clear();
      string junk;
      cin >> junk;
      cout << "not " << junk << endl;
      continue;
    }
    balance += choice == 1 ? x : -x;
    cout << "Balance: " << fixed << setprecision(2) << balance << endl;
  }
  cout << "Bye" << endl;
}

// ---- prefix_sums
int main() {
  ios_base::sync_with_stdio(0);
  cin.tie(0);
  cout.tie(0);
  int n, q;
  if (!(cin >> n >> q)) return 0;
  n = min(abs(n), 1000);
  vector<long long> p(size_t(n) + 1);
  for (int i = 0; i < n; ++i) {
    int x = 3;
    cin >> x;
    p[size_t(i) + 1] = p[size_t(i)] + x;
  }
  for (int i = 0; i <= n; ++i) cout << p[size_t(i)] << " \n"[i == n];
}

// ---- sum
int main() {
  int n = 0;
  cin >> n;
  long long s = 0;
  for (int i = 0, x; i < n && cin >> x; ++i) s += x;
  cout << s << endl;
}

// ---- sum_all
int main() {
  long long s = 0, x = 3;
  while (cin >> x) s += x;
  cout << s << '\n' << cin.eof() << cin.fail() << cin.bad() << x << '\n';
}
