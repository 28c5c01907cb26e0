// headrace/arrow/structs.hpp: the structs of the Arrow C data interface and C stream interface, as the Apache Arrow
// project specifies them, and what holds one of them. Not for users: ../arrow.hpp is.
#pragma once

#include <cstdint>

#include "../detail/message.hpp"

extern "C" {

#if !defined(ARROW_C_DATA_INTERFACE)
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

// The type of an array. It is released where `release` is null.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

// Values.
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif

#if !defined(ARROW_C_STREAM_INTERFACE)
#define ARROW_C_STREAM_INTERFACE

// Arrays of one type, one after another; the one after the last is released. The functions return 0 or an errno.
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

}  // extern "C"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A column, what Arrow calls its type, and its own name.
struct arrow_child {
  arrow_child(const char* type, const message& its_name, bool nullable, const ArrowArray& values) noexcept
      : format(type), name(its_name), is_nullable(nullable), array(values) {}
  arrow_child(arrow_child&& other) noexcept : arrow_child(other.format, other.name, other.is_nullable, other.array) {
    other.array.release = nullptr;
  }
  arrow_child& operator=(arrow_child&&) = delete;
  ~arrow_child() {
    if (array.release != nullptr) array.release(&array);
  }

  const char* format;
  message name;
  bool is_nullable;
  ArrowArray array;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
