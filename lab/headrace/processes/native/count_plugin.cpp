// A plugin for qemu that counts the instructions and the system calls of a program, for `headrace run --count`. What it
// takes of qemu's plugin interface (version 1, docs/devel/tcg-plugins.rst of QEMU 4.2 and later) is declared here.
#include <cstddef>
#include <cstdint>
#include <cstdio>

extern "C" {

using qemu_plugin_id_t = std::uint64_t;
struct qemu_info_t;
struct qemu_plugin_tb;

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, void (*call)(qemu_plugin_id_t, qemu_plugin_tb*));
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb* block);
void qemu_plugin_register_vcpu_tb_exec_inline(qemu_plugin_tb* block, qemu_plugin_op op, void* at, std::uint64_t value);
using syscall_call = void (*)(qemu_plugin_id_t, unsigned, std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                              std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, syscall_call call);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*call)(qemu_plugin_id_t, void*), void* data);

}  // extern "C"

namespace {

std::uint64_t instructions = 0;
std::uint64_t calls = 0;
std::FILE* output = nullptr;

void count_block(qemu_plugin_id_t, qemu_plugin_tb* block) {
  qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, &instructions,
                                           qemu_plugin_tb_n_insns(block));
}

void count_call(qemu_plugin_id_t, unsigned, std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) {
  ++calls;
}

void report(qemu_plugin_id_t, void*) {
  std::fprintf(output, "%llu %llu\n", static_cast<unsigned long long>(instructions),
               static_cast<unsigned long long>(calls));
  std::fclose(output);
}

}  // namespace

// Its one argument is out=FILE.
extern "C" __attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t*,
                                                                          int count, char** words) {
  const char* name = count == 1 ? words[0] : "";
  for (const char* part = "out="; *part != '\0'; ++part, ++name) {
    if (*name != *part) return 1;
  }
  output = std::fopen(name, "w");
  if (output == nullptr) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, count_block);
  qemu_plugin_register_vcpu_syscall_cb(id, count_call);
  qemu_plugin_register_atexit_cb(id, report, nullptr);
  return 0;
}
