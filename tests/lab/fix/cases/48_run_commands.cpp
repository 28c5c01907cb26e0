#include <cstdlib>
#include <iostream>
#include <string>
using namespace std;

int run(const string& cmd) {
  int rc = system(cmd.c_str());
  return rc;
}

int main() {
  int ok = 0, failed = 0;
  for (int i = 0; i < 150; i++) {
    string cmd = "test " + to_string(i * i % 11) + " -lt 5";
    if (run(cmd) == 0) ok++;
    else failed++;
  }
  cout << ok << " ok, " << failed << " failed" << endl;
}
