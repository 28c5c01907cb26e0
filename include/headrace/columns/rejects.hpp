// headrace/columns/rejects.hpp: rows that were refused, kept aside. Not for users.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "../columns.hpp"
#include "../error.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

class rejected_row {
 public:
  rejected_row(const input_error& error, std::uint64_t row) noexcept : error_(error), row_(row) {}

  std::uint64_t row() const noexcept { return row_; }
  std::uint64_t line() const noexcept { return error_.line(); }
  std::uint64_t column() const noexcept { return error_.column(); }
  std::uint64_t offset() const noexcept { return error_.offset(); }
  std::string_view token() const noexcept { return error_.token(); }
  const char* what() const noexcept { return error_.what(); }
  const input_error& error() const noexcept { return error_; }

 private:
  input_error error_;
  std::uint64_t row_;
};

class rejects {
 public:
  static constexpr std::size_t no_limit = ~std::size_t(0);

  rejects() noexcept = default;
  explicit rejects(std::size_t limit) noexcept : limit_(limit) {}

  std::size_t size() const noexcept { return rows_.size(); }
  bool empty() const noexcept { return rows_.empty(); }
  const rejected_row* begin() const noexcept { return rows_.data(); }
  const rejected_row* end() const noexcept { return rows_.data() + rows_.size(); }
  const rejected_row& operator[](std::size_t i) const noexcept { return rows_[i]; }

  std::size_t limit() const noexcept { return limit_; }
  bool is_full() const noexcept { return size() >= limit_; }
  void clear() noexcept { rows_.clear(); }
  void add(const input_error& error, std::uint64_t row) { rows_.emplace_back(error, row); }

 private:
  std::vector<rejected_row> rows_;
  std::size_t limit_ = no_limit;
};

}  // namespace HEADRACE_ABI
}  // namespace headrace
