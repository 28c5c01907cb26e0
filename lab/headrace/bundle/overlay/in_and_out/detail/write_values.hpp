// `out` is the only writer.
namespace headrace::HEADRACE_ABI {

writer writer::into(Sink& sink, const char* name) = delete;

}  // namespace headrace::HEADRACE_ABI
