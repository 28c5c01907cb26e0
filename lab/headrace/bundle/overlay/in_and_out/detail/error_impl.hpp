// No add-on composes an error.
namespace headrace::HEADRACE_ABI {

input_error::input_error(std::string_view name, std::string_view about, detail::error_composer words,
                         const detail::error_facts& facts, detail::value_kind expected, errc code, position where,
                         std::string_view token) = delete;

HEADRACE_FUNC const char* input_error::what() const noexcept {
  if (expected_.name != nullptr && !text_.is_complete()) text_.fill(compose({name_, name_size_}));
  return text_.c_str();
}

}  // namespace headrace::HEADRACE_ABI
