// headrace/detail/process.hpp: what all copies of headrace in one process share: who holds bytes of standard input and
// for standard output. Two versions in one process, or files with exceptions and without, have an `in` and an `out`
// each; where one has read ahead, another that reads takes over what was not consumed, and no byte is lost or comes
// twice. Not for users.
#pragma once

#include <cstdint>

#include "../config.hpp"

namespace headrace {
namespace process {  // not in HEADRACE_ABI: the layout has a version of its own

// An `in` has read these bytes and not consumed them: [begin, end) of its buffer, which stays there until it reads
// again.
struct held_input {
  const char* begin;  // nullptr: it has read nothing
  const char* end;
  std::uint64_t offset;  // of `begin` in the input
  std::uint64_t line;    // from 1; 0: not known
  std::uint64_t line_begin;
  bool is_file;  // a regular one: lines are counted, and bytes read, again
  bool at_end;   // nothing follows
};

struct streams {
  std::uint32_t version;   // of this layout; it stays the first member
  void (*flush_output)();  // of the copy that holds bytes: sends them, and asks again before it holds others
  void (*release_input)(held_input&);  // of the copy that read last: from then on it holds nothing
  held_input left;                     // by a copy that was unloaded: `begin` is from malloc
};

enum : std::uint32_t { streams_version = 1 };  // no object, and below no function, that two versions would share

// One symbol for all copies that the linker or the loader brings together: docs/versions.md says which those are.
extern "C" {
[[gnu::visibility("default")]] inline streams headrace_streams{streams_version, nullptr, nullptr, {}};
}

HEADRACE_INLINE bool is_known() noexcept { return headrace_streams.version == streams_version; }

}  // namespace process
}  // namespace headrace
