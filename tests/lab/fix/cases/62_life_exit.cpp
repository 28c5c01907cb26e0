#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include <unistd.h>
using namespace std;

using Board = vector<string>;

Board next(const Board& b) {
  int h = b.size(), w = b[0].size();
  Board r = b;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int n = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if ((dy || dx) && b[(y + dy + h) % h][(x + dx + w) % w] == '#') n++;
      r[y][x] = n == 3 || (n == 2 && b[y][x] == '#') ? '#' : '.';
    }
  return r;
}

int main() {
  Board b(100, string(160, '.'));
  unsigned s = 5;
  for (auto& row : b)
    for (auto& c : row) {
      s = s * 1664525u + 1013904223u;
      if (s >> 30 == 0) c = '#';
    }
  ofstream log("life.txt");
  for (int g = 0; g < 200; g++) {
    b = next(b);
    int alive = 0;
    for (auto& row : b)
      for (char c : row) alive += c == '#';
    log << "generation " << g << ": " << alive << endl;
  }
  for (auto& row : b) log << row << '\n';
  log.flush();
  cout << "done" << endl;
  _exit(0);
}
