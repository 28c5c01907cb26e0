// headrace/detail/pull.hpp: how a reader reaches an object that gives bytes, whatever its type. Not for users:
// ../reader.hpp says what such an object has to offer.
#pragma once

#include <cerrno>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "errors.hpp"
#include "file.hpp"
#include "writer_sink.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Asks an object for bytes. transfer.error is an errno value, or a status below 0.
using pull_function = transfer (*)(void* object, char* to, std::size_t size) noexcept;

template <class Source, class = void>
constexpr bool has_read = false;
template <class Source>
constexpr bool has_read<
    Source, std::void_t<decltype(std::declval<Source&>().read(std::declval<char*>(), std::declval<std::size_t>()))>> =
    true;

// Standard streams have a read() of another meaning.
template <class Source, class = void>
constexpr bool is_source = has_read<Source> || std::is_invocable_v<Source&, char*, std::size_t>;
template <class Source>
constexpr bool is_source<Source, std::void_t<decltype(std::declval<Source&>().rdbuf())>> = false;

// A source at its end, for one that is refused: of that one sentence is enough.
struct nothing {
  std::size_t read(char*, std::size_t) noexcept { return 0; }
};

// One call of the object. Returns errno, or 0 and in `got` how many bytes it says that it gave.
template <class Source>
int ask(Source& source, char* to, std::size_t size, std::size_t& got) {
  const auto call = [&] {
    if constexpr (has_read<Source>) {
      return source.read(to, size);
    } else {
      return source(to, size);
    }
  };
  using answer = decltype(call());
  static_assert(std::is_integral_v<answer> && !std::is_same_v<answer, bool>,
                "headrace: read() of a source returns the number of bytes that it gave, 0 at the end");
  if constexpr (std::is_integral_v<answer>) {
    errno = 0;
    const answer count = call();
    if constexpr (std::is_signed_v<answer>) {
      if (count < 0) return errno != 0 ? errno : EIO;
    }
    got = static_cast<std::size_t>(count);
  }
  return 0;
}

template <class Source>
transfer pull_from(void* object, char* to, std::size_t size) noexcept {
  const char* thrown = nullptr;
  std::size_t got = 0;
  const int error = error_of([&] { return ask(*static_cast<Source*>(object), to, size, got); }, thrown, "");
  if (thrown != nullptr) return {0, static_cast<int>(status::threw)};
  if (error == 0 && got > size) return {0, static_cast<int>(status::overran)};
  return {got, error};
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
