#include <ios>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

using namespace std;

static_assert(is_same_v<stringstream::allocator_type, allocator<char>>);

int called = 0;
void count_call(ios_base::event, ios_base&, int) { ++called; }

int main() {
  ostringstream to;
  const int place = ios_base::xalloc();
  to.iword(place) = 7;
  to.pword(place) = &called;
  to.register_callback(count_call, place);
  cout << to.iword(place) << (to.pword(place) == &called) << to.widen('x') << to.narrow('y', '?') << '\n';
  to.tie(&cout);
  cout << (to.tie() == &cout) << '\n';
  {
    ostringstream next;
    cout << next.iword(place) << (next.tie() == nullptr) << '\n';
  }
  ostringstream&& written = std::move(to) << 1 << "two" << 3.5;
  istringstream from("4 five");
  int number = 0;
  string word;
  istringstream&& read = std::move(from) >> number >> word;
  cout << written.str() << number << word << read.eof() << called << '\n';
  cout << (ostringstream() << "short " << 6).str() << '\n';
#if __cplusplus > 201703L
  const allocator<char> usual;
  istringstream made(string("8 9"), usual);
  cout << made.view() << made.str(usual) << '\n';
#endif
}
