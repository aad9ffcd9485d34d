#include "fusion/program.h"

#include <cstdlib>
#include <vector>

#include "pool.h"

namespace gradtape {
namespace {

// Elements computed at a time: a few blocks of this many fit into the first-level cache.
constexpr int64_t BLOCK = 512;
constexpr int MOST_LEAVES = 2 * LONGEST_CHAIN + 2;

// About how long an element takes on one core, in nanoseconds.
double cost(Instruction i) {
    if (i.is_binary) return i.op == DIVIDE ? 0.15 : i.op < GELU_GRAD ? 0.08 : 1;
    switch (i.op) {
        case NEGATIVE: case ABS: case SQUARE: case RELU: return 0.08;
        case SQRT: case RSQRT: case RECIPROCAL: return 0.3;
        default: return 0.7;
    }
}
// To write a value to memory and read it again takes about as long as this: less where several
// arrays of this size fit into the last-level cache.
double dear(int64_t size) { return size <= (int64_t(1) << 21) ? 0.4 : 1.5; }

// Where a step finds an operand, or puts its result, during a block.
struct Place {
    enum Kind : uint8_t { none, buffer, array, row, column, number } kind = none;
    int16_t index = 0;      // of the buffer
    float* data = nullptr;  // of the array, row or column
    float value = 0;        // the number
};

struct Step {
    Instruction instruction;
    Place left, right, result;
};

struct Program {
    std::vector<Step> steps;
    int buffers = 0;
    int64_t size = 0, columns = 0;
    double nanoseconds = 0;
};

// --- making a program ---------------------------------------------------------------------------

class Maker {
  public:
    explicit Maker(Deferred* root) { visit(root); }
    ~Maker() {
        for (Deferred* node : nodes_) node->mark = 0;
    }

    const std::vector<Deferred*>& nodes() const { return nodes_; }

    // Which values are kept besides the last: those that somebody else holds (a tape, a variable
    // of the program), if to compute them again would be dear, or if they are all that keeps alive
    // more than one array, which take more room than the value.
    std::vector<bool> kept() const {
        std::vector<int> uses(nodes_.size(), 0);
        for (Deferred* node : nodes_)
            for (const Operand* operand : {&node->left, &node->right})
                if (int j = place(*operand); j >= 0) uses[j]++;
        std::vector<bool> keep(nodes_.size(), false);
        std::vector<double> costs(nodes_.size(), 0);
        std::vector<int> alone(nodes_.size(), 0);
        for (size_t i = 0; i < nodes_.size(); i++) {
            costs[i] = cost(nodes_[i]->instruction);
            for (const Operand* operand : {&nodes_[i]->left, &nodes_[i]->right}) {
                if (int j = place(*operand); j >= 0) {
                    costs[i] += keep[j] ? 0 : costs[j];
                    alone[i] += keep[j] ? 1 : alone[j];
                } else if (operand->object && operand->extent == Extent::whole) {
                    alone[i] += Py_REFCNT(operand->object) == 1;
                }
            }
            bool is_held = Py_REFCNT(nodes_[i]) > uses[i];
            keep[i] = is_held && (costs[i] > dear(nodes_[i]->size) || alone[i] > 1);
        }
        keep.back() = true;
        return keep;
    }

    // The place in the program of what an operand stands for, or -1.
    static int place(const Operand& operand) {
        PyObject* x = operand.object;
        return x && is_deferred(x) && pending(x) ? deferred(x)->mark - 1 : -1;
    }

    static bool pending(PyObject* x) { return deferred(x)->value == nullptr; }

  private:
    void visit(Deferred* node) {
        for (Operand* operand : {&node->left, &node->right}) {
            PyObject* x = operand->object;
            if (x && is_deferred(x) && pending(x) && !deferred(x)->mark) visit(deferred(x));
        }
        nodes_.push_back(node);
        node->mark = static_cast<int32_t>(nodes_.size());
    }

    std::vector<Deferred*> nodes_;
};

Place place_of(const Operand& operand) {
    Place place;
    if (operand.extent == Extent::number) {
        place.kind = Place::number;
        place.value = operand.number;
    } else if (operand.object) {
        PyObject* x = is_deferred(operand.object) ? deferred(operand.object)->value : operand.object;
        place.kind = operand.extent == Extent::whole ? Place::array
                     : operand.extent == Extent::row ? Place::row
                                                     : Place::column;
        place.data = data(x);
    }
    return place;
}

// Rows and columns are spread into a buffer of the block; whole arrays are read where they lie, and
// results that are not kept go to buffers, which are free again after their last use.
Program make_program(const Maker& maker, const std::vector<PyObject*>& results) {
    const auto& nodes = maker.nodes();
    Program program;
    program.size = nodes.back()->size;
    std::vector<int> last_use(nodes.size(), -1);
    for (size_t i = 0; i < nodes.size(); i++)
        for (const Operand* operand : {&nodes[i]->left, &nodes[i]->right})
            if (int j = Maker::place(*operand); j >= 0) last_use[j] = static_cast<int>(i);
    std::vector<int16_t> free_buffers;
    auto take = [&]() -> int16_t {
        if (free_buffers.empty()) return static_cast<int16_t>(program.buffers++);
        int16_t index = free_buffers.back();
        free_buffers.pop_back();
        return index;
    };
    for (size_t i = 0; i < nodes.size(); i++) {
        Deferred* node = nodes[i];
        Step step{node->instruction, {}, {}, {}};
        std::vector<int16_t> done;
        Place* places[] = {&step.left, &step.right};
        const Operand* operands[] = {&node->left, &node->right};
        for (int side = 0; side < 2; side++) {
            int j = Maker::place(*operands[side]);
            if (j < 0) {
                *places[side] = place_of(*operands[side]);
                if (places[side]->kind == Place::row || places[side]->kind == Place::column)
                    done.push_back(places[side]->index = take());
                continue;
            }
            *places[side] = program.steps[j].result;
            if (last_use[j] == static_cast<int>(i) && places[side]->kind == Place::buffer &&
                (done.empty() || done.back() != places[side]->index))
                done.push_back(places[side]->index);
        }
        // A result may take the place of an operand: every loop reads an element before it is written.
        free_buffers.insert(free_buffers.end(), done.begin(), done.end());
        if (results[i]) {
            step.result.kind = Place::array;
            step.result.data = data(results[i]);
        } else {
            step.result.kind = Place::buffer;
            step.result.index = take();
        }
        if (node->columns) program.columns = node->columns;
        program.nanoseconds += cost(node->instruction) * static_cast<double>(node->size);
        program.steps.push_back(step);
    }
    return program;
}

// --- running it ---------------------------------------------------------------------------------

// One thread's view of a program: its buffers, and the block that it is at.
class Run {
  public:
    explicit Run(const Program& program) : program_(program) {
        size_t bytes = sizeof(float) * static_cast<size_t>(program.buffers) * BLOCK + 64;
        memory_ = static_cast<float*>(std::malloc(bytes));
        auto address = reinterpret_cast<uintptr_t>(memory_);
        buffers_ = reinterpret_cast<float*>((address + 63) / 64 * 64);
    }
    ~Run() { std::free(memory_); }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    bool has_memory() const { return memory_ != nullptr; }

