#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

int main() {
  string line;
  while (getline(cin, line)) {
    vector<string> fields;
    string field;
    stringstream from(line);
    while (getline(from, field, ',')) fields.push_back(field);
    cout << fields.size() << from.rdstate();
    for (const string& one : fields) cout << '[' << one.substr(0, 50) << ']';
    cout << '\n';
  }
}
