// Views of every second element of a block, as of a row of a matrix: data() and size() do not tell which they are.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace test {

// By iterators.
template <class T>
class stepping {
 public:
  class iterator {
   public:
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using pointer = T*;
    using iterator_category = std::random_access_iterator_tag;

    explicit iterator(T* at) : at_(at) {}
    T& operator*() const { return *at_; }
    T& operator[](std::ptrdiff_t i) const { return at_[2 * i]; }
    iterator& operator++() { return *this = *this + 1; }
    friend iterator operator+(iterator from, std::ptrdiff_t count) { return iterator(from.at_ + 2 * count); }
    friend std::ptrdiff_t operator-(iterator a, iterator b) { return (a.at_ - b.at_) / 2; }
    friend bool operator==(iterator a, iterator b) { return a.at_ == b.at_; }
    friend bool operator!=(iterator a, iterator b) { return a.at_ != b.at_; }

   private:
    T* at_;
  };

  stepping(T* first, std::size_t count) : first_(first), count_(count) {}
  T* data() const { return first_; }
  std::size_t size() const { return count_; }
  iterator begin() const { return iterator(first_); }
  iterator end() const { return begin() + static_cast<std::ptrdiff_t>(count_); }

 private:
  T* first_;
  std::size_t count_;
};

// By brackets alone.
template <class T>
struct every_second {
  T* first;
  std::size_t count;

  T* data() const { return first; }
  std::size_t size() const { return count; }
  T& operator[](std::size_t i) const { return first[2 * i]; }
};

}  // namespace test
