// headrace/column.hpp: the containers in which whole tables are returned: contiguous, and in memory that is touched for
// the first time when it is filled.
//
//   headrace::column<double> prices = headrace::read_all<double>("prices.txt");
//   for (double price : prices) ...                 // begin, end, data, size, [], front, back: as a std::span
//   std::vector<double> copy = prices.to_vector();
//   headrace::text_column names;                    // texts in one block: for (std::string_view name : names) ...
//
// A std::vector fills its elements before anything can be read into them, and on pages of 4 KiB. From 2 MiB on a column
// of numbers is on large pages where the system has them (Linux, unless /sys/kernel/mm/transparent_hugepage/enabled is
// `never`), grows without a copy, and takes memory only for what was written: 1.3 to 1.7 times as fast to fill.
// Unlike std::vector<bool>, a column<bool> is an array of bool.
//
// Both move, and are not copied: to_vector() and std::vector(column.begin(), column.end()) do that. Where there is no
// memory they throw std::bad_alloc; without exceptions the program aborts with a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "error.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

// A block without objects in it, of which only the pages that are written to take memory.
struct memory_block {
  char* data = nullptr;
  std::size_t size = 0;  // bytes that may be used
};

// At least `size` bytes; what `old` held is in the new block, which is empty when there is no memory: then `old` is as
// it was. Pages move without a copy.
memory_block grow(memory_block old, std::size_t size) noexcept;
void release(memory_block block) noexcept;

}  // namespace detail

template <class T>
class column {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_same_v<T, std::remove_cv_t<T>>,
                "a column holds objects that can be moved without throwing");
  static_assert(alignof(T) <= alignof(std::max_align_t), "a column holds no over-aligned objects");

  column() noexcept = default;
  column(column&& other) noexcept : column() { swap(other); }
  column& operator=(column&& other) noexcept {
    column(static_cast<column&&>(other)).swap(*this);
    return *this;
  }
  ~column() {
    clear();
    detail::release(block_);
  }

  T* data() noexcept { return first_; }
  const T* data() const noexcept { return first_; }
  std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  T* begin() noexcept { return first_; }
  T* end() noexcept { return first_ + size_; }
  const T* begin() const noexcept { return first_; }
  const T* end() const noexcept { return first_ + size_; }
  const T* cbegin() const noexcept { return first_; }
  const T* cend() const noexcept { return first_ + size_; }
  T& operator[](std::size_t i) noexcept { return first_[i]; }
  const T& operator[](std::size_t i) const noexcept { return first_[i]; }
  T& front() noexcept { return first_[0]; }
  const T& front() const noexcept { return first_[0]; }
  T& back() noexcept { return first_[size_ - 1]; }
  const T& back() const noexcept { return first_[size_ - 1]; }

  std::vector<T> to_vector() const { return std::vector<T>(begin(), end()); }

  // How many elements fit before the column has to move, and room for at least `count`. To reserve too much costs
  // address space but, from 2 MiB on, no memory.
  std::size_t capacity() const noexcept { return capacity_; }
  void reserve(std::size_t count) {
    if (count > capacity_) grow_to(count);
  }
  // Reserves room for `count` elements where that can be done; else returns false, and nothing has changed.
  [[nodiscard]] bool try_reserve(std::size_t count) noexcept { return count <= capacity_ || try_grow_to(count); }

  void push_back(T value) { emplace_back(static_cast<T&&>(value)); }
  // The arguments refer to no element of this column.
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (detail::unlikely(size_ == capacity_)) grow_by(1);
    T* const made = ::new (static_cast<void*>(first_ + size_)) T(static_cast<Arguments&&>(arguments)...);
    ++size_;
    return *made;
  }

  // For code that fills a column through data(): makes room for `count` more elements and returns where the first of
  // them goes; set_size() then says how many elements there are. Of numbers only.
  T* make_room(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>, "elements that are not numbers are added by push_back()");
    if (detail::unlikely(capacity_ - size_ < count)) grow_by(count);
    return first_ + size_;
  }
  void set_size(std::size_t size) noexcept {
    static_assert(std::is_trivially_copyable_v<T>, "elements that are not numbers are added by push_back()");
    HEADRACE_ASSERT(size <= capacity_, "a column is given a size that it has no room for: reserve() first");
    size_ = size;
  }

  // Keeps the room.
  void clear() noexcept {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      while (size_ != 0) first_[--size_].~T();
    }
    size_ = 0;
  }

  void swap(column& other) noexcept {
    using std::swap;
    swap(block_, other.block_);
    swap(first_, other.first_);
    swap(size_, other.size_);
    swap(capacity_, other.capacity_);
  }
  friend void swap(column& a, column& b) noexcept { a.swap(b); }

 private:
  HEADRACE_COLD void grow_by(std::size_t count);
  __attribute__((noinline)) void grow_to(std::size_t count);
  __attribute__((noinline)) bool try_grow_to(std::size_t count) noexcept;

  detail::memory_block block_;
  T* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

