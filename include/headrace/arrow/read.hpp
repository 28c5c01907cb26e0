// headrace/arrow/read.hpp: columns whose types are chosen at run time, by the same fillers as those of read_columns().
// Not for users.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>

#include "../arrow.hpp"
#include "../split.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// The values that one thread brings.
class chosen_filler {
 public:
  chosen_filler() = default;
  chosen_filler(const chosen_filler&) = delete;
  chosen_filler& operator=(const chosen_filler&) = delete;
  virtual ~chosen_filler() = default;
  virtual void prepare(table& from) = 0;
  virtual void take(const table& from) = 0;
  virtual void clear() noexcept = 0;
  virtual void claim() = 0;
  virtual void place() noexcept = 0;
  virtual void move_to(arrow_table& table, std::string_view name) = 0;  // of one thread
};

// All values.
class chosen_column {
 public:
  chosen_column() = default;
  chosen_column(const chosen_column&) = delete;
  chosen_column& operator=(const chosen_column&) = delete;
  virtual ~chosen_column() = default;
  virtual const field_type* type() const noexcept = 0;
  virtual void reserve(const row_pieces& rows, std::size_t pieces, unsigned count) = 0;
  virtual std::unique_ptr<chosen_filler> make_filler(std::size_t slot) = 0;
  virtual void move_to(arrow_table& table, std::string_view name) = 0;
};

template <class T>
class filler_of final : public chosen_filler {
 public:
  filler_of(std::size_t slot, std::optional<placed_column<T>>& whole) : filler_{slot}, whole_(whole) {}
  void prepare(table& from) override { filler_.prepare(from); }
  void take(const table& from) override { filler_.take(from); }
  void clear() noexcept override { filler_.values.clear(); }
  void claim() override { place_ = whole_->claim(filler_.values); }
  void place() noexcept override { whole_->place(filler_.values, place_); }
  void move_to(arrow_table& table, std::string_view name) override { table.add(name, std::move(filler_.values)); }

 private:
  column_filler<T> filler_;
  std::optional<placed_column<T>>& whole_;
  place_of<T> place_;
};

template <class T>
class column_chosen final : public chosen_column {
 public:
  const field_type* type() const noexcept override { return &field_type_of<T>; }
  void reserve(const row_pieces& rows, std::size_t pieces, unsigned count) override {
    whole_.emplace(make_placed<T>(rows, pieces, count));
  }
  std::unique_ptr<chosen_filler> make_filler(std::size_t slot) override {
    return std::make_unique<filler_of<T>>(slot, whole_);
  }
  void move_to(arrow_table& table, std::string_view name) override { table.add(name, whole_->result()); }

 private:
  std::optional<placed_column<T>> whole_;
};

using chosen_columns = std::vector<std::unique_ptr<chosen_column>>;

template <class T, class OfOptional = T>
std::unique_ptr<chosen_column> choose_column(bool is_nullable) {
  if (is_nullable) return std::make_unique<column_chosen<std::optional<OfOptional>>>();
  return std::make_unique<column_chosen<T>>();
}
inline std::unique_ptr<chosen_column> choose_column(const arrow_field& field) {
  switch (field.kind) {
    case arrow_kind::boolean:
      return choose_column<bool>(field.is_nullable);
    case arrow_kind::int32:
      return choose_column<std::int32_t>(field.is_nullable);
    case arrow_kind::int64:
      return choose_column<std::int64_t>(field.is_nullable);
    case arrow_kind::uint64:
      return choose_column<std::uint64_t>(field.is_nullable);
    case arrow_kind::float32:
      return choose_column<float>(field.is_nullable);
    case arrow_kind::float64:
      return choose_column<double>(field.is_nullable);
    case arrow_kind::text:
      return choose_column<text, std::string>(field.is_nullable);
    case arrow_kind::date:
      return choose_column<sys_days>(field.is_nullable);
    case arrow_kind::timestamp:
      return choose_column<sys_time<std::chrono::microseconds>>(field.is_nullable);
  }
  __builtin_unreachable();
}

// Fills columns of types that are chosen at run time, as column_fillers and placed_fillers do for those that the
// compiler knows.
class chosen_fillers {
 public:
  explicit chosen_fillers(chosen_columns& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) all.push_back(columns[i]->make_filler(i));
  }
  void prepare(table& from) {
    for (const auto& each : all) each->prepare(from);
  }
  bool take(const table& from) {
    for (const auto& each : all) each->take(from);
    return true;
  }
  void clear() noexcept {
    for (const auto& each : all) each->clear();
  }
  void claim() {
    for (const auto& each : all) each->claim();
  }
  void place() noexcept {
    for (const auto& each : all) each->place();
  }

  std::vector<std::unique_ptr<chosen_filler>> all;
};

inline arrow_table read_chosen(const input_file& file, const delimited& format, const std::vector<arrow_field>& fields,
                               threads on, rejects* aside) {
  chosen_columns columns;
  std::vector<const field_type*> types;
  std::vector<std::string_view> names;
  for (const arrow_field& each : fields) {
    columns.push_back(choose_column(each));
    types.push_back(columns.back()->type());
    names.push_back(each.name);
  }
  const table_layout layout = {format, types.data(), types.size(), format.has_header ? names.data() : nullptr};
  arrow_table read;
  const auto move_all = [&](const auto& all) {
    for (std::size_t i = 0; i < fields.size(); ++i) all[i]->move_to(read, fields[i].name);
  };
  const unsigned count = threads_for_pieces(file, on);
  if (count > 1) {
    row_pieces rows(file, layout, aside);
    const bool has_rows = rows.find_rows();
    const std::size_t pieces = has_rows ? rows.count_pieces(piece_size) : 0;
    for (const auto& each : columns) each->reserve(rows, pieces, count);
    if (has_rows) in_turns<row_worker<chosen_fillers>>(pieces, count, rows, columns);
    move_all(columns);
  } else {
    with_one_reader(file, on, [&](reader& from) {
      table rows(from, layout, aside);
      chosen_fillers fillers(columns);
      fill_all(fillers, rows);
      move_all(fillers.all);
    });
  }
  return read;
}

}  // namespace detail

template <class Path>
arrow_table read_arrow(const Path& path, const delimited& format, const std::vector<arrow_field>& fields, threads on) {
  return detail::read_chosen(detail::open_path(path), format, fields, on, nullptr);
}
template <class Path>
arrow_table read_arrow(const Path& path, const delimited& format, const std::vector<arrow_field>& fields, threads on,
                       rejects& aside) {
  return detail::read_chosen(detail::open_path(path), format, fields, on, &aside);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
