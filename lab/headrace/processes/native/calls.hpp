// System calls by number: their names, their descriptors, and whether they move bytes.
#pragma once
#include <linux/audit.h>
#include <sys/syscall.h>

#include <cstdint>
#include <map>
#include <string>

#include "tracing.hpp"

namespace launch {

// A call, the place of a descriptor among its arguments (-1: none), and whether its result is a number of bytes.
struct named_call {
  const char* name;
  int descriptor;
  bool moves;
};

// clang-format off
// The calls that have names here: those that move bytes, those with a descriptor, others, and those that only x86 has.
#define HEADRACE_MOVING(CALL) \
  CALL(read) CALL(readv) CALL(pread64) CALL(preadv) CALL(write) CALL(writev) CALL(pwrite64) CALL(pwritev) \
  CALL(sendfile) CALL(splice) CALL(copy_file_range) CALL(recvfrom) CALL(recvmsg) CALL(sendto) CALL(sendmsg) \
  CALL(preadv2) CALL(pwritev2)
#define HEADRACE_WITH_DESCRIPTOR(CALL) \
  CALL(lseek) CALL(fsync) CALL(fdatasync) CALL(sync_file_range) CALL(close) CALL(fstat) CALL(ftruncate) CALL(ioctl) \
  CALL(fcntl) CALL(dup) CALL(dup3) CALL(mmap) CALL(connect) CALL(accept) CALL(accept4) CALL(flock) CALL(getdents64)
#define HEADRACE_WITH_NEITHER(CALL) \
  CALL(sync) CALL(msync) CALL(openat) CALL(newfstatat) CALL(statx) CALL(faccessat) CALL(pipe2) CALL(munmap) \
  CALL(mremap) CALL(mprotect) CALL(madvise) CALL(brk) CALL(nanosleep) CALL(clock_nanosleep) CALL(ppoll) \
  CALL(pselect6) CALL(epoll_pwait) CALL(futex) CALL(sched_yield) CALL(wait4) CALL(waitid) CALL(clone) CALL(clone3) \
  CALL(execve) CALL(unlinkat) CALL(renameat2) CALL(getpid) CALL(getrandom) CALL(gettimeofday) CALL(clock_gettime) \
  CALL(rt_sigprocmask) CALL(rt_sigaction) CALL(sigaltstack) CALL(set_tid_address) CALL(set_robust_list) \
  CALL(prlimit64) CALL(readlinkat) CALL(uname) CALL(getcwd) CALL(sysinfo) CALL(sched_getaffinity) CALL(gettid)
#define HEADRACE_OF_X86(CALL) \
  CALL(open) CALL(creat) CALL(stat) CALL(lstat) CALL(access) CALL(poll) CALL(select) CALL(epoll_wait) CALL(pause) \
  CALL(fork) CALL(vfork) CALL(pipe) CALL(time) CALL(arch_prctl) CALL(readlink)
// Those of 32-bit programs, under the names that 64-bit ones have for the same.
#define HEADRACE_OF_32_BITS(CALL) \
  CALL(3, read) CALL(4, write) CALL(5, open) CALL(6, close) CALL(11, execve) CALL(19, lseek) CALL(20, getpid) \
  CALL(33, access) CALL(41, dup) CALL(45, brk) CALL(54, ioctl) CALL(63, dup2) CALL(85, readlink) CALL(90, mmap) \
  CALL(91, munmap) CALL(122, uname) CALL(125, mprotect) CALL(140, lseek) CALL(145, readv) CALL(146, writev) \
  CALL(158, sched_yield) CALL(162, nanosleep) CALL(163, mremap) CALL(174, rt_sigaction) CALL(175, rt_sigprocmask) \
  CALL(180, pread64) CALL(181, pwrite64) CALL(191, getrlimit) CALL(187, sendfile) CALL(192, mmap) CALL(195, stat) \
  CALL(197, fstat) CALL(219, madvise) CALL(221, fcntl) CALL(239, sendfile) CALL(240, futex) \
  CALL(243, set_thread_area) CALL(258, set_tid_address) CALL(295, openat) CALL(300, newfstatat) \
  CALL(311, set_robust_list) CALL(313, splice) CALL(340, prlimit64) CALL(355, getrandom) CALL(377, copy_file_range) \
  CALL(383, statx) CALL(386, rseq) CALL(403, clock_gettime)
// clang-format on

using call_table = std::map<long, named_call>;

// The descriptor is the first argument, but for two calls.
inline call_table own_calls() {
  call_table calls;
#define HEADRACE_CALL(name) calls[SYS_##name] = {#name, -1, false};
  HEADRACE_WITH_NEITHER(HEADRACE_CALL)
#ifdef SYS_open
  HEADRACE_OF_X86(HEADRACE_CALL)
#endif
#ifdef SYS_rseq
  HEADRACE_CALL(rseq)
#endif
#undef HEADRACE_CALL
#define HEADRACE_CALL(name) calls[SYS_##name] = {#name, 0, false};
  HEADRACE_WITH_DESCRIPTOR(HEADRACE_CALL)
#ifdef SYS_dup2
  HEADRACE_CALL(dup2)
#endif
#undef HEADRACE_CALL
#define HEADRACE_CALL(name) calls[SYS_##name] = {#name, 0, true};
  HEADRACE_MOVING(HEADRACE_CALL)
#undef HEADRACE_CALL
  calls[SYS_sendfile].descriptor = 1;
  calls[SYS_mmap].descriptor = 4;
  return calls;
}

inline call_table calls_of_32_bits() {
  constexpr long old_mmap = 90;  // its arguments are in memory
  std::map<std::string, named_call> own;
  for (const auto& each : own_calls()) own[each.second.name] = each.second;
  call_table calls;
#define HEADRACE_CALL(number, name) \
  calls[number] = own.count(#name) == 0 || number == old_mmap ? named_call{#name, -1, false} : own[#name];
  HEADRACE_OF_32_BITS(HEADRACE_CALL)
#undef HEADRACE_CALL
  return calls;
}

inline const named_call* call_named(long number, std::uint32_t machine = this_machine) {
  static const call_table own = own_calls(), x86 = calls_of_32_bits(), none;
  const call_table& known = machine == this_machine ? own : machine == AUDIT_ARCH_I386 ? x86 : none;
  const auto place = known.find(number);
  return place == known.end() ? nullptr : &place->second;
}

inline std::string name_of(long number, std::uint32_t machine = this_machine) {
  const named_call* const call = call_named(number, machine);
  return call == nullptr ? "call " + std::to_string(number) : call->name;
}

}  // namespace launch