    void block(int64_t begin, int64_t count) {
        const Vectors& v = vectors();
        for (const Step& step : program_.steps) {
            float* result = at(step.result, begin);
            uint8_t op = step.instruction.op;
            if (!step.instruction.is_binary) {
                v.unary[op](result, operand(step.left, begin, count), count);
            } else if (step.right.kind == Place::number) {
                v.with_right[op](result, operand(step.left, begin, count), step.right.value, count);
            } else if (step.left.kind == Place::number) {
                v.with_left[op](result, step.left.value, operand(step.right, begin, count), count);
            } else {
                const float* left = operand(step.left, begin, count);
                v.binary[op](result, left, operand(step.right, begin, count), count);
            }
        }
    }

  private:
    float* at(const Place& place, int64_t begin) {
        return place.kind == Place::buffer ? buffers_ + place.index * BLOCK : place.data + begin;
    }

    const float* operand(const Place& place, int64_t begin, int64_t count) {
        if (place.kind == Place::buffer || place.kind == Place::array) return at(place, begin);
        int64_t columns = program_.columns;
        int64_t row = begin / columns, column = begin - row * columns;
        if (place.kind == Place::row && column + count <= columns) return place.data + column;
        float* spread = buffers_ + place.index * BLOCK;
        for (int64_t done = 0; done < count; row++, column = 0) {
            int64_t run = columns - column < count - done ? columns - column : count - done;
            if (place.kind == Place::row) {
                for (int64_t i = 0; i < run; i++) spread[done + i] = place.data[column + i];
            } else {
                for (int64_t i = 0; i < run; i++) spread[done + i] = place.data[row];
            }
            done += run;
        }
        return spread;
    }

    const Program& program_;
    float* memory_;
    float* buffers_;
};

bool run(const Program& program) {
    bool had_memory = true;
    WithoutLock unlocked(program.nanoseconds);
    parallel(workers_for(program.nanoseconds), [&](int worker, int all) {
        Run part_run(program);
        if (!part_run.has_memory()) {
            had_memory = false;
            return;
        }
        Part part = part_of(program.size, worker, all, BLOCK);
        for (int64_t begin = part.begin; begin < part.end; begin += BLOCK) {
            int64_t count = part.end - begin < BLOCK ? part.end - begin : BLOCK;
            part_run.block(begin, count);
        }
    });
    return had_memory;
}

void drop_operands(Deferred* node) {
    Py_CLEAR(node->left.object);
    Py_CLEAR(node->right.object);
}

}  // namespace

bool compute(Deferred* root, PyObject* into) {
    std::vector<Deferred*> nodes;
    std::vector<PyObject*> results, held;
    Program program;
    bool is_done = true;
    {
        Maker maker(root);
        nodes = maker.nodes();
        std::vector<bool> keep = maker.kept();
        results.assign(nodes.size(), nullptr);
        for (size_t i = 0; i < nodes.size() && is_done; i++) {
            if (!keep[i]) continue;
            bool is_last = i + 1 == nodes.size();
            results[i] = is_last && into ? Py_NewRef(into)
                                         : new_array(nodes[i]->rank, nodes[i]->shape, NPY_FLOAT32);
            is_done = results[i] != nullptr;
        }
        if (is_done) program = make_program(maker, results);
    }
    // While the program runs, another Python thread may compute the same values and let go of them.
    for (Deferred* node : nodes) {
        held.push_back(Py_NewRef(reinterpret_cast<PyObject*>(node)));
        for (Operand* operand : {&node->left, &node->right}) {
            PyObject* x = operand->object;
            if (x) held.push_back(Py_NewRef(is_deferred(x) && deferred(x)->value ? deferred(x)->value : x));
        }
    }
    if (is_done && !run(program)) {
        PyErr_NoMemory();
        is_done = false;
    }
    for (size_t i = 0; i < nodes.size(); i++) {
        if (!results[i]) continue;
        if (is_done && !nodes[i]->value) {
            nodes[i]->value = results[i];
            drop_operands(nodes[i]);
        } else {
            Py_DECREF(results[i]);
        }
    }
    for (PyObject* object : held) Py_DECREF(object);
    return is_done;
}

}  // namespace gradtape
