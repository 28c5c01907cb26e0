// Copy b is a plugin, unloaded after each step where CLOSE is set.
#include <dlfcn.h>

#include <cstdio>

#include "steps.hpp"

extern "C" {
long a_sum(int);
void a_print(long);
long a_line();
}

namespace {

template <class Function>
Function* symbol(void* plugin, const char* name) {
  return reinterpret_cast<Function*>(dlsym(plugin, name));
}

void step_in_plugin(const char* step) {
  void* const plugin = dlopen("libb.so", RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::puts(dlerror());
    std::exit(3);
  }
  take_step(
      {symbol<long(int)>(plugin, "b_sum"), symbol<void(long)>(plugin, "b_print"), symbol<long()>(plugin, "b_line")},
      step);
  const char* const close = std::getenv("CLOSE");
  if (close != nullptr && *close != '\0') dlclose(plugin);
}

}  // namespace

int main(int count, char** words) {
  const copy_of_headrace a{a_sum, a_print, a_line};
  for (int i = 1; i < count; ++i) {
    if (words[i][0] == 'a') {
      take_step(a, words[i] + 1);
    } else {
      step_in_plugin(words[i] + 1);
    }
  }
}
