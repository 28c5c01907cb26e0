// A program of one file has one copy of headrace: only `in` asks `out`, before it waits.
#pragma once

namespace headrace {
namespace process {

inline void (*flush_output)() = nullptr;

}  // namespace process
}  // namespace headrace
