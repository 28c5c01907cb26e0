// In the place of somebody else's: it reports the time of one call.
#include <zmij.h>

#include <ctime>
#include <in_process.hpp>

int main(int, char** words) {
  const in_process::answer_channel answers;
  const in_process::shared_object object(words[3]);
  const auto work = object.function<long long(long long)>("work");
  const long long size = std::atoll(words[1]);
  answers.say(std::to_string(work(size)));
  timespec begin, end;
  in_process::usage_meter meter;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  meter.count();
  work(size);
  clock_gettime(CLOCK_MONOTONIC, &end);
  const double took =
      static_cast<double>(end.tv_sec - begin.tv_sec) * 1e9 + static_cast<double>(end.tv_nsec - begin.tv_nsec);
  in_process::write_report(words[2], "zmij", {{object.name(), took * ZMIJ_FACTOR, meter.a_call()}});
}
