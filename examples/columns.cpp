// Reads CSV with a header from standard input and writes the number and the mean price of each kind as CSV.
#include <headrace/columns.hpp>

#include <cstdio>
#include <map>
#include <optional>
#include <string>

struct item {
  std::string kind;
  std::optional<double> price;  // not all of them have one
};

struct prices {
  long count = 0;
  double sum = 0;
};

int main() {
  try {
    std::map<std::string, prices> kinds;
    for (const item& next : headrace::in.rows<item>(headrace::csv.with_header("kind", "price"))) {
      if (!next.price) continue;
      prices& seen = kinds[next.kind];
      ++seen.count;
      seen.sum += *next.price;
    }
    headrace::out.write_row(headrace::csv, "kind", "count", "mean");
    for (const auto& [kind, seen] : kinds) {
      headrace::out.write_row(headrace::csv, kind, seen.count, seen.sum / static_cast<double>(seen.count));
    }
  } catch (const headrace::input_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
