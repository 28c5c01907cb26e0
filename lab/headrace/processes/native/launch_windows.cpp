// launch_windows: the launcher of a Windows host. It starts one program on one route by CreateProcess, waits for it,
// and prints the same line of JSON as launch.cpp.
//
//   launch_windows [--source none|file|pipe] [--input FILE] [--sink capture|file|null|pipe|pty] [--output FILE]
//                  [--timeout SECONDS] [--pin CPU] [--no-check] [--text] -- PROGRAM [ARGUMENT...]
//   launch_windows --digest FILE
//
// The console of a pty sink is a pseudo-console (ConPTY, Windows 10 of 2018 or newer), which draws what the program
// prints: what arrives is not the text itself. Exit status: 0 with a line on stdout, or 2 with a sentence on stderr
// when the run could not take place.
#if !defined(_WIN32_WINNT) || _WIN32_WINNT < 0x0600
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0600
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#define PSAPI_VERSION 2
#include <psapi.h>

#include <fcntl.h>
#include <io.h>
#include <process.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "options.hpp"
#include "output.hpp"

namespace launch {

[[noreturn]] void stop_with_error(const std::string& what) {
  stop(what + ": error " + std::to_string(GetLastError()) + " of Windows");
}

// Reads a handle to its end. With `text`, a "\r" before "\n" is left out.
void read_all(HANDLE from, bool text, output& to) {
  std::string block(65536, '\0');
  bool pending = false;  // the last block ended in '\r'
  for (DWORD got = 0; ReadFile(from, block.data(), static_cast<DWORD>(block.size()), &got, nullptr) && got > 0;) {
    if (!text) {
      to.add(block.data(), got);
      continue;
    }
    const char* const end = block.data() + got;
    for (const char* at = block.data(); at != end;) {
      if (pending && *at != '\n') to.add("\r", 1);
      pending = false;
      const void* found = std::memchr(at, '\r', static_cast<std::size_t>(end - at));
      const char* const stop_at = found != nullptr ? static_cast<const char*>(found) : end;
      to.add(at, static_cast<std::size_t>(stop_at - at));
      pending = found != nullptr;
      at = pending ? stop_at + 1 : end;
    }
  }
  if (pending) to.add("\r", 1);
}

// Runs an action in a thread of its own. Not std::thread: some builds of g++ for Windows have none.
template <class Action>
unsigned __stdcall run_action(void* given) {
  Action* const action = static_cast<Action*>(given);
  (*action)();
  delete action;
  return 0;
}

template <class Action>
HANDLE start_thread(Action action) {
  auto* const own = new Action(action);
  const auto thread = _beginthreadex(nullptr, 0, run_action<Action>, own, 0, nullptr);
  if (thread == 0) stop("cannot start a thread");
  return reinterpret_cast<HANDLE>(thread);
}

void join(HANDLE thread) {
  WaitForSingleObject(thread, INFINITE);
  CloseHandle(thread);
}

// Moves a file into a pipe until either ends; a reader that leaves early is no error.
void feed(HANDLE file, HANDLE pipe) {
  std::string block(65536, '\0');
  for (DWORD got = 0; ReadFile(file, block.data(), static_cast<DWORD>(block.size()), &got, nullptr) && got > 0;) {
    for (DWORD done = 0, put = 0; done < got; done += put) {
      if (!WriteFile(pipe, block.data() + done, got - done, &put, nullptr)) got = done = 0;
      if (got == 0) break;
    }
    if (got == 0) break;
  }
  CloseHandle(pipe);
}

HANDLE open_file(const std::string& path, DWORD access, DWORD how, bool inherited) {
  SECURITY_ATTRIBUTES inherit{sizeof inherit, nullptr, inherited};
  const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileA(path.c_str(), access, share, &inherit, how, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) stop_with_error("cannot open " + path);
  return file;
}

void make_pipe(HANDLE& read, HANDLE& write, bool child_reads) {
  SECURITY_ATTRIBUTES inherit{sizeof inherit, nullptr, TRUE};
  if (!CreatePipe(&read, &write, &inherit, 65536)) stop_with_error("cannot make a pipe");
  SetHandleInformation(child_reads ? write : read, HANDLE_FLAG_INHERIT, 0);
}

// ConPTY by name, so that the launcher starts where there is none.
struct pseudo_console {
  using create_type = HRESULT(WINAPI*)(COORD, HANDLE, HANDLE, DWORD, void**);
  using close_type = void(WINAPI*)(void*);

