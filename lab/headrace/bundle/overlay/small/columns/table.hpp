// As in detail/number_functions.hpp: a number that is refused stops a conversion, which then goes on after it.
namespace headrace::HEADRACE_ABI::detail {

inline void table::convert_noting(const table_slot& to, std::size_t first, std::size_t count) noexcept {
  const number_type& type = *to.type->number;
  for (std::size_t i = 0; i < count; ++i) {
    char* const values = to.values + i * to.type->size;
    i += type.convert(type, base_of(*to.type), work_->edges + 2 * i, count - i, values, nullptr);
    if (i != count) note_refused(to, first, i);
  }
}

}  // namespace headrace::HEADRACE_ABI::detail
