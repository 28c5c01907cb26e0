// No block is narrowed: the caller takes unit after unit.
namespace headrace::HEADRACE_ABI::detail {

template <class Unit>
HEADRACE_INLINE bool narrow_ascii(const Unit*, char*) noexcept {
  return false;
}

}  // namespace headrace::HEADRACE_ABI::detail
