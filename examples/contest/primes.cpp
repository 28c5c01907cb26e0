// All primes below a number, by the sieve of Eratosthenes: little input, much output.
//
// Input:  n
// Output: the primes below n, a line each
#include <headrace/headrace.hpp>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n;
  in >> n;
  std::vector<bool> composite(n);
  for (long long p = 2; p < n; ++p) {
    if (composite[p]) continue;
    out << p << '\n';
    for (long long multiple = p * p; multiple < n; multiple += p) composite[multiple] = true;
  }
}
