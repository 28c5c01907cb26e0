// The contenders under headrace/bench.hpp. REPORT ends in .json, .csv or .md.
#include <headrace/bench.hpp>

#include <exception>

#include "contender.hpp"

int main(int count, char** words) {
  const arguments given = read_arguments(count, words);
  try {
    headrace::bench suite{"write " + std::to_string(given.size) + " bytes"};
    suite.batch(static_cast<double>(given.size), "byte").baseline(given.contenders.front().name);
    for (const contender& one : given.contenders)
      suite.run(one.name, [&] { return one.write(given.file, given.size); });
    if (given.contenders.size() > 1) suite.compare();
    suite.save(given.report);
  } catch (const std::exception& error) {
    stop(error.what(), 2);
  }
  std::remove(given.file);
}
