// Work on many elements or rows, divided between the threads.
#pragma once

#include "runtime/arrays.h"
#include "runtime/threads.h"

namespace gradtape {

// About how long an element takes on one core, in nanoseconds: mostly the memory's time.
constexpr double ELEMENT = 0.25;
constexpr int64_t GRAIN = 1024;

// Calls work(begin, end) for parts of `count` items, of about `each` nanoseconds, whose borders are
// multiples of `grain`.
template <class Work>
void in_parts(int64_t count, double each, int64_t grain, Work&& work) {
    double time = each * static_cast<double>(count);
    int workers = workers_for(time);
    if (workers == 1) {
        work(int64_t(0), count);
        return;
    }
    WithoutLock unlocked(time);
    parallel(workers, [&](int worker, int all) {
        Part part = part_of(count, worker, all, grain);
        if (part.begin < part.end) work(part.begin, part.end);
    });
}

}  // namespace gradtape
