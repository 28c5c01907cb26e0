#include <iostream>
#include <vector>
#include <numeric>
#include <algorithm>
using namespace std;

int main() {
  vector<long long> nums;
  long long x;
  while (cin >> x) nums.push_back(x);
  if (nums.empty()) {
    cout << "no numbers" << endl;
    return 0;
  }
  long long s = accumulate(nums.begin(), nums.end(), 0LL);
  auto mm = minmax_element(nums.begin(), nums.end());
  cout << "count " << nums.size() << endl;
  cout << "sum " << s << endl;
  cout << "mean " << s / (long long)nums.size() << endl;
  cout << "min " << *mm.first << " max " << *mm.second << endl;
}
