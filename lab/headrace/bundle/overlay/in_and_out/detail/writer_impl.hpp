// `out` is the only writer.
namespace headrace::HEADRACE_ABI {

writer::writer(const char* path, open_mode mode) = delete;
writer::writer(const std::string& path, open_mode mode) = delete;
writer::writer(int descriptor) = delete;
writer::writer(std::FILE* stream) = delete;
writer::writer(void* object, const detail::sink_calls* calls, const char* name) = delete;
writer::writer(writer&& other) = delete;
writer writer::into(std::string& text) = delete;
writer writer::into(char* to, std::size_t size) = delete;
writer& writer::operator=(writer&& other) = delete;
void writer::take(writer& other) = delete;

}  // namespace headrace::HEADRACE_ABI
