// What is no number stops a conversion: convert_or_note is null, and nothing that it would be is reached.
namespace headrace::HEADRACE_ABI::detail {

template <class T>
constexpr number_type describe_number() noexcept {
  constexpr unsigned width = sizeof(ahead_t<T>);
  number_type type{};
  if constexpr (is_float<T>) {
    type = {convert_to_floats<T>, scan_to_floats<T>, parse_to_float<T>, {}, find_slot<T>(), width};
  } else if constexpr (sizeof(T) < 4) {
    type = {
        convert_to_narrow<width>, scan_to_narrow<width>, parse_to_integer<width>, range_of<T>, find_slot<T>(), width};
  } else {
    type = {convert_to_integers<width>,
            scan_to_integers<width>,
            parse_to_integer<width>,
            range_of<T>,
            find_slot<T>(),
            width};
  }
  return type;
}

}  // namespace headrace::HEADRACE_ABI::detail
