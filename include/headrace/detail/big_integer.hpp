// headrace/detail/big_integer.hpp: exact integers of a fixed maximum size, for the rare decimals that 128 bits cannot
// decide. Lives on the stack, never allocates; too large a result is the caller's mistake. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../config.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

template <std::size_t Limbs>
class big_integer {
 public:
  explicit big_integer(std::uint64_t value = 0) noexcept {
    add(static_cast<std::uint32_t>(value >> 32));
    shift_left(32);
    add(static_cast<std::uint32_t>(value));
  }

  bool is_zero() const noexcept { return size_ == 0; }

  // How many bits the number has; 0 for zero.
  std::size_t bit_length() const noexcept {
    return size_ == 0 ? 0 : size_ * 32 - static_cast<std::size_t>(__builtin_clz(limbs_[size_ - 1]));
  }

  void add(std::uint32_t addend) noexcept {
    for (std::size_t i = 0; addend != 0; ++i) {
      if (i == size_) limbs_[size_++] = 0;
      limbs_[i] += addend;
      addend = limbs_[i] < addend;
    }
  }

  void add(const big_integer& other) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < other.size_ || carry != 0; ++i) {
      if (i == size_) limbs_[size_++] = 0;
      carry += std::uint64_t(limbs_[i]) + (i < other.size_ ? other.limbs_[i] : 0);
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  void multiply(std::uint32_t factor) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      carry += std::uint64_t(limbs_[i]) * factor;
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_[size_++] = static_cast<std::uint32_t>(carry);
  }

  void multiply_by_power_of_ten(std::size_t exponent) noexcept {
    shift_left(exponent);
    for (; exponent >= 13; exponent -= 13) multiply(1220703125);  // 5^13
    for (; exponent > 0; --exponent) multiply(5);
  }

  void shift_left(std::size_t bits) noexcept {
    if (size_ == 0) return;
    const std::size_t whole = bits / 32;
    const unsigned part = bits % 32;
    limbs_[size_ + whole] = 0;
    for (std::size_t i = size_; i-- > 0;) {
      const std::uint64_t wide = std::uint64_t(limbs_[i]) << part;
      limbs_[i + whole + 1] |= static_cast<std::uint32_t>(wide >> 32);
      limbs_[i + whole] = static_cast<std::uint32_t>(wide);
    }
    for (std::size_t i = 0; i < whole; ++i) limbs_[i] = 0;
    size_ += whole + 1;
    if (limbs_[size_ - 1] == 0) --size_;
  }

  // Negative, zero or positive, as *this is less than, equal to or greater than `other`.
  int compare(const big_integer& other) const noexcept {
    if (size_ != other.size_) return size_ < other.size_ ? -1 : 1;
    for (std::size_t i = size_; i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    }
    return 0;
  }

  // *this -= other, which is not greater.
  void subtract(const big_integer& other) noexcept {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint64_t taken = borrow + (i < other.size_ ? other.limbs_[i] : 0);
      borrow = limbs_[i] < taken;
      limbs_[i] = static_cast<std::uint32_t>(limbs_[i] - taken);
    }
    trim();
  }

  // *this /= divisor; returns the remainder.
  std::uint32_t divide(std::uint32_t divisor) noexcept {
    std::uint64_t rest = 0;
    for (std::size_t i = size_; i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    trim();
    return static_cast<std::uint32_t>(rest);
  }

  // Keeps the lowest `limbs` limbs and returns what stood above them.
  big_integer cut(std::size_t limbs) noexcept {
    big_integer above;
    for (std::size_t i = limbs; i < size_; ++i) above.limbs_[above.size_++] = limbs_[i];
    if (size_ > limbs) size_ = limbs;
    trim();
    return above;
  }

  std::uint32_t lowest_limb() const noexcept { return size_ == 0 ? 0 : limbs_[0]; }

 private:
  void trim() noexcept {
    while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
  }

  std::size_t size_ = 0;  // limbs in use; the top one is not zero
  std::uint32_t limbs_[Limbs + 1];
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
