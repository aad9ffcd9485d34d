#include "flat/program.h"

#include <cstdlib>
#include <map>

#include "fusion/deferred.h"

namespace gradtape::flat {
namespace {

constexpr int64_t LINE = 64;

// Memory for buffers that live from one step to another: those that live at the same time lie
// apart, others may lie in the same place.
class Arena {
  public:
    int64_t size() const { return size_; }

    int64_t take(int64_t bytes) {
        auto best = free_.end();
        for (auto each = free_.begin(); each != free_.end(); ++each)
            if (each->second >= bytes && (best == free_.end() || each->second < best->second))
                best = each;
        if (best == free_.end()) {
            int64_t offset = size_;
            // What is free at the end grows.
            if (!free_.empty()) {
                auto last = std::prev(free_.end());
                if (last->first + last->second == size_) {
                    offset = last->first;
                    free_.erase(last);
                }
            }
            size_ = offset + bytes;
            return offset;
        }
        int64_t offset = best->first, rest = best->second - bytes;
        free_.erase(best);
        if (rest) free_[offset + bytes] = rest;
        return offset;
    }

    void give_back(int64_t offset, int64_t bytes) {
        auto next = free_.lower_bound(offset);
        if (next != free_.end() && offset + bytes == next->first) {
            bytes += next->second;
            next = free_.erase(next);
        }
        if (next != free_.begin()) {
            auto before = std::prev(next);
            if (before->first + before->second == offset) {
                before->second += bytes;
                return;
            }
        }
        free_[offset] = bytes;
    }

  private:
    std::map<int64_t, int64_t> free_;  // by offset
    int64_t size_ = 0;
};

Port port_of(const Value& value) {
    Port port;
    port.buffer = value.buffer;
    port.layout = value.layout;
    port.type = value.type;
    port.item = value.item;
    port.dtype = PyArray_DescrFromType(value.type);
    Py_DECREF(port.dtype);
    return port;
}

}  // namespace

Frame::~Frame() { std::free(memory); }

// Returns a result's value: an array of its own, which no other result is.
int Program::own_result(int number) {
    const Value& value = builder[number];
    Buffer& buffer = builder.buffers[static_cast<size_t>(value.buffer)];
    bool is_whole = value.offset == 0 && value.is_contiguous() &&
                    value.layout.size() * value.item == buffer.bytes;
    if (buffer.kind != Kind::temporary || !is_whole) {
        int made = builder.temporary(value.layout, value.type);
        builder.copy(builder[number], builder[made]);
        number = made;
    }
    builder.buffers[static_cast<size_t>(builder[number].buffer)].kind = Kind::result;
    return number;
}

Port Program::view_result(const Value& value) {
    Buffer& buffer = builder.buffers[static_cast<size_t>(value.buffer)];
    if (buffer.kind == Kind::temporary) {
        Value whole;
        whole.layout.rank = 1;
        whole.layout.shape[0] = buffer.bytes;
        whole.layout.strides[0] = whole.item = 1;
        whole.type = NPY_BYTE;
        whole.buffer = value.buffer;
        hidden.push_back(port_of(whole));
        buffer.kind = Kind::result;
    }
    Port port = port_of(value);
    port.is_view = true;
    port.offset = value.offset;
    return port;
}

void Program::finish(const std::vector<int>& given, const std::vector<int>& wanted) {
    for (int number : given) inputs.push_back(port_of(builder[number]));
    std::vector<int> numbers = wanted;
    for (int number : numbers) builder.materialize(number);
    builder.parts.clear();  // nothing reads the others
    for (int& number : numbers)
        if (builder[number].is_contiguous()) number = own_result(number);
    for (int number : numbers)
        results.push_back(builder[number].is_contiguous() ? port_of(builder[number])
                                                          : view_result(builder[number]));
    for (const auto& step : builder.steps) cost += step->cost;
    plan_memory();
}

void Program::plan_memory() {
    size_t count = builder.buffers.size();
    std::vector<int64_t> last(count, -1);
    for (size_t i = 0; i < builder.steps.size(); i++)
        for (int buffer : builder.steps[i]->buffers)
            last[static_cast<size_t>(buffer)] = static_cast<int64_t>(i);
    offsets_.assign(count, -1);
    Arena arena;
    auto bytes_of = [&](size_t buffer) {
        return (builder.buffers[buffer].bytes + LINE - 1) / LINE * LINE;
    };
    for (size_t i = 0; i < builder.steps.size(); i++) {
        const std::vector<int>& touched = builder.steps[i]->buffers;
        for (int buffer : touched) {
            auto b = static_cast<size_t>(buffer);
            if (builder.buffers[b].kind == Kind::temporary && offsets_[b] < 0)
                offsets_[b] = arena.take(bytes_of(b));
        }
        for (int buffer : touched) {
            auto b = static_cast<size_t>(buffer);
            if (offsets_[b] < 0 || last[b] != static_cast<int64_t>(i)) continue;
            arena.give_back(offsets_[b], bytes_of(b));
            last[b] = -1;  // a step may touch it twice
        }
    }
    bytes_ = arena.size();
}

std::unique_ptr<Frame> Program::take_frame() {
    if (spare_) return std::move(spare_);
    auto frame = std::make_unique<Frame>();
    if (bytes_) {
        void* memory = nullptr;
        if (posix_memalign(&memory, LINE, static_cast<size_t>(bytes_)) != 0) throw std::bad_alloc();
        frame->memory = static_cast<char*>(memory);
    }
    for (size_t i = 0; i < builder.buffers.size(); i++) {
        const Buffer& buffer = builder.buffers[i];
        char* data = offsets_[i] >= 0 ? frame->memory + offsets_[i] : buffer.data;
        frame->buffers.push_back(data);
    }
    return frame;
}

bool read_argument(const Port& port, PyObject* argument, Number16* number, char** data) {
    if (is_deferred(argument) && !(argument = array_of(argument))) return false;
    if (PyArray_CheckExact(argument)) {
        PyArrayObject* x = array(argument);
        // Kernels compute arrays of rank 0 otherwise than NumPy's scalars.
        if (PyArray_DESCR(x)->type_num != port.type || port.layout.rank == 0 ||
            PyArray_NDIM(x) != port.layout.rank || !PyArray_ISCARRAY_RO(x) ||
            !std::equal(port.layout.shape, port.layout.shape + port.layout.rank, PyArray_DIMS(x)))
            return false;
        *data = static_cast<char*>(PyArray_DATA(x));
        return true;
    }
    if (port.layout.rank || Py_TYPE(argument) != port.dtype->typeobj) return false;
    PyArray_ScalarAsCtype(argument, number->bytes);
    *data = number->bytes;
    return true;
}

}  // namespace gradtape::flat