  void* console = nullptr;
  HANDLE screen = nullptr;  // what the console draws
  close_type close_console = nullptr;

  void open() {
    const HMODULE kernel = GetModuleHandleA("kernel32.dll");
    const auto create =
        reinterpret_cast<create_type>(reinterpret_cast<void*>(GetProcAddress(kernel, "CreatePseudoConsole")));
    close_console = reinterpret_cast<close_type>(reinterpret_cast<void*>(GetProcAddress(kernel, "ClosePseudoConsole")));
    if (create == nullptr || close_console == nullptr)
      stop("this Windows has no pseudo-console; the sink pty needs Windows 10 of 2018");
    HANDLE keyboard = nullptr, keys = nullptr, drawn = nullptr;
    make_pipe(keyboard, keys, true);
    make_pipe(screen, drawn, false);
    const HRESULT result = create(COORD{80, 24}, keyboard, drawn, 0, &console);
    if (result < 0) stop("cannot make a pseudo-console: result " + std::to_string(result));
    CloseHandle(keyboard);  // the console has its own
    CloseHandle(drawn);
  }

  void close() { close_console(console); }
};

// The ends of a run: what the child gets, and what the launcher keeps.
struct ends {
  HANDLE child_input = nullptr;
  HANDLE child_output = nullptr;
  HANDLE child_error = nullptr;
  HANDLE input = nullptr;  // the input file, for a feeder
  HANDLE feed = nullptr;   // the write end of a source pipe
  HANDLE drain = nullptr;  // the read end of a sink pipe
  HANDLE kept = nullptr;   // the sink's file, to be read back
  HANDLE error = nullptr;  // the read end of the child's stderr
  pseudo_console terminal;
};

void open_source(const options& wanted, ends& to) {
  if (wanted.source == "none") {
    to.child_input = open_file("NUL", GENERIC_READ, OPEN_EXISTING, true);
  } else if (wanted.source == "file") {
    to.child_input = open_file(wanted.input, GENERIC_READ, OPEN_EXISTING, true);
  } else if (wanted.source == "pipe") {
    to.input = open_file(wanted.input, GENERIC_READ, OPEN_EXISTING, false);
    make_pipe(to.child_input, to.feed, true);
  } else {
    stop("the source " + wanted.source + " is not known on Windows; use none, file or pipe");
  }
}

void open_sink(const options& wanted, ends& to) {
  make_pipe(to.error, to.child_error, false);
  if (wanted.sink == "capture" || wanted.sink == "pipe") {
    make_pipe(to.drain, to.child_output, false);
  } else if (wanted.sink == "null") {
    to.child_output = open_file("NUL", GENERIC_WRITE, OPEN_EXISTING, true);
  } else if (wanted.sink == "file") {
    to.child_output = open_file(wanted.output, GENERIC_READ | GENERIC_WRITE, CREATE_ALWAYS, true);
    if (wanted.check) to.kept = to.child_output;
  } else if (wanted.sink == "pty") {
    to.terminal.open();
  } else {
    stop("the sink " + wanted.sink + " is not known on Windows; use capture, file, null, pipe or pty");
  }
}

// Quotes a word as the C runtime of Windows takes it apart again.
std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\"") == std::string::npos) return word;
  std::string result = "\"";
  std::size_t slashes = 0;
  for (const char byte : word) {
    if (byte == '"') result.append(slashes + 1, '\\');
    slashes = byte == '\\' ? slashes + 1 : 0;
    result += byte;
  }
  return result.append(slashes, '\\') + '"';
}

