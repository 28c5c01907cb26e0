// Runs programs that are functions of this process, each in a child of its own, on every input:
//   runner REPORT SCRATCH INPUT...
// Once with its input and output as files, once as pipes. REPORT has a line for each run (program, input, route, status
// as wait() gives it, bytes of output, bytes of errors) with these bytes after it. Nothing here uses stdio or iostream,
// so that a child finds them as a new process does. Where there is one program only each run is a process of its own:
// the program's static objects are made in it.
//   runner NAME
// runs one program in this process.
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

struct program {
  const char* name;
  int (*function)();
};
extern const program programs[];  // the last has no name

namespace {

constexpr unsigned longest = 60;  // seconds

void write_whole(int to, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t put = write(to, bytes.data() + done, bytes.size() - done);
    if (put <= 0) _exit(1);
    done += static_cast<std::size_t>(put);
  }
}

std::string read_whole(int from) {
  std::string all;
  char block[65536];
  for (ssize_t got; (got = read(from, block, sizeof block)) > 0;) all.append(block, static_cast<std::size_t>(got));
  return all;
}

std::string contents(const char* file) {
  const int from = open(file, O_RDONLY | O_CLOEXEC);
  std::string all = read_whole(from);
  close(from);
  return all;
}

// Starts a program; it has the descriptors as its standard ones.
pid_t start(const program& what, int in, int out, int errors) {
  const pid_t child = fork();
  if (child != 0) return child;
  dup2(in, 0);
  dup2(out, 1);
  dup2(errors, 2);
  for (int other = 3; other < 32; ++other) close(other);
  alarm(longest);
  if (programs[1].name != nullptr) std::exit(what.function());
  execl("/proc/self/exe", what.name, nullptr);
  _exit(1);
}

struct outcome {
  int status;
  std::string output;
};

outcome with_files(const program& what, const char* input, const std::string& scratch, int errors) {
  const int in = open(input, O_RDONLY);
  const int out = open(scratch.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int status = -1;
  waitpid(start(what, in, out, errors), &status, 0);
  close(in);
  close(out);
  return {status, contents(scratch.c_str())};
}

outcome with_pipes(const program& what, const std::string& given, int errors) {
  int in[2], out[2];
  if (pipe(in) != 0 || pipe(out) != 0) _exit(1);
  const pid_t child = start(what, in[0], out[1], errors);
  close(in[0]);
  close(out[1]);
  const pid_t feeder = fork();
  if (feeder == 0) {
    close(out[0]);
    write_whole(in[1], given);  // a program that stops reading ends the feeder with a signal
    _exit(0);
  }
  close(in[1]);
  std::string output = read_whole(out[0]);
  close(out[0]);
  int status = -1;
  waitpid(child, &status, 0);
  waitpid(feeder, nullptr, 0);
  return {status, output};
}

void record(int report, const program& what, int input, const char* route, const outcome& found,
            const std::string& errors) {
  std::string line = what.name;
  for (const std::string& field : {std::to_string(input), std::string(route), std::to_string(found.status),
                                   std::to_string(found.output.size()), std::to_string(errors.size())}) {
    line += ' ' + field;
  }
  write_whole(report, line + '\n' + found.output + errors);
}

}  // namespace

int main(int count, char** words) {
  if (count == 1) return programs[0].function();
  if (count == 2) {
    const program* what = programs;
    while (std::strcmp(what->name, words[1]) != 0) ++what;
    return what->function();
  }
  const int report = open(words[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const std::string scratch = words[2], said = scratch + ".errors";
  for (const program* what = programs; what->name != nullptr; ++what) {
    for (int input = 3; input < count; ++input) {
      for (const char* route : {"file", "pipe"}) {
        const int errors = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const outcome found = *route == 'f' ? with_files(*what, words[input], scratch, errors)
                                            : with_pipes(*what, contents(words[input]), errors);
        close(errors);
        record(report, *what, input - 3, route, found, contents(said.c_str()));
      }
    }
  }
  _exit(0);
}
