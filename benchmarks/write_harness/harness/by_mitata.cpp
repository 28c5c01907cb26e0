// The contenders under mitata's C++ port. It takes functions without captures only, so the contenders stand in a
// table, and each row of it has a function of its own. It does not include all that it uses: <cstring> and <iomanip>
// come first here.
#include <cstring>
#include <iomanip>
#include <mitata.hpp>

#include "contender.hpp"

namespace {

constexpr std::size_t rows = 8;
arguments given;
long long written = 0;

template <std::size_t Row>
void call() {
  written = given.contenders[Row].write(given.file, given.size);
}

constexpr void (*calls[rows])() = {call<0>, call<1>, call<2>, call<3>, call<4>, call<5>, call<6>, call<7>};

}  // namespace

int main(int count, char** words) {
  given = read_arguments(count, words);
  if (given.contenders.size() > rows) stop("at most " + std::to_string(rows) + " shared objects at a time", 2);
  mitata::runner runner;
  runner.summary([&runner] {
    for (std::size_t i = 0; i < given.contenders.size(); ++i) runner.bench(given.contenders[i].name, calls[i]);
  });
  mitata::k_run how;
  how.colors = false;
  const auto stats = runner.run(how);
  std::vector<line> lines;
  for (const contender& one : given.contenders) {
    const auto found = stats.find(one.name);
    if (found == stats.end()) stop("mitata gave no figures for " + one.name, 1);
    lines.push_back({one.name, found->second.p50});
  }
  write_report(given.report, "mitata", lines);
  std::remove(given.file);
}
