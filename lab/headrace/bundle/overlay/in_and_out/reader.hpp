// `in` is the only reader.
namespace headrace::HEADRACE_ABI {

class reader {
  reader(const char* path) = delete;
  reader(const std::string& path) = delete;
  reader(const Path& path) = delete;
  reader(const View&) = delete;
  reader(std::FILE* file) = delete;
  reader(Number, const char* = nullptr) = delete;
  reader(std::basic_istream<Character>&) = delete;
  static reader from(std::string_view text) = delete;
  static reader from(Text&& temporary) = delete;
  static reader from(Source& source, const char* name = "<source>") = delete;
  reader(Source&& source) = delete;
  reader(std::true_type, Source* owned) = delete;
};

}  // namespace headrace::HEADRACE_ABI
