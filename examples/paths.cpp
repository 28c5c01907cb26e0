// A contest task: a graph without cycles, n nodes and m edges "from to weight" with from < to. Print the sum over all
// paths from 1 to n of the product of their weights, modulo 998244353.
//
// The modular integer is a type of our own: headrace::io teaches the reader and the writer what it is.
#include <headrace/headrace.hpp>

#include <utility>
#include <vector>

using headrace::in, headrace::out;

class modular {
 public:
  static constexpr long long modulus = 998'244'353;
  constexpr modular(long long value = 0) : residue_((value % modulus + modulus) % modulus) {}
  constexpr long long residue() const { return residue_; }
  friend constexpr modular operator+(modular a, modular b) { return a.residue_ + b.residue_; }
  friend constexpr modular operator*(modular a, modular b) { return a.residue_ * b.residue_; }

 private:
  long long residue_;
};

template <>
struct headrace::io<modular> {
  static void read(reader& source, modular& value) { value = source.read<long long>(); }
  static void write(writer& sink, modular value) { sink << value.residue(); }
};

int main() {
  const auto [nodes, edges] = in.read<std::pair<std::size_t, std::size_t>>();
  std::vector<std::vector<std::pair<std::size_t, modular>>> leads_to(nodes + 1);
  for (std::size_t i = 0; i < edges; ++i) {
    std::size_t from = 0, to = 0;
    modular weight;
    in >> from >> to >> weight;
    leads_to.at(from).emplace_back(to, weight);
  }
  std::vector<modular> paths(nodes + 1);
  paths.at(1) = 1;
  for (std::size_t node = 1; node <= nodes; ++node) {
    for (const auto& [to, weight] : leads_to[node]) paths.at(to) = paths.at(to) + paths[node] * weight;
  }
  out << paths[nodes] << '\n';
}