// The list of a start's attributes: the one that puts the child into the pseudo-console.
struct attributes {
  std::string memory;
  LPPROC_THREAD_ATTRIBUTE_LIST list = nullptr;

  void add_console(void* console) {
    constexpr DWORD_PTR pseudo_console_attribute = 0x00020016;
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory.resize(size);
    list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory.data());
    if (!InitializeProcThreadAttributeList(list, 1, 0, &size) ||
        !UpdateProcThreadAttribute(list, 0, pseudo_console_attribute, console, sizeof console, nullptr, nullptr)) {
      stop_with_error("cannot hand over the pseudo-console");
    }
  }
};

PROCESS_INFORMATION start(const options& wanted, const ends& from) {
  std::string line;
  for (char** word = wanted.command; *word != nullptr; ++word) line += (line.empty() ? "" : " ") + quoted(*word);
  STARTUPINFOEXA info{};
  info.StartupInfo.cb = sizeof info;
  info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  info.StartupInfo.hStdInput = from.child_input;
  info.StartupInfo.hStdOutput = from.child_output;  // none on a pseudo-console: the child gets the console's own
  info.StartupInfo.hStdError = from.child_error;
  attributes extra;
  if (from.terminal.console != nullptr) {
    extra.add_console(from.terminal.console);
    info.lpAttributeList = extra.list;
  }
  const DWORD flags = CREATE_SUSPENDED | (extra.list != nullptr ? EXTENDED_STARTUPINFO_PRESENT : 0u);
  PROCESS_INFORMATION child{};
  if (!CreateProcessA(nullptr, line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr, &info.StartupInfo,
                      &child)) {
    stop_with_error(std::string("cannot start ") + wanted.command[0]);
  }
  return child;
}

// A job holds the child and all that it starts, so that a time-out ends them all.
HANDLE job_of(const options& wanted, HANDLE child) {
  const HANDLE job = CreateJobObjectA(nullptr, nullptr);
  if (job == nullptr) stop_with_error("cannot make a job");
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  AssignProcessToJobObject(job, child);
  if (wanted.pin >= 0 && !SetProcessAffinityMask(child, DWORD_PTR{1} << wanted.pin)) {
    stop_with_error("cannot pin to processor " + std::to_string(wanted.pin));
  }
  return job;
}

double seconds_of(const FILETIME& time) {
  return static_cast<double>(static_cast<std::uint64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime) * 1e-7;
}

double now() {
  LARGE_INTEGER ticks, frequency;
  QueryPerformanceCounter(&ticks);
  QueryPerformanceFrequency(&frequency);
  return static_cast<double>(ticks.QuadPart) / static_cast<double>(frequency.QuadPart);
}

struct run {
  double wall = 0, user = 0, system = 0;
  std::uint64_t peak_memory = 0, faults = 0;
  DWORD status = 0;
  bool timed_out = false;
  output out, err;
};

void measure(HANDLE child, run& to) {
  FILETIME begun, ended, system, user;
  if (GetProcessTimes(child, &begun, &ended, &system, &user)) {
    to.user = seconds_of(user);
    to.system = seconds_of(system);
  }
  PROCESS_MEMORY_COUNTERS memory{};
  if (GetProcessMemoryInfo(child, &memory, sizeof memory)) {
    to.peak_memory = memory.PeakWorkingSetSize;
    to.faults = memory.PageFaultCount;
  }
  GetExitCodeProcess(child, &to.status);
}

void read_back(HANDLE file, bool text, output& to) {
  if (file == nullptr) return;
  SetFilePointer(file, 0, nullptr, FILE_BEGIN);
  read_all(file, text, to);
}

