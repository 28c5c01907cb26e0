#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

std::string exec(const std::string& cmd) {
  std::array<char, 128> buffer;
  std::string result;
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(cmd.c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("popen() failed!");
  while (fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) result += buffer.data();
  return result;
}

int main() {
  long sum = 0;
  for (int i = 1; i <= 120; ++i) {
    std::string r = exec("echo $((" + std::to_string(i) + " * " + std::to_string(i + 3) + "))");
    sum += std::stol(r);
    std::printf("%d %s", i, r.c_str());
  }
  std::printf("sum %ld\n", sum);
}
