// A temporary reader is not refused.
namespace headrace::HEADRACE_ABI {

class reader {
  sequence<get_word> words() && = delete;
  sequence<get_line> lines() && = delete;
  template <class T>
  sequence<get_value<T>> values() && = delete;
  template <class... T, class Format>
  void rows(const Format& format) && = delete;
};

}  // namespace headrace::HEADRACE_ABI
