#include <iostream>
#include <sys/wait.h>
#include <unistd.h>

using namespace std;

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
