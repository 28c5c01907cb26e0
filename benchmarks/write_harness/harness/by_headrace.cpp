// The contenders under headrace/bench.hpp: FILE BYTES REPORT SHARED_OBJECT... Several are compared with the first.
#include <headrace/bench.hpp>

#include <exception>

#include "contender.hpp"

int main(int count, char** words) {
  const in_process::answer_channel answers;
  arguments given = read_arguments(count, words, answers);
  std::vector<in_process::measurement> found;
  try {
    headrace::bench suite{"write " + std::to_string(given.size) + " bytes"};
    suite.batch(static_cast<double>(given.size), "byte").baseline(given.contenders.front().name);
    for (contender& one : given.contenders) {
      one.meter = {};
      const auto& row = suite.run(one.name, [&] { return given.call(one); });
      found.push_back({one.name, row.median, one.meter.a_call()});
    }
    if (given.contenders.size() > 1) suite.compare();
    in_process::write_report(given.report, "bench.hpp", found, suite.json());
  } catch (const std::exception& error) {
    in_process::stop(error.what());
  }
  std::remove(given.file);
}
