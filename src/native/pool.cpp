#include "pool.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

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

class Pool {
  public:
    explicit Pool(int threads) {
        for (int worker = 1; worker < threads; worker++)
            std::thread([this, worker] { serve(worker); }).detach();
        helpers_ = threads - 1;
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
        work(argument, 0, workers);
        for (int spins = 0; unfinished_.load(std::memory_order_acquire) > 0; spins++) {
            if (spins < SPINS_BEFORE_YIELD) pause_briefly();
            else std::this_thread::yield();
        }
    }

    int threads() const { return helpers_ + 1; }
    bool awake() const { return sleepers_.load(std::memory_order_relaxed) == 0; }

  private:
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
            if (worker < workers_) work_(argument_, worker, workers_);
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
        int number = text ? std::atoi(text) : 0;
        if (number > 0) return number;
    }
    return processors();
}

int threads_wanted = 0;  // 0: not asked for yet
Pool* the_pool = nullptr;
std::mutex in_use;

// After a fork only the thread that forked exists: the child starts with a pool of its own. (The
// old one is left as it is: its mutexes belong to threads that are gone.)
void forget_pool() {
    the_pool = nullptr;
    new (&in_use) std::mutex;
}

Pool& pool() {
    if (!the_pool || the_pool->threads() < threads_wanted) {
#if defined(__unix__) || defined(__APPLE__)
        static bool registered = (pthread_atfork(nullptr, nullptr, forget_pool), true);
        (void)registered;
#endif
        the_pool = new Pool(threads_wanted);  // its threads live as long as the process
    }
    return *the_pool;
}

}  // namespace

int number_of_threads() {
    if (threads_wanted == 0) threads_wanted = threads_asked_for();
    return threads_wanted;
}

bool threads_are_awake() { return the_pool && the_pool->awake(); }

void set_number_of_threads(int number) {
    std::lock_guard<std::mutex> lock(in_use);
    threads_wanted = number > 0 ? number : 1;
}

void run_parallel(void (*work)(void*, int, int), void* argument, int workers) {
    if (workers > number_of_threads()) workers = number_of_threads();
    if (workers <= 1 || !in_use.try_lock()) {
        work(argument, 0, 1);
        return;
    }
    std::lock_guard<std::mutex> lock(in_use, std::adopt_lock);
    pool().run(work, argument, workers);
}

}  // namespace gradtape
