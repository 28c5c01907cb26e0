// headrace/detail/status.hpp: how a step inside a reader went, in one number. Not for users.
#pragma once

#include <system_error>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Any value above 0 is the errno of a system call: the system's codes and ours never meet.
enum class status : int {
  ok = 0,
  malformed = -1,     // the token is not of the type that was asked for
  out_of_range = -2,  // it is, but its value does not fit
  end = -3,           // the input ended
  shrank = -4,        // a file ended before the size that it had when it was opened
  timed_out = -5,     // nothing came in the time that was given
  interrupted = -6,   // a signal came, which the reader was told to report
  overran = -7,       // an object says that it gave more bytes than it was asked for
  threw = -8,         // an object threw
  foreign = -9        // standard input is shared with a version that this one does not know
};

constexpr status system_status(int error) noexcept { return static_cast<status>(error); }

// Of what the pure layers return.
constexpr status status_of(std::errc code) noexcept {
  if (code == std::errc{}) return status::ok;
  return code == std::errc::invalid_argument ? status::malformed : status::out_of_range;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
