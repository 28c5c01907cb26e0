// Runs a fuzz target over seed files, given one by one or as folders: what libFuzzer does with a corpus, without it.
#include "../tests/support/kernels.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

bool replay(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.string().c_str());
    return false;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return true;
}

}  // namespace

// False when HEADRACE_SIMD names a kernel that this machine cannot run; the library would take another.
bool runs_wanted_kernel() {
  const char* wish = std::getenv("HEADRACE_SIMD");
  const char* chosen = test::chosen_kernel_name();
  if (wish == nullptr || std::strcmp(wish, chosen) == 0) return true;
  std::printf("skipped: HEADRACE_SIMD=%s: this machine cannot run that kernel (it would run %s)\n", wish, chosen);
  return false;
}

int main(int count, char** arguments) {
  if (!runs_wanted_kernel()) return 77;  // CTest: skipped
  int seeds = 0;
  for (int i = 1; i < count; ++i) {
    std::vector<std::filesystem::path> paths{arguments[i]};
    if (std::filesystem::is_directory(arguments[i])) {
      const std::filesystem::directory_iterator folder(arguments[i]);
      paths.assign(begin(folder), end(folder));
    }
    for (const auto& path : paths) {
      if (!replay(path)) return 1;
      ++seeds;
    }
  }
  if (seeds == 0) {
    std::fprintf(stderr, "no seeds: give files or folders of them\n");
    return 1;
  }
  std::printf("%d seeds\n", seeds);
}
