// headrace/detail/objects.hpp: how a reader reaches an object that gives bytes, and a writer one that takes them,
// whatever its type. Not for users: ../reader.hpp and ../writer.hpp say what such objects have to offer.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "../config.hpp"
#include "errors.hpp"
#include "file.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// ---- a call of either ----

// Makes an errno value of what `call` returns or throws.
template <class Call>
int error_of(const Call& call, [[maybe_unused]] const char*& action, [[maybe_unused]] const char* throwing) noexcept {
#if defined(__cpp_exceptions)
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::system_error& error) {
    const std::error_condition condition = error.code().default_error_condition();
    if (condition.category() == std::generic_category() && condition.value() != 0) return condition.value();
    action = throwing;
  } catch (...) {
    action = throwing;
  }
  return EIO;
#else
  return call();
#endif
}

// One call that moves bytes. Returns errno, or 0 and in `count` how many bytes it says that it moved: where it says
// nothing, all of them.
template <class Call>
int count_moved(const Call& call, std::size_t all, std::size_t& count) {
  using answer = decltype(call());
  count = all;
  if constexpr (std::is_void_v<answer>) {
    call();
  } else {
    errno = 0;
    const answer moved = call();
    if constexpr (std::is_signed_v<answer>) {
      if (moved < 0) return errno != 0 ? errno : EIO;
    }
    count = static_cast<std::size_t>(moved);
  }
  return 0;
}

// ---- sources ----

// An object's calls. transfer.error is an errno value, or a status below 0. `failure` says in the object's own words
// why its last read failed, or nullptr for what the system says of errno; `destroy` ends one that a reader owns. Both
// may be null.
struct source_calls {
  transfer (*read)(void* object, char* to, std::size_t size) noexcept;
  const char* (*failure)(const void* object) noexcept;
  void (*destroy)(void* object) noexcept;
};

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

template <class Object, class = void>
constexpr bool has_name = false;
template <class Object>
constexpr bool has_name<Object, std::void_t<decltype(static_cast<const char*>(std::declval<const Object&>().name()))>> =
    true;

template <class Object>
const char* name_of(const Object& object, const char* otherwise) noexcept {
  if constexpr (has_name<Object>) return object.name();
  return otherwise;
}

template <class Source, class = void>
constexpr bool has_failure = false;
template <class Source>
constexpr bool
    has_failure<Source, std::void_t<decltype(static_cast<const char*>(std::declval<const Source&>().failure()))>> =
        true;

// A source at its end, for one that is refused: of that one sentence is enough.
struct nothing {
  std::size_t read(char*, std::size_t) noexcept { return 0; }
};

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
  constexpr bool is_count = std::is_integral_v<answer> && !std::is_same_v<answer, bool>;
  static_assert(is_count, "headrace: read() of a source returns the number of bytes that it gave, 0 at the end");
  if constexpr (is_count) return count_moved(call, size, got);
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

template <class Object>
void destroy_object(void* object) noexcept {
  delete static_cast<Object*>(object);
}

template <class Source, bool IsOwned>
constexpr source_calls make_source_calls() noexcept {
  source_calls calls{pull_from<Source>, nullptr, nullptr};
  if constexpr (has_failure<Source>) {
    calls.failure = [](const void* object) noexcept -> const char* {
      return static_cast<const Source*>(object)->failure();
    };
  }
  if constexpr (IsOwned) calls.destroy = destroy_object<Source>;
  return calls;
}
template <class Source, bool IsOwned = false>
constexpr source_calls source_calls_of = make_source_calls<Source, IsOwned>();

// An object that its reader or writer keeps until that goes.
template <class Object>
using if_temporary = std::enable_if_t<!std::is_reference_v<Object> && !std::is_const_v<Object>>;

// ---- sinks ----

// An object's calls. An error is an errno value, 0 where there is none; `action` is what failed, as the message
// says it, and keeps its value where the caller's own word is good enough. flush, close and destroy, which ends one
// that a writer owns, may be null.
struct sink_calls {
  const char* name;  // for a writer that was given none
  transfer (*write)(void* object, const char* from, std::size_t size, const char*& action) noexcept;
  int (*flush)(void* object, const char*& action) noexcept;
  int (*close)(void* object, const char*& action) noexcept;
  void (*destroy)(void* object) noexcept;
};

template <class Sink, class = void>
constexpr bool has_write = false;
template <class Sink>
constexpr bool has_write<Sink, std::void_t<decltype(std::declval<Sink&>().write(std::declval<const char*>(),
                                                                                std::declval<std::size_t>()))>> = true;

