#include <cstdlib>
#include <fstream>
#include <iostream>
using namespace std;

ofstream trace_("trace.txt");

#define TRACE(msg) trace_ << __func__ << ": " << msg << endl

long balance = 1000000;

void withdraw(long amount) {
  TRACE("amount " << amount << " balance " << balance);
  balance -= amount;
}

void check() {
  if (balance < 0) {
    TRACE("negative balance " << balance);
    cout << "inconsistent" << endl;
    abort();
  }
}

int main() {
  for (int i = 0; i < 2000000; i++) {
    withdraw(i % 9);
    check();
  }
  return 0;
}
