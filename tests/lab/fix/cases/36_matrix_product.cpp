#include <iostream>
#include <vector>

template <class T>
class Matrix {
  int n_;
  std::vector<T> d_;

 public:
  explicit Matrix(int n) : n_(n), d_(static_cast<size_t>(n) * n) {}
  T& at(int r, int c) { return d_[static_cast<size_t>(r) * n_ + c]; }
  const T& at(int r, int c) const { return d_[static_cast<size_t>(r) * n_ + c]; }
  int size() const { return n_; }
};

template <class T>
Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> r(a.size());
  for (int i = 0; i < a.size(); ++i)
    for (int j = 0; j < a.size(); ++j) {
      T s{};
      for (int k = 0; k < a.size(); ++k) s += a.at(i, k) * b.at(k, j);
      r.at(i, j) = s;
    }
  return r;
}

int main() {
  const int n = 600;
  Matrix<double> a(n), b(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a.at(i, j) = (i * 31 + j * 17) % 101;
      b.at(i, j) = (i * 7 + j * 13) % 97;
    }
  auto c = a * b;
  for (int i = 0; i < n; i += 50) std::cout << c.at(i, n - 1 - i) << std::endl;
}
