// As in detail/number_functions.hpp.
namespace headrace::HEADRACE_ABI::detail {

inline std::size_t table::convert_numbers(const table_slot& to, std::size_t rows) noexcept {
  const number_type& type = *to.type->number;
  const std::size_t done = type.convert(type, base_of(*to.type), work_->edges, rows, to.values, nullptr);
  if (to.present != nullptr) std::memset(to.present, 1, done);
  return done;
}

}  // namespace headrace::HEADRACE_ABI::detail
