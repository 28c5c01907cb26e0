// `out` is the only writer.
namespace headrace::HEADRACE_ABI {

class writer {
  writer(const char* path, open_mode mode = open_mode::truncate) = delete;
  writer(const std::string& path, open_mode mode = open_mode::truncate) = delete;
  writer(const Path& path, open_mode mode = open_mode::truncate) = delete;
  writer(const View&, open_mode = open_mode::truncate) = delete;
  writer(int descriptor) = delete;
  writer(std::FILE* stream) = delete;
  writer(Number) = delete;
  writer(std::basic_ostream<Character>&) = delete;
  static writer into(std::string& text) = delete;
  static writer into(char* to, std::size_t size) = delete;
  static writer into(Sink& sink, const char* name = "<sink>") = delete;
  writer(Sink&& object) = delete;
  writer(std::true_type, Sink* owned) = delete;
};

}  // namespace headrace::HEADRACE_ABI