// Waits for the child, then ends whatever it left behind, so that no drain waits for a stray grandchild.
void wait_for(const options& wanted, const PROCESS_INFORMATION& child, HANDLE job, double started, run& to) {
  const auto limit = static_cast<DWORD>(wanted.timeout * 1000);
  if (WaitForSingleObject(child.hProcess, limit) == WAIT_TIMEOUT) {
    to.timed_out = true;
    TerminateJobObject(job, 1);
    WaitForSingleObject(child.hProcess, INFINITE);
  }
  to.wall = now() - started;
  measure(child.hProcess, to);
  CloseHandle(job);
}

void run_once(const options& wanted, run& to) {
  if (wanted.cold) stop("--cold needs Linux: Windows cannot drop one file from its cache");
  ends with;
  open_source(wanted, with);
  open_sink(wanted, with);
  const PROCESS_INFORMATION child = start(wanted, with);
  const HANDLE job = job_of(wanted, child.hProcess);
  for (const HANDLE end : {with.child_input, with.child_output, with.child_error}) {
    if (end != nullptr && end != with.kept) CloseHandle(end);
  }
  if (with.feed != nullptr) start_thread([file = with.input, pipe = with.feed] { feed(file, pipe); });
  const HANDLE drained = with.terminal.screen != nullptr ? with.terminal.screen : with.drain;
  const HANDLE errors = start_thread([&] { read_all(with.error, false, to.err); });
  HANDLE drain = nullptr;
  if (drained != nullptr) drain = start_thread([&, drained] { read_all(drained, wanted.text, to.out); });
  const double started = now();
  ResumeThread(child.hThread);
  wait_for(wanted, child, job, started, to);
  if (with.terminal.console != nullptr) with.terminal.close();  // draws what is left, then ends the drain
  if (drain != nullptr) join(drain);
  join(errors);
  read_back(with.kept, wanted.text, to.out);
  if (wanted.sink == "file") {
    CloseHandle(with.kept);
    DeleteFileA(wanted.output.c_str());
  }
}

// A status of 0xC0000000 and above names what ended the program (0xC0000005: a bad address): a signal, as it were.
void print(const run& result) {
  const bool crashed = result.status >= 0xC0000000u;
  std::printf("{\"wall\":%.9f,\"user\":%.6f,\"system\":%.6f,\"peak_memory\":%" PRIu64 ",\"minor_faults\":%" PRIu64
              ",\"major_faults\":0,\"voluntary_switches\":0,\"involuntary_switches\":0,"
              "\"exit\":%lu,\"signal\":%d,\"timed_out\":%s,\"stayed\":-1.000,"
              "\"bytes\":%" PRIu64 ",\"digest\":\"%016" PRIx64 "\",\"head\":\"%s\",\"stderr\":\"%s\"}\n",
              result.wall, result.user, result.system, result.peak_memory, result.faults, crashed ? 0 : result.status,
              crashed ? 11 : 0, result.timed_out ? "true" : "false", result.out.sum.bytes(), result.out.sum.value(),
              base64(result.out.head).c_str(), base64(result.err.head).c_str());
}

int digest_file(const char* path) {
  output all;
  read_all(open_file(path, GENERIC_READ, OPEN_EXISTING, false), false, all);
  std::printf("%" PRIu64 " %016" PRIx64 "\n", all.sum.bytes(), all.sum.value());
  return 0;
}

}  // namespace launch

int main(int count, char** words) {
  using namespace launch;
  _setmode(1, _O_BINARY);
  if (count == 3 && std::strcmp(words[1], "--digest") == 0) return digest_file(words[2]);
  const options wanted = parse(count, words);
  if (wanted.memory > 0 || !wanted.variables.empty()) stop("--memory and --variable are not for programs of Windows");
  run result;
  result.err.head_limit = 4096;
  run_once(wanted, result);
  print(result);
  std::fflush(stdout);
  std::_Exit(0);  // not exit: a feeder may still wait in a write
}
