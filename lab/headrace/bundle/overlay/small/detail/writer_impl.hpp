// As in source.hpp.
namespace headrace::HEADRACE_ABI {

HEADRACE_INLINE void writer::hold() noexcept {
  if (set_status_ == nullptr) process::flush_output = detail::flush_before_waiting;
}

HEADRACE_INLINE void writer::flush_last() noexcept {
  is_flushed_last_ = std::atexit(detail::flush_at_exit) == 0;
  if (is_flushed_last_) return;
  policy_ = flush_policy::each_write;
  policy_is_given_ = true;
}

}  // namespace headrace::HEADRACE_ABI

namespace headrace::HEADRACE_ABI::detail {

HEADRACE_FUNC void flush_at_exit() noexcept {
  process::flush_output = nullptr;
  out.finish_at_exit(&set_exit_status);
}

}  // namespace headrace::HEADRACE_ABI::detail
