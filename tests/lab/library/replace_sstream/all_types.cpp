#include <iostream>
#include <sstream>
#include <string>

using namespace std;

template <class T>
void read_as(const string& token, const char* name) {
  stringstream from(token);
  T value{};
  from >> value;
  cout << name << ' ' << +value << ' ' << from.rdstate() << ' ' << from.tellg() << '\n';
}

int main() {
  string token;
  while (cin >> token) {
    if (token.size() > 200) token.resize(200);
    read_as<short>(token, "short");
    read_as<unsigned short>(token, "unsigned short");
    read_as<int>(token, "int");
    read_as<unsigned>(token, "unsigned");
    read_as<long>(token, "long");
    read_as<unsigned long long>(token, "unsigned long long");
    read_as<float>(token, "float");
    read_as<double>(token, "double");
    read_as<bool>(token, "bool");
    read_as<char>(token, "char");
    read_as<unsigned char>(token, "unsigned char");
  }
}
