// headrace/detail/descriptor_text.hpp: what messages call a descriptor, wherever it is reported. Not for users.
#pragma once

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// "<stdin>", "<stdout>", "<stderr>" or "<descriptor 5>", without memory of its own.
struct descriptor_text {
  constexpr descriptor_text() noexcept = default;
  constexpr explicit descriptor_text(int descriptor) noexcept {
    constexpr const char* standard[] = {"<stdin>", "<stdout>", "<stderr>"};
    if (descriptor >= 0 && descriptor < 3) {
      append(standard[descriptor]);
      return;
    }
    append(descriptor < 0 ? "<descriptor -" : "<descriptor ");
    const auto bits = static_cast<unsigned>(descriptor);
    char digits[10] = {};
    int count = 0;
    for (unsigned rest = descriptor < 0 ? 0 - bits : bits; count == 0 || rest != 0; rest /= 10) {
      digits[count++] = static_cast<char>('0' + rest % 10);
    }
    while (count != 0) text[size++] = digits[--count];
    append(">");
  }

  char text[28] = {};
  int size = 0;  // without the zero at its end

 private:
  constexpr void append(const char* from) noexcept {
    while (*from != '\0') text[size++] = *from++;
  }
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