namespace detail {
struct text_access;
}

// Texts one after the other in one block, and where each ends: no object and no allocation for each. Text i is the
// bytes [ends()[i], ends()[i + 1]) of data(), as in Arrow's large_utf8. Its views are valid until a text is added.
class text_column {
 public:
  using value_type = std::string_view;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = std::string_view;
  using const_reference = std::string_view;
  class iterator;
  using const_iterator = iterator;

  text_column() noexcept = default;
  // The bytes of all texts, and their ends: one more than there are texts, in ascending order from 0 on.
  text_column(column<char>&& bytes, column<std::int64_t>&& ends) noexcept
      : bytes_(static_cast<column<char>&&>(bytes)), ends_(static_cast<column<std::int64_t>&&>(ends)) {}

  std::size_t size() const noexcept { return ends_.empty() ? 0 : ends_.size() - 1; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  std::string_view operator[](std::size_t i) const noexcept { return view(data(), ends_.data() + i); }
  std::string_view front() const noexcept { return (*this)[0]; }
  std::string_view back() const noexcept { return (*this)[size() - 1]; }
  iterator begin() const noexcept;
  iterator end() const noexcept;

  const char* data() const noexcept { return bytes_.data(); }
  std::size_t bytes() const noexcept { return bytes_.size(); }  // of all texts
  const std::int64_t* ends() const noexcept;                    // size() + 1 of them, also of a column without texts
  std::vector<std::string> to_vector() const;

  // Room for so many texts, and bytes of all of them.
  void reserve(std::size_t texts, std::size_t bytes) {
    ends_.reserve(texts + 1);
    bytes_.reserve(bytes);
  }
  void push_back(std::string_view text);  // may be one of this column
  // Keeps the room.
  void clear() noexcept {
    bytes_.clear();
    ends_.clear();
  }
  void swap(text_column& other) noexcept {
    bytes_.swap(other.bytes_);
    ends_.swap(other.ends_);
  }
  friend void swap(text_column& a, text_column& b) noexcept { a.swap(b); }

 private:
  friend struct detail::text_access;
  static std::string_view view(const char* data, const std::int64_t* end) noexcept {
    return {data + end[0], static_cast<std::size_t>(end[1] - end[0])};
  }

  column<char> bytes_;
  column<std::int64_t> ends_;  // none, or 0 and those of the texts
};

class text_column::iterator {
 public:
  using value_type = std::string_view;
  using difference_type = std::ptrdiff_t;
  using reference = std::string_view;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  iterator() noexcept = default;
  std::string_view operator*() const noexcept { return view(data_, end_); }
  std::string_view operator[](std::ptrdiff_t i) const noexcept { return view(data_, end_ + i); }
  iterator& operator+=(std::ptrdiff_t count) noexcept {
    end_ += count;
    return *this;
  }
  iterator& operator-=(std::ptrdiff_t count) noexcept { return *this += -count; }
  iterator& operator++() noexcept { return *this += 1; }
  iterator& operator--() noexcept { return *this -= 1; }
  iterator operator++(int) noexcept { return {data_, end_++}; }
  iterator operator--(int) noexcept { return {data_, end_--}; }
  friend iterator operator+(iterator from, std::ptrdiff_t count) noexcept { return from += count; }
  friend iterator operator+(std::ptrdiff_t count, iterator from) noexcept { return from += count; }
  friend iterator operator-(iterator from, std::ptrdiff_t count) noexcept { return from -= count; }
  friend std::ptrdiff_t operator-(const iterator& a, const iterator& b) noexcept { return a.end_ - b.end_; }
  friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.end_ == b.end_; }
  friend bool operator!=(const iterator& a, const iterator& b) noexcept { return a.end_ != b.end_; }
  friend bool operator<(const iterator& a, const iterator& b) noexcept { return a.end_ < b.end_; }
  friend bool operator>(const iterator& a, const iterator& b) noexcept { return a.end_ > b.end_; }
  friend bool operator<=(const iterator& a, const iterator& b) noexcept { return a.end_ <= b.end_; }
  friend bool operator>=(const iterator& a, const iterator& b) noexcept { return a.end_ >= b.end_; }

