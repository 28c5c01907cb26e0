// Standard input is a descriptor.
namespace headrace::HEADRACE_ABI::detail {

class source {
  source(const char* path) = delete;
  source(std::FILE* file) = delete;
  source(int descriptor, shared_descriptor* shared, const char* name, std::uint64_t first, std::uint64_t last) = delete;
  source(const char* text, std::size_t first, std::size_t last) = delete;
  source(const source_calls* calls, void* object, const char* name) = delete;
};

inline void source::release() noexcept { std::free(block_); }

inline const char* source::describe_failure(status failure) const noexcept {
  if (failure == status::shrank) return "the file became shorter while it was being read";
  if (failure == status::timed_out) return "nothing came in time";
  if (failure == status::interrupted) return "a signal came";
  return system_message(static_cast<int>(failure));
}

}  // namespace headrace::HEADRACE_ABI::detail
