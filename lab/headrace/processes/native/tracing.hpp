// A program that stands still, as ptrace shows it: its system call, its registers, its memory.
#pragma once
#include <elf.h>
#include <limits.h>
#include <linux/audit.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace launch {

#if defined(__x86_64__)
constexpr std::uint32_t this_machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t this_machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t this_machine = 0;
#endif

// ptrace's PTRACE_GET_SYSCALL_INFO of Linux 5.3, which not every libc has a name for.
struct call_facts {
  std::uint8_t operation;  // 1: the call begins, 2: it has returned, 3: seccomp stopped it
  std::uint8_t padding[3];
  std::uint32_t machine;
  std::uint64_t instruction;
  std::uint64_t stack;
  union {
    struct {
      std::uint64_t number;
      std::uint64_t arguments[6];
    } entered;
    struct {
      std::int64_t value;
      std::uint8_t is_error;
    } returned;
  };
};

inline bool facts_of(pid_t thread, call_facts& to) {
  constexpr int get_syscall_info = 0x420e;
  return ptrace(static_cast<decltype(PTRACE_CONT)>(get_syscall_info), thread, sizeof to, &to) > 0;
}

inline bool registers_of(pid_t thread, user_regs_struct& to) {
  const iovec place{&to, sizeof to};
  return ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &place) == 0;
}

// Reads memory of a process that stands still; fewer bytes where it has no more.
inline std::string memory_of(pid_t process, std::uint64_t address, std::size_t size) {
  std::string bytes(size, '\0');
  const iovec here{&bytes[0], size};
  const iovec there{reinterpret_cast<void*>(address), size};
  const ssize_t got = process_vm_readv(process, &here, 1, &there, 1, 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

inline std::string text_of(pid_t process, std::uint64_t address) {
  std::string text;
  while (text.size() < PATH_MAX) {  // up to the end of a page: the next one may not be there
    const std::string part = memory_of(process, address + text.size(), 256 - (address + text.size()) % 256);
    const std::size_t end = part.find('\0');
    text += part.substr(0, end);
    if (end != std::string::npos || part.empty()) break;
  }
  return text;
}

// Ends as the watched program did, so that who waits for this process sees the same.
[[noreturn]] inline void end_as(int status) {
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(128 + WTERMSIG(status));
}

}  // namespace launch