 private:
  friend class text_column;
  iterator(const char* data, const std::int64_t* end) noexcept : data_(data), end_(end) {}

  const char* data_ = nullptr;
  const std::int64_t* end_ = nullptr;  // of the text before
};

inline text_column::iterator text_column::begin() const noexcept { return {data(), ends()}; }
inline text_column::iterator text_column::end() const noexcept { return {data(), ends() + size()}; }

inline std::vector<std::string> text_column::to_vector() const { return std::vector<std::string>(begin(), end()); }

inline const std::int64_t* text_column::ends() const noexcept {
  static constexpr std::int64_t of_none = 0;
  return ends_.empty() ? &of_none : ends_.data();
}

inline void text_column::push_back(std::string_view text) {
  const auto place = reinterpret_cast<std::uintptr_t>(text.data()) - reinterpret_cast<std::uintptr_t>(data());
  char* const to = bytes_.make_room(text.size());
  const char* const from = place < bytes_.size() ? data() + place : text.data();  // the block may have moved
  if (ends_.empty()) ends_.push_back(0);
  ends_.push_back(static_cast<std::int64_t>(bytes_.size() + text.size()));
  if (!text.empty()) std::memcpy(to, from, text.size());
  bytes_.set_size(bytes_.size() + text.size());
}

namespace detail {

// For what fills a column of text in bulk.
struct text_access {
  static column<char>& bytes(text_column& of) noexcept { return of.bytes_; }
  static column<std::int64_t>& ends(text_column& of) noexcept { return of.ends_; }
};

// ---- blocks of memory ----
//
// A result of 100 MB is 25,000 pages of 4 KiB: to fault them in takes longer than to parse what fills them. Pages of 2
// MiB take a third of that.

inline constexpr std::size_t large_page = std::size_t(2) << 20;

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

// ---- how a column grows ----

[[noreturn]] HEADRACE_COLD inline void raise_out_of_memory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  print_and_abort("headrace: out of memory");
#endif
}

// Where in its block a column begins. Columns of one table that all began on a large page would meet in the same sets
// of the cache, row after row.
inline constexpr std::size_t stagger_limit = 16 * 1024;
inline std::size_t next_stagger() noexcept {
  static std::size_t count = 0;
  return __atomic_fetch_add(&count, std::size_t(1), __ATOMIC_RELAXED) * 1088 % stagger_limit & ~std::size_t(63);
}

}  // namespace detail

template <class T>
void column<T>::grow_by(std::size_t count) {
  const std::size_t least = size_ + count, doubled = 2 * capacity_;
  if (least < size_) detail::raise_out_of_memory();
  grow_to(least > doubled ? least : doubled);
}

template <class T>
void column<T>::grow_to(std::size_t count) {
  if (!try_grow_to(count)) detail::raise_out_of_memory();
}

template <class T>
bool column<T>::try_grow_to(std::size_t count) noexcept {
  constexpr std::size_t few = sizeof(T) < 1024 ? 4096 / sizeof(T) : 4;
  if (count < few) count = few;
  if (count > (~std::size_t(0) / 2 - detail::stagger_limit) / sizeof(T)) return false;
  const std::size_t bytes = count * sizeof(T);
  if constexpr (std::is_trivially_copyable_v<T>) {
    const bool is_first = block_.data == nullptr;
    const std::size_t before = is_first ? 0 : static_cast<std::size_t>(reinterpret_cast<char*>(first_) - block_.data);
    const std::size_t stagger = is_first && bytes >= detail::large_page ? detail::next_stagger() : before;
    const detail::memory_block block = detail::grow(block_, bytes + stagger);
    if (block.data == nullptr) return false;
    block_ = block;
    first_ = reinterpret_cast<T*>(block.data + stagger);
    capacity_ = (block.size - stagger) / sizeof(T);
  } else {
    const detail::memory_block block = detail::grow({}, bytes);
    if (block.data == nullptr) return false;
    T* const first = reinterpret_cast<T*>(block.data);
    for (std::size_t i = 0; i < size_; ++i) {
      ::new (static_cast<void*>(first + i)) T(static_cast<T&&>(first_[i]));
      first_[i].~T();
    }
    detail::release(block_);
    block_ = block;
    first_ = first;
    capacity_ = block.size / sizeof(T);
  }
  return true;
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
