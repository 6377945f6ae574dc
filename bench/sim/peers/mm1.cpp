// A single server at load 0.8 on std::priority_queue, with
// the generator and the exponential variate of our kernel, so that the course
// is the same. Prints processor seconds and a check: the mean sojourn.
//
//   mm1 ARRIVALS HI LO HI LO     the seeds of the two streams
#include <sys/resource.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

static double cpu() {
  rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double zx[257], zf[257];

static void layers() {
  const double end = 7.69711747013104972, area = 0.0039496598225815571993;
  zx[0] = area * std::exp(end);
  zx[1] = end;
  for (int i = 2; i < 256; i++) zx[i] = -std::log(area / zx[i - 1] + std::exp(-zx[i - 1]));
  zx[256] = 0;
  for (int i = 0; i < 257; i++) zf[i] = std::exp(-zx[i]);
}

// PCG DXSM with 128 bits of state, as in math/rand/v2.
struct Stream {
  unsigned __int128 state;
  Stream(uint64_t hi, uint64_t lo) : state((unsigned __int128)hi << 64 | lo) {}
  uint64_t bits() {
    const unsigned __int128 mul = (unsigned __int128)2549297995355413924ULL << 64 | 4865540595714422341ULL;
    const unsigned __int128 inc = (unsigned __int128)6364136223846793005ULL << 64 | 1442695040888963407ULL;
    state = state * mul + inc;
    uint64_t hi = state >> 64, lo = state;
    hi ^= hi >> 32;
    hi *= 0xda942042e4dd58b5ULL;
    hi ^= hi >> 48;
    hi *= lo | 1;
    return hi;
  }
  double uniform() { return (bits() >> 11) * 0x1p-53; }
  double exponential() {
    for (double past = 0;;) {
      uint64_t b = bits();
      int layer = b & 0xFF;
      double x = (b >> 11) * 0x1p-53 * zx[layer];
      if (x < zx[layer + 1]) return past + x;
      if (layer == 0) past += zx[1];
      else if (zf[layer] + uniform() * (zf[layer + 1] - zf[layer]) < std::exp(-x)) return past + x;
    }
  }
  int64_t span(int64_t mean) { return (int64_t)(mean * exponential() + 0.5); }
};

struct Event {
  int64_t at;
  uint64_t seq;
  uint32_t kind;
};
struct Later {
  bool operator()(const Event &a, const Event &b) const { return a.at != b.at ? a.at > b.at : a.seq > b.seq; }
};
typedef std::priority_queue<Event, std::vector<Event>, Later> Queue;

int main(int argc, char **argv) {
  if (argc < 6) return 2;
  auto number = [&](int i) { return strtoull(argv[i], nullptr, 10); };
  layers();
  Queue q;
  uint64_t seq = 0;
  int64_t now = 0;
  double check = 0, start;
  Stream arrivals(number(2), number(3)), service(number(4), number(5));
  uint64_t left = 0, arrived = 0, target = number(1);
  std::queue<int64_t> line;
  start = cpu();
  q.push({arrivals.span(1250000000), ++seq, 0});
  while (left < target) {
    Event e = q.top();
    q.pop();
    now = e.at;
    if (e.kind == 0) {
      if (++arrived < target) q.push({now + arrivals.span(1250000000), ++seq, 0});
      line.push(now);
      if (line.size() == 1) q.push({now + service.span(1000000000), ++seq, 1});
    } else {
      check += (now - line.front()) / 1e9;
      line.pop();
      left++;
      if (!line.empty()) q.push({now + service.span(1000000000), ++seq, 1});
    }
  }
  check /= left;
  printf("%.6f %.9f\n", cpu() - start, check);
}
