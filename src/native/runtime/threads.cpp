#include "runtime/threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gradtape {
namespace {

inline void pause_briefly() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// A worker looks for the next job for some microseconds before it sleeps: the ops of a training
// step follow each other closely, and a wake-up costs more than many of them.
constexpr int SPINS_BEFORE_SLEEP = 8000;
constexpr int SPINS_BEFORE_YIELD = 20000;
// More would be a mistake: each takes memory and a place in the system's tables.
constexpr int MAX_THREADS = 1024;

class Pool {
  public:
    explicit Pool(int threads) {
        try {
            for (int worker = 1; worker < threads; worker++) {
                std::thread([this, worker] { serve(worker); }).detach();
                helpers_ = worker;
            }
        } catch (const std::exception&) {
            // The system gives no more, or there is no memory: those that have started do the work.
        }
    }

    void run(void (*work)(void*, int, int), void* argument, int workers) {
        work_ = work;
        argument_ = argument;
        workers_ = workers;
        unfinished_.store(helpers_, std::memory_order_relaxed);
        job_.fetch_add(1);
        if (sleepers_.load() > 0) {
            std::lock_guard<std::mutex> lock(mutex_);
            wake_.notify_all();
        }
        do_part(0);
        for (int spins = 0; unfinished_.load(std::memory_order_acquire) > 0; spins++) {
            if (spins < SPINS_BEFORE_YIELD) pause_briefly();
            else std::this_thread::yield();
        }
        if (has_thrown_.exchange(false, std::memory_order_relaxed))
            std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

    int threads() const { return helpers_ + 1; }
    bool awake() const { return sleepers_.load(std::memory_order_relaxed) == 0; }

  private:
    // Does one worker's part of the job, and keeps the first exception for the thread that waits.
    // Leaving a thread of the pool, it would end the process; leaving the waiting thread at once,
    // it would take away what the others still work on.
    void do_part(int worker) {
        try {
            work_(argument_, worker, workers_);
        } catch (...) {
            if (!has_thrown_.exchange(true)) thrown_ = std::current_exception();
        }
    }

    void serve(int worker) {
        uint32_t done = 0;
        for (;;) {
            for (int spins = 0; job_.load(std::memory_order_acquire) == done; spins++) {
                if (spins < SPINS_BEFORE_SLEEP) {
                    pause_briefly();
                    continue;
                }
                std::unique_lock<std::mutex> lock(mutex_);
                sleepers_.fetch_add(1);
                wake_.wait(lock, [&] { return job_.load() != done; });
                sleepers_.fetch_sub(1);
            }
            done = job_.load(std::memory_order_acquire);
            if (worker < workers_) do_part(worker);
            unfinished_.fetch_sub(1, std::memory_order_acq_rel);
        }
    }

    int helpers_ = 0;
    std::atomic<uint32_t> job_{0};
    std::atomic<int> unfinished_{0}, sleepers_{0};
    std::mutex mutex_;
    std::condition_variable wake_;
    void (*work_)(void*, int, int) = nullptr;
    void* argument_ = nullptr;
    int workers_ = 1;
    std::atomic<bool> has_thrown_{false};
    std::exception_ptr
        thrown_;  // written by the worker that sets the flag, read after all are done
};

int processors() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    int number = static_cast<int>(std::thread::hardware_concurrency());
    return number > 0 ? number : 1;
}

int threads_asked_for() {
    for (const char* name : {"GRADTAPE_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) {
        const char* text = std::getenv(name);
        long number = text ? std::strtol(text, nullptr, 10) : 0;  // 0 for what is no number
        if (number > 0) return static_cast<int>(std::min<long>(number, MAX_THREADS));
    }
    return processors();
}

// Changed with `in_use` held, read by the thread that is about to start a job.
std::atomic<int> threads_wanted{0};  // 0: not asked for yet
std::atomic<Pool*> the_pool{nullptr};
std::mutex in_use;

// Forgets the pool: after a fork only the thread that forked exists: the child starts with a pool
// of its own. (The old one is left as it is: its mutexes belong to threads that are gone.)
void forget_pool() {
    the_pool.store(nullptr);
    new (&in_use) std::mutex;
}

// Returns the pool, or null if there is no memory for one. To be called with `in_use` held.
Pool* pool() {
    Pool* here = the_pool.load(std::memory_order_acquire);
    int wanted = threads_wanted.load(std::memory_order_relaxed);
    if (!here || here->threads() < wanted) {
#if defined(__unix__) || defined(__APPLE__)
        static bool registered = (pthread_atfork(nullptr, nullptr, forget_pool), true);
        (void)registered;
#endif
        here = new (std::nothrow) Pool(wanted);  // its threads live as long as the process
        if (!here) return nullptr;
        threads_wanted.store(here->threads(), std::memory_order_relaxed);
        the_pool.store(here, std::memory_order_release);
    }
    return here;
}

}  // namespace

int number_of_threads() {
    int wanted = threads_wanted.load(std::memory_order_relaxed);
    if (wanted) return wanted;
    int asked = threads_asked_for();
    // Unless another thread has just set it.
    return threads_wanted.compare_exchange_strong(wanted, asked) ? asked : wanted;
}

bool threads_are_awake() {
    Pool* here = the_pool.load(std::memory_order_acquire);
    return here && here->awake();
}

void set_number_of_threads(long number) {
    std::lock_guard<std::mutex> lock(in_use);
    long most = MAX_THREADS;
    threads_wanted.store(static_cast<int>(std::clamp(number, 1L, most)), std::memory_order_relaxed);
}

void run_parallel(void (*work)(void*, int, int), void* argument, int workers) {
    if (workers > number_of_threads()) workers = number_of_threads();
    if (workers <= 1 || !in_use.try_lock()) {
        work(argument, 0, 1);
        return;
    }
    std::lock_guard<std::mutex> lock(in_use, std::adopt_lock);
    if (Pool* here = pool()) here->run(work, argument, std::min(workers, here->threads()));
    else work(argument, 0, 1);
}

}  // namespace gradtape
