// The "one billion rows" task: a file of "station;temperature" lines; of each station the lowest, the mean and the
// highest temperature, on all cores. The program first makes the file, so that it knows the answer, and checks it.
//
//     g++ -std=c++17 -O2 -pthread -I include examples/one_billion_rows.cpp -o rows
//     ./rows                      10 million rows (130 MB) in the folder for temporary files
//     ./rows 1000000000 8         a billion (13 GB), on 8 threads
#include <headrace/headrace.hpp>
#include <headrace/split.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

// Temperatures in tenths of a degree: their sums are exact.
struct summary {
  long long count = 0, sum = 0;
  int lowest = 1000, highest = -1000;

  void add(int tenths) {
    ++count;
    sum += tenths;
    if (tenths < lowest) lowest = tenths;
    if (tenths > highest) highest = tenths;
  }
  void add(const summary& other) {
    count += other.count;
    sum += other.sum;
    if (other.lowest < lowest) lowest = other.lowest;
    if (other.highest > highest) highest = other.highest;
  }
  bool operator==(const summary& other) const {
    return count == other.count && sum == other.sum && lowest == other.lowest && highest == other.highest;
  }
};

// std::less<> finds a string_view without making a string of it.
using summaries = std::map<std::string, summary, std::less<>>;

void add_line(summaries& all, std::string_view line) {
  const std::size_t semicolon = line.find(';');
  const std::string_view station = line.substr(0, semicolon);
  int tenths = 0;
  for (const char digit : line.substr(semicolon + 1)) {
    if (digit >= '0' && digit <= '9') tenths = tenths * 10 + (digit - '0');
  }
  if (line[semicolon + 1] == '-') tenths = -tenths;
  auto place = all.find(station);
  if (place == all.end()) place = all.emplace(station, summary()).first;
  place->second.add(tenths);
}

summaries make_file(const std::string& path, long long rows) {
  summaries made;
  headrace::writer to(path);
  std::uint64_t state = 1;
  for (long long i = 0; i < rows; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const std::string station = "town" + std::to_string(state >> 56);
    const int tenths = static_cast<int>((state >> 32) % 1000) - 300;
    const int size = tenths < 0 ? -tenths : tenths;
    made[station].add(tenths);
    to.print(station, tenths < 0 ? ";-" : ";", size / 10, '.', size % 10, '\n');
  }
  to.close();
  return made;
}

}  // namespace

int main(int count, char** words) {
  const long long rows = count > 1 ? std::atoll(words[1]) : 10000000;
  const headrace::threads on{count > 2 ? static_cast<unsigned>(std::atoi(words[2])) : 0};
  const std::string name = "headrace_one_billion_rows_" + std::to_string(std::random_device()());  // of this run alone
  const auto folder = std::filesystem::temp_directory_path() / name;
  if (!std::filesystem::create_directory(folder)) throw std::runtime_error(folder.string() + " is there already");
  const std::string path = (folder / "measurements.txt").string();

  const summaries made = make_file(path, rows);
  const summaries read =
      headrace::for_each_line(path, on, summaries(), add_line, [](summaries& into, const summaries& next) {
        for (const auto& [station, found] : next) into[station].add(found);
      });
  std::filesystem::remove_all(folder);

  for (const char* const station : {"town7", "town42"}) {
    const auto found = read.find(station);
    if (found == read.end()) continue;
    const summary& of = found->second;
    const double mean = static_cast<double>(of.sum) / static_cast<double>(of.count) / 10;
    headrace::out.println(station, ' ', of.lowest / 10.0, ' ', headrace::fixed(mean, 1), ' ', of.highest / 10.0);
  }
  const bool right = read == made;
  headrace::out.println(read.size(), " stations, ", right ? "as they were made" : "which is wrong");
  return right ? 0 : 1;
}
