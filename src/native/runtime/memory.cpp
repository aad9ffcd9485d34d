// The memory of new arrays: aligned blocks, kept for the next array of their size when freed.
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "runtime/arrays.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace gradtape {
// Older headers of Python declare it as a function of C++.
extern "C" int PyTraceMalloc_Track(unsigned int domain, uintptr_t block, size_t bytes);

namespace {

constexpr size_t LINE = 64;
constexpr int SIZE_CLASSES = 256;
// What the store keeps at the most, and how many blocks of one size class.
constexpr size_t MAX_KEPT_BYTES = size_t(256) << 20;
constexpr int MAX_PER_CLASS = 16;

struct Shelf {
    void* blocks[MAX_PER_CLASS];
    int count = 0;
};
Shelf shelves[SIZE_CLASSES];
size_t kept = 0;
// NumPy frees arrays with the interpreter's lock held in ordinary builds; not in all.
std::mutex store;

// Size classes: eight to each power of two, so that at most an eighth is lost by rounding up.
struct Class {
    int index;
    size_t bytes;
};
Class class_of(size_t bytes) {
    if (bytes <= 1024) {
        size_t lines = bytes ? (bytes + LINE - 1) / LINE : 1;
        return {static_cast<int>(lines - 1), lines * LINE};
    }
    int power = 63 -
                __builtin_clzll(static_cast<unsigned long long>(bytes - 1));  // 2^power < bytes
    size_t step = (size_t(1) << power) / 8;
    size_t steps = (bytes - (size_t(1) << power) + step - 1) / step;  // 1 to 8
    return {16 + (power - 10) * 8 + static_cast<int>(steps - 1),
            (size_t(1) << power) + steps * step};
}

// In front of every block, on a cache line of its own: what was allocated.
struct Header {
    Class size_class;
};
static_assert(sizeof(Header) <= LINE);
Header* header_of(void* block) {
    return reinterpret_cast<Header*>(static_cast<char*>(block) - LINE);
}

// Memory that nobody has used. Large blocks ask for large pages: with those, a pass over an array
// does not stop at every 4 KiB to look up where they are.
constexpr size_t LARGE_PAGE = size_t(2) << 20;

void* fresh(size_t bytes) {
    void* start = nullptr;
    bool is_large = bytes >= LARGE_PAGE;
    if (posix_memalign(&start, is_large ? LARGE_PAGE : LINE, bytes) != 0) return nullptr;
#if defined(MADV_HUGEPAGE)
    if (is_large) madvise(start, bytes, MADV_HUGEPAGE);
#endif
    return start;
}

void* allocate(void*, size_t bytes) {
    Class c = class_of(bytes);
    if (c.index < SIZE_CLASSES) {
        std::lock_guard<std::mutex> lock(store);
        Shelf& shelf = shelves[c.index];
        if (shelf.count) {
            kept -= c.bytes;
            return shelf.blocks[--shelf.count];
        }
    }
    void* start = fresh(c.bytes + LINE);
    if (!start) return nullptr;
    static_cast<Header*>(start)->size_class = c;
    return static_cast<char*>(start) + LINE;
}

void release(void*, void* block, size_t) {
    if (!block) return;
    Class c = header_of(block)->size_class;
    if (c.index < SIZE_CLASSES) {
        std::lock_guard<std::mutex> lock(store);
        Shelf& shelf = shelves[c.index];
        if (shelf.count < MAX_PER_CLASS && kept + c.bytes <= MAX_KEPT_BYTES) {
            kept += c.bytes;
            shelf.blocks[shelf.count++] = block;
            return;
        }
    }
    std::free(header_of(block));
}

void* allocate_zeroed(void* context, size_t count, size_t each) {
    void* block = allocate(context, count * each);
    return block ? std::memset(block, 0, count * each) : nullptr;
}

void* reallocate(void* context, void* block, size_t bytes) {
    void* other = allocate(context, bytes);
    if (other && block) {
        size_t old = header_of(block)->size_class.bytes;
        std::memcpy(other, block, old < bytes ? old : bytes);
        release(context, block, 0);
    }
    return other;
}

PyDataMem_Handler handler = {
    "gradtape", 1, {nullptr, allocate, allocate_zeroed, reallocate, release}};
PyObject* handler_capsule = nullptr;

// Tells `tracemalloc`, if it is tracing: as NumPy does for its own arrays. NumPy says when one is
// freed, whoever made it.
void trace(void* block, size_t bytes) {
    constexpr unsigned int NUMPY_ARRAYS = 389047;
    gradtape::PyTraceMalloc_Track(NUMPY_ARRAYS, reinterpret_cast<uintptr_t>(block), bytes);
}

}  // namespace

bool prepare_memory() {
    handler_capsule = PyCapsule_New(&handler, "mem_handler", nullptr);
    return handler_capsule != nullptr;
}

PyObject* new_array(int rank, const npy_intp* shape, int type) {
    PyArray_Descr* descr = PyArray_DescrFromType(type);
    size_t bytes = PyDataType_ELSIZE(descr);
    for (int i = 0; i < rank; i++) bytes *= shape[i];
    void* block = allocate(nullptr, bytes);
    if (!block) {
        Py_DECREF(descr);
        return PyErr_NoMemory();
    }
    PyObject* made = PyArray_NewFromDescr(&PyArray_Type, descr, rank, shape, nullptr, block,
                                          NPY_ARRAY_CARRAY, nullptr);
    if (!made) {
        release(nullptr, block, 0);
        return nullptr;
    }
    // From here on NumPy owns the block, and frees it through the handler.
    auto* fields = reinterpret_cast<PyArrayObject_fields*>(made);
    Py_INCREF(handler_capsule);
    fields->mem_handler = handler_capsule;
    fields->flags |= NPY_ARRAY_OWNDATA;
    trace(block, bytes);
    return made;
}

}  // namespace gradtape
