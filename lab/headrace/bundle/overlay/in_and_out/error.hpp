// No add-on composes an error.
namespace headrace::HEADRACE_ABI {

class input_error {
  input_error(std::string_view name, std::string_view about, detail::error_composer words,
              const detail::error_facts& facts, detail::value_kind expected, errc code, position where,
              std::string_view token) = delete;
};

}  // namespace headrace::HEADRACE_ABI
