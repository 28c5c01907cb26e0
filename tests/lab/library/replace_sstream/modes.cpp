#include <iostream>
#include <sstream>
#include <string>

using namespace std;

int main() {
  ostringstream end("begin", ios::ate);
  end << " end";
  cout << end.str() << '\n';
  ostringstream start("begin");
  start << "END";
  cout << start.str() << '\n';
  stringstream only_in("12 13", stringstream::in);
  int x = 0;
  only_in >> x;
  only_in << "lost";
  cout << x << only_in.rdstate() << only_in.str() << '\n';
  stringstream added("7 ", ios::in | ios::out | ios::app);
  added << 8;
  int y = 0;
  added >> x >> y;
  cout << x << y << added.eof() << '\n';
  stringstream empty;
  empty >> x;
  cout << x << empty.rdstate() << '\n';
  string s = "x";
  if (!(empty >> s)) cout << "nothing" << s << '\n';
  ostringstream written;
  written.write("a\0b", 3).put('c') << 'd' << '\0' << flush;
  cout << written.str().size() << written.good() << '\n';
  const char* none = "text";
  written.str({});
  written << none << static_cast<const void*>(nullptr) << static_cast<signed char>('s');
  cout << written.str() << '\n';
}