// Standard streams have a write() of another meaning.
template <class Sink, class = void>
constexpr bool is_sink_object = has_write<Sink> || std::is_invocable_v<Sink&, const char*, std::size_t>;
template <class Sink>
constexpr bool is_sink_object<Sink, std::void_t<decltype(std::declval<Sink&>().rdbuf())>> = false;

template <class Sink, class = void>
constexpr bool has_flush = false;
template <class Sink>
constexpr bool has_flush<Sink, std::void_t<decltype(std::declval<Sink&>().flush())>> = true;

template <class Sink, class = void>
constexpr bool has_close = false;
template <class Sink>
constexpr bool has_close<Sink, std::void_t<decltype(std::declval<Sink&>().close())>> = true;

template <class Sink>
int offer(Sink& sink, const char* from, std::size_t size, std::size_t& taken) {
  const auto call = [&] {
    if constexpr (has_write<Sink>) {
      return sink.write(from, size);
    } else {
      return sink(from, size);
    }
  };
  using answer = decltype(call());
  static_assert(std::is_void_v<answer> || (std::is_integral_v<answer> && !std::is_same_v<answer, bool>),
                "headrace: write() of a sink returns nothing, or the number of bytes that it took");
  return count_moved(call, size, taken);
}

template <class Sink>
transfer write_to_object(void* object, const char* from, std::size_t size, const char*& action) noexcept {
  transfer done;
  while (done.size < size) {
    const std::size_t rest = size - done.size;
    std::size_t taken = 0;
    const auto call = [&] { return offer(*static_cast<Sink*>(object), from + done.size, rest, taken); };
    const auto call_safely = [&] { return transfer{0, error_of(call, action, "write to a sink that threw")}; };
    done.error = insist(call_safely, wait_a_moment).error;
    if (done.error != 0) return done;
    if (taken == 0 || taken > rest) {
      action = taken == 0 ? "write to a sink that took nothing" : "write to a sink that claims more than it was given";
      done.error = EIO;
      return done;
    }
    done.size += taken;
  }
  return done;
}

// Calls flush() or close(), which return nothing or whether it went well.
template <class Call>
int finish_object(const Call& call) {
  using answer = decltype(call());
  static_assert(std::is_void_v<answer> || std::is_same_v<answer, bool>,
                "headrace: flush() and close() of a sink return nothing, or a bool that is false after a failure");
  if constexpr (std::is_void_v<answer>) {
    call();
    return 0;
  } else {
    errno = 0;
    if (call()) return 0;
    return errno != 0 ? errno : EIO;
  }
}

template <class Sink>
int flush_object(void* object, const char*& action) noexcept {
  return error_of([&] { return finish_object([&] { return static_cast<Sink*>(object)->flush(); }); }, action,
                  "flush a sink that threw");
}

template <class Sink>
int close_object(void* object, const char*& action) noexcept {
  return error_of([&] { return finish_object([&] { return static_cast<Sink*>(object)->close(); }); }, action,
                  "close a sink that threw");
}

template <class Sink, bool IsOwned>
constexpr sink_calls make_sink_calls() noexcept {
  sink_calls calls{"<sink>", write_to_object<Sink>, nullptr, nullptr, nullptr};
  if constexpr (has_flush<Sink>) calls.flush = flush_object<Sink>;
  if constexpr (has_close<Sink>) calls.close = close_object<Sink>;
  if constexpr (IsOwned) calls.destroy = destroy_object<Sink>;
  return calls;
}
template <class Sink, bool IsOwned = false>
constexpr sink_calls sink_calls_of = make_sink_calls<Sink, IsOwned>();

inline transfer append_to_string(void* text, const char* from, std::size_t size, const char*& action) noexcept {
  const auto append = [&] {
    static_cast<std::string*>(text)->append(from, size);
    return 0;
  };
  const int error = error_of(append, action, "write");
  return error == 0 ? transfer{size, 0} : transfer{0, ENOMEM};
}
inline constexpr sink_calls string_calls{"<memory>", append_to_string, nullptr, nullptr, nullptr};

// A stream without a descriptor, as open_memstream and fopencookie make them.
inline transfer write_to_stream(void* stream, const char* from, std::size_t size, const char*&) noexcept {
  errno = 0;
  const std::size_t taken = std::fwrite(from, 1, size, static_cast<std::FILE*>(stream));
  return {taken, taken == size ? 0 : errno != 0 ? errno : EIO};
}
inline int flush_stream(void* stream, const char*&) noexcept {
  errno = 0;
  if (std::fflush(static_cast<std::FILE*>(stream)) == 0) return 0;
  return errno != 0 ? errno : EIO;
}
inline constexpr sink_calls stream_calls{"<stream>", write_to_stream, flush_stream, nullptr, nullptr};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
