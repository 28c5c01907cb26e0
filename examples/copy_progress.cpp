// Copies a file, shows on stderr how far it is, and says what went wrong:
//
//     copy_progress FROM TO
#include <headrace/headrace.hpp>

#include <cstdio>
#include <exception>

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: copy_progress FROM TO\n");
    return 2;
  }
  headrace::copy_options options;
  options.on_progress = [](std::uint64_t copied, void*) {
    std::fprintf(stderr, "%llu MiB\r", static_cast<unsigned long long>(copied >> 20));
    return true;  // false would end the copy here
  };
  try {
    const std::uint64_t copied = headrace::copy(arguments[1], arguments[2], options);
    headrace::out.println(copied, " bytes");
  } catch (const std::exception& error) {  // input_error or output_error: either names its file
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
