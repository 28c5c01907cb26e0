// The distance from node 0 to each node of a directed graph, by E. W. Dijkstra (1959).
//
// Input:  n m; m triples: from, to, length
// Output: n lines: the distance, or -1
#include <headrace/headrace.hpp>
#include <functional>
#include <queue>
#include <utility>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n, m;
  in >> n >> m;
  std::vector<std::vector<std::pair<int, long long>>> edges(n);
  for (int from, to, length; m-- > 0;) {
    in >> from >> to >> length;
    edges[from].push_back({to, length});
  }
  std::vector<long long> distance(n, -1);
  using entry = std::pair<long long, int>;
  std::priority_queue<entry, std::vector<entry>, std::greater<entry>> waiting;
  waiting.push({0, 0});
  while (!waiting.empty()) {
    auto [so_far, node] = waiting.top();
    waiting.pop();
    if (distance[node] >= 0) continue;
    distance[node] = so_far;
    for (auto [to, length] : edges[node]) waiting.push({so_far + length, to});
  }
  for (long long length : distance) out << length << '\n';
}
