// headrace/columns/memory_block.hpp: large blocks of memory on large pages. A result of 100 MB is 25,000 pages of
// 4 KiB: to fault them in takes longer than to parse what fills them. Pages of 2 MiB take a third of that. Not for
// users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "../config.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

inline constexpr std::size_t large_page = std::size_t(2) << 20;

// A block without objects in it, of which only the pages that are written to take memory.
struct memory_block {
  char* data = nullptr;
  std::size_t size = 0;  // bytes that may be used
};

#if defined(__linux__)

// Smaller blocks come from malloc: to fill a large page with zeros costs a tenth of a millisecond.
constexpr bool is_mapped(std::size_t size) noexcept { return size >= large_page; }

constexpr std::size_t whole_pages(std::size_t size) noexcept { return (size + large_page - 1) & ~(large_page - 1); }

// Address space for `size` bytes, whole large pages, that begins with one; nullptr: there is none.
inline char* map_pages(std::size_t size) noexcept {
  void* const got =
      ::mmap(nullptr, size + large_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(got);
  const std::size_t before = (0 - reinterpret_cast<std::uintptr_t>(first)) & (large_page - 1);
  if (before != 0) ::munmap(first, before);
  if (before != large_page) ::munmap(first + before + size, large_page - before);
  (void)::madvise(first + before, size, MADV_HUGEPAGE);  // a wish: small pages hold the same
  return first + before;
}

// Has the system give memory for bytes that may or may not have been written, and leaves them as they are. Only a wish:
// before Linux 5.14 nothing happens.
inline void touch_pages(char* first, std::size_t size) noexcept {
#if !defined(MADV_POPULATE_WRITE)
  constexpr int MADV_POPULATE_WRITE = 23;
#endif
  (void)::madvise(first, size, MADV_POPULATE_WRITE);
}

// At least `size` bytes; what `old` held is in the new block, which is empty when there is no memory: then `old` is as
// it was. Pages move without a copy.
__attribute__((noinline)) inline memory_block grow(memory_block old, std::size_t size) noexcept {
  if (size > ~std::size_t(0) / 2) return {};
  if (!is_mapped(size)) {
    void* const got = std::realloc(old.data, size);
    return got == nullptr ? memory_block{} : memory_block{static_cast<char*>(got), size};
  }
  const memory_block block = {map_pages(whole_pages(size)), whole_pages(size)};
  if (block.data == nullptr) return {};
  if (!is_mapped(old.size)) {
    if (old.size != 0) __builtin_memcpy(block.data, old.data, old.size);
    std::free(old.data);
  } else if (::mremap(old.data, old.size, block.size, MREMAP_MAYMOVE | MREMAP_FIXED, block.data) == MAP_FAILED) {
    return {};  // by now, the target may be unmapped and belong to another thread: it is left alone, and has no memory
  }
  return block;
}

inline void release(memory_block block) noexcept {
  if (is_mapped(block.size)) {
    ::munmap(block.data, block.size);
  } else {
    std::free(block.data);
  }
}

#else

__attribute__((noinline)) inline memory_block grow(memory_block old, std::size_t size) noexcept {
  void* const got = std::realloc(old.data, size);
  return got == nullptr ? memory_block{} : memory_block{static_cast<char*>(got), size};
}

inline void release(memory_block block) noexcept { std::free(block.data); }

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
