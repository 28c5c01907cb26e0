// headrace/split/read_ahead.hpp: a reader of a whole file; of a pipe by a thread that reads ahead. Not for users.
#pragma once

#include "../detail/read_ahead.hpp"
#include "pieces.hpp"

#if HEADRACE_THREADS && !HEADRACE_WINDOWS
#include <sys/socket.h>
#include <sys/time.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

#if HEADRACE_THREADS && !HEADRACE_WINDOWS

struct pipe_end {
  int descriptor;

  transfer read(const waker& wake, char* to, std::size_t size) const noexcept {
    return wake.wait_for(descriptor) ? read_some(descriptor, to, size) : transfer{};
  }
};

// A socket with a limit of its own (SO_RCVTIMEO), of which poll(2) knows nothing.
inline bool has_own_limit(int descriptor) noexcept {
  timeval limit{};
  socklen_t size = sizeof limit;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, &size) == 0 &&
         (limit.tv_sec != 0 || limit.tv_usec != 0);
}

#endif

// Calls `action` with a reader of all of a file. One of a pipe has a thread that reads ahead, if there may be two.
template <class Action>
auto with_one_reader(const input_file& file, [[maybe_unused]] threads on, Action action) {
#if HEADRACE_THREADS && !HEADRACE_WINDOWS
  const bool can_wait = !file.is_regular() && file.error() == 0 && file.kind() != file_kind::directory;
  if (can_wait && threads_for(on, 2) > 1 && !has_own_limit(file.descriptor())) {
    enlarge_pipe(file.descriptor());
    read_ahead<pipe_end> ahead({file.descriptor()});
    if (ahead.has_started()) {
      reader from = reader::from(ahead, file.name());
      return action(from);
    }
  }
#endif
  reader from = file.whole();
  return action(from);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
