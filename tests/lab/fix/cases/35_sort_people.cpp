#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>
using namespace std;

struct Person {
  string name;
  int age;
  double score;
  bool operator<(const Person& o) const {
    if (age != o.age) return age < o.age;
    if (name != o.name) return name < o.name;
    return score > o.score;
  }
};

string randomName(mt19937& g) {
  string s;
  int n = 4 + g() % 8;
  for (int i = 0; i < n; i++) s += char('a' + g() % 26);
  return s;
}

int main() {
  mt19937 g(4711);
  vector<Person> people;
  for (int i = 0; i < 250000; i++) people.push_back({randomName(g), int(g() % 90), (g() % 10000) / 100.0});
  sort(people.begin(), people.end());
  for (int i = 0; i < 10; i++) cout << people[i].name << " " << people[i].age << " " << people[i].score << endl;
  nth_element(people.begin(), people.begin() + 1000, people.end(),
              [](const Person& a, const Person& b) { return a.score < b.score; });
  cout << people[1000].score << endl;
}
