// One pool of threads for everything native: the caller works too, and is worker 0.
#pragma once

#include <cstdint>
#include <type_traits>

namespace gradtape {

// Returns how many threads a job may use at the most. Setting it is for `config.set_num_threads`.
int number_of_threads();
void set_number_of_threads(long number);

// Calls `work(argument, worker, workers)` for every worker, and returns when all are done; what one
// of them has thrown is thrown again then. A call from inside a job, or while another Python thread
// has the pool, runs as one worker: it never waits.
void run_parallel(void (*work)(void*, int, int), void* argument, int workers);

template <class Work>
void parallel(int workers, Work&& work) {
    using Function = std::remove_reference_t<Work>;
    run_parallel([](void* f, int worker, int all) { (*static_cast<Function*>(f))(worker, all); },
                 const_cast<std::remove_const_t<Function>*>(&work), workers);
}

// Returns whether the other threads are awake, looking for work: just after another job.
bool threads_are_awake();

// Returns how many workers a job of about this many nanoseconds (on one core) is worth. Waking a
// sleeping thread costs 20 to 40 microseconds, handing work to one that is awake about one; and
// what an op has just written lies half in the other core's cache, so that short jobs are divided
// as well.
inline int workers_for(double nanoseconds) {
    int most = number_of_threads();
    if (most == 1 || nanoseconds < 4e3) return 1;
    int useful = static_cast<int>(nanoseconds / (threads_are_awake() ? 2e3 : 25e3));
    return useful < 2 ? 1 : useful < most ? useful : most;
}

// The part of `count` items, in multiples of `grain`, that belongs to one worker.
struct Part {
    int64_t begin, end;
};
inline Part part_of(int64_t count, int worker, int workers, int64_t grain = 1) {
    int64_t grains = (count + grain - 1) / grain;
    int64_t begin = grains * worker / workers * grain,
            end = grains * (worker + 1) / workers * grain;
    return {begin < count ? begin : count, end < count ? end : count};
}

}  // namespace gradtape
