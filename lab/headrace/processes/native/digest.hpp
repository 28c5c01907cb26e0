// A 64-bit digest of a stream, fast enough (four independent lanes of eight bytes) to run beside a drain.
// It tells equal outputs from unequal ones; it is no defence against somebody who forges one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace launch {

class digest {
 public:
  // Takes the next `count` bytes. How a stream is cut into calls does not change the result.
  void add(const char* bytes, std::size_t count) {
    total_ += count;
    if (held_ != 0) {
      const std::size_t taken = count < sizeof tail_ - held_ ? count : sizeof tail_ - held_;
      std::memcpy(tail_ + held_, bytes, taken);
      held_ += taken;
      bytes += taken;
      count -= taken;
      if (held_ < sizeof tail_) return;
      mix(tail_);
      held_ = 0;
    }
    for (; count >= sizeof tail_; bytes += sizeof tail_, count -= sizeof tail_) mix(bytes);
    std::memcpy(tail_, bytes, count);
    held_ = count;
  }

  std::uint64_t bytes() const { return total_; }

  // The digest of all that was added. The length goes in, so that trailing zero bytes count.
  std::uint64_t value() const {
    digest last = *this;
    std::memset(last.tail_ + held_, 0, sizeof tail_ - held_);
    last.mix(last.tail_);
    std::uint64_t result = total_ * odd;
    for (const std::uint64_t lane : last.lanes_) result = step(result, lane);
    result *= odd;
    return result ^ (result >> 29);
  }

 private:
  static constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio, made odd

  // A multiplication only spreads a bit upwards; the shift brings the top down for the next one.
  static std::uint64_t step(std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * odd;
    return state ^ (state >> 32);
  }

  void mix(const char* block) {
    for (std::size_t i = 0; i < 4; ++i) {
      std::uint64_t word;
      std::memcpy(&word, block + 8 * i, sizeof word);
      lanes_[i] = step(lanes_[i], word);
    }
  }

  std::uint64_t lanes_[4] = {1, 2, 3, 4};
  char tail_[32] = {};
  std::size_t held_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace launch
