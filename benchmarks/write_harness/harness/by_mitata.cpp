// The contenders under mitata's C++ port: FILE BYTES REPORT SHARED_OBJECT... It takes functions without captures only,
// so the contenders are in a table, and each row of it has a function of its own. It does not include all that it
// uses: <cstring> and <iomanip> come first here.
#include <cstring>
#include <iomanip>
#include <mitata.hpp>

#include "contender.hpp"

namespace {

constexpr std::size_t rows = 8;
arguments given;
volatile long long written = 0;

template <std::size_t Row>
void call() {
  written = given.call(given.contenders[Row]);
}

constexpr void (*calls[rows])() = {call<0>, call<1>, call<2>, call<3>, call<4>, call<5>, call<6>, call<7>};

}  // namespace

int main(int count, char** words) {
  const in_process::answer_channel answers;
  given = read_arguments(count, words, answers);
  if (given.contenders.size() > rows) in_process::stop("at most " + std::to_string(rows) + " shared objects at a time");
  mitata::k_run how;
  how.colors = false;
  std::vector<in_process::measurement> found;
  for (std::size_t i = 0; i < given.contenders.size(); ++i) {
    contender& one = given.contenders[i];
    mitata::runner runner;
    runner.bench(one.name, calls[i]);
    one.meter = {};
    const auto stats = runner.run(how);
    const auto place = stats.find(one.name);
    if (place == stats.end()) in_process::stop("mitata gave no figures for " + one.name);
    found.push_back({one.name, place->second.p50, one.meter.a_call()});
  }
  in_process::write_report(given.report, "mitata", found);
  std::remove(given.file);
}
