#include "fusion/program.h"

#include <algorithm>
#include <cstdlib>

#include "pool.h"
#include "reductions.h"

namespace gradtape {
namespace {

// About how long an element takes on one core, in nanoseconds.
double cost(Instruction i) {
    if (i.is_binary) {
        switch (i.op) {
            case DIVIDE: case DIVIDE_NO_NAN: return 0.2;
            case POWER: return 3;
            case ELU: case GELU_GRAD: case GELU_TANH_GRAD: return 1;
            default: return 0.08;
        }
    }
    switch (i.op) {
        case NEGATIVE: case ABS: case SIGN: case SQUARE: case CUBE: case RELU: return 0.08;
        case SQRT: case RSQRT: case RECIPROCAL: return 0.3;
        case EXP: return 0.5;
        case SOFTPLUS: return 2;
        default: return 0.9;
    }
}
// To write a value to memory and read it again takes about as long as this: less where several
// arrays of this size fit into the last-level cache.
double dear(int64_t size) { return size <= (int64_t(1) << 21) ? 0.4 : 1.5; }

// The place in the program of what an operand stands for, or -1.
int place_in_chain(const Operand& operand) {
    return is_pending_op(operand.object) ? deferred(operand.object)->mark - 1 : -1;
}

Place place_of(const Operand& operand) {
    Place place;
    if (operand.extent == Extent::number) {
        place.kind = Place::number;
        place.value = operand.number;
    } else if (operand.object) {
        PyObject* x = operand.object;
        if (is_deferred(x)) x = deferred(x)->value;
        place.kind = operand.extent == Extent::whole ? Place::array
                     : operand.extent == Extent::row ? Place::row
                                                     : Place::column;
        place.data = data(x);
    }
    return place;
}

}  // namespace

// --- making a program ---------------------------------------------------------------------------

void Chain::add(Deferred* root) {
    if (root->mark) return;
    for (Operand* operand : {&root->left, &root->right})
        if (is_pending_op(operand->object)) add(deferred(operand->object));
    nodes_.push_back(root);
    root->mark = static_cast<int32_t>(nodes_.size());
}

bool Chain::shares_with(Deferred* root) const {
    if (root->mark) return cost(root->instruction) > 0.4;
    for (const Operand* operand : {&root->left, &root->right})
        if (is_pending_op(operand->object) && shares_with(deferred(operand->object))) return true;
    return false;
}

std::vector<char> Chain::kept(Deferred* root, const std::vector<Deferred*>& totals,
                              Deferred* reduced) const {
    size_t count = nodes_.size();
    std::vector<int> uses(count, 0), alone(count, 0);
    std::vector<char> keep(count, 0), goes_on(count, 0);
    std::vector<double> costs(count, 0);
    for (Deferred* node : nodes_)
        for (const Operand* operand : {&node->left, &node->right})
            if (int j = place_in_chain(*operand); j >= 0) uses[j]++;
    for (Deferred* total : totals) {
        int j = place_in_chain(total->left);
        uses[j]++;
        goes_on[j] = 1;
    }
    if (reduced) goes_on[place(reduced)] = 1;
    for (size_t i = 0; i < count; i++) {
        Deferred* node = nodes_[i];
        costs[i] = cost(node->instruction);
        for (const Operand* operand : {&node->left, &node->right}) {
            if (int j = place_in_chain(*operand); j >= 0) {
                costs[i] += keep[j] ? 0 : costs[j];
                alone[i] += keep[j] ? 1 : alone[j];
            } else if (operand->object && operand->extent == Extent::whole) {
                alone[i] += Py_REFCNT(operand->object) == 1;
            }
        }
        bool is_held = Py_REFCNT(node) > uses[i];
        bool is_dear = costs[i] > dear(node->size) && (node->wanted != Wanted::no || !goes_on[i]);
        bool is_sure = node->wanted == Wanted::surely;
        keep[i] = node == root || (is_held && (is_dear || is_sure || alone[i] > 1));
        if (goes_on[i] && !is_sure) node->wanted = Wanted::again;
    }
    return keep;
}

// Rows and columns are spread into a buffer of the block; whole arrays are read where they lie, and
// results that are not kept go to buffers, which are free again after their last use.
Program make_program(const Chain& chain, const std::vector<PyObject*>& results,
                     const std::vector<int>& lasting, int window) {
    const auto& nodes = chain.nodes();
    Program program;
    program.size = nodes.back()->size;
    std::vector<int> last_use(nodes.size(), -1);
    for (size_t i = 0; i < nodes.size(); i++)
        for (const Operand* operand : {&nodes[i]->left, &nodes[i]->right})
            if (int j = place_in_chain(*operand); j >= 0) last_use[j] = static_cast<int>(i);
    for (int i : lasting) last_use[i] = static_cast<int>(nodes.size());
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
            int j = place_in_chain(*operands[side]);
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
        // A result may take the place of an operand: every loop reads an element before it is
        // written.
        free_buffers.insert(free_buffers.end(), done.begin(), done.end());
        if (results[i]) {
            step.result.kind = Place::array;
            step.result.data = data(results[i]);
        } else if (static_cast<int>(i) == window) {
            step.result.kind = Place::window;
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

Run::Run(const Program& program) : program_(program) {
    size_t bytes = sizeof(float) * static_cast<size_t>(program.buffers) * BLOCK + 64;
    memory_ = static_cast<float*>(std::malloc(bytes));
    auto address = reinterpret_cast<uintptr_t>(memory_);
    buffers_ = reinterpret_cast<float*>((address + 63) / 64 * 64);
}

Run::~Run() { std::free(memory_); }

void Run::block(int64_t begin, int64_t count, float* window) {
    const Vectors& v = vectors();
    window_ = window;
    int64_t columns = program_.columns, row = columns ? begin / columns : 0;
    bool in_one_row = columns && begin - row * columns + count <= columns;
    // Of a column, the elements of one row see a single number.
    auto is_number = [=](const Place& place) {
        return place.kind == Place::number || (place.kind == Place::column && in_one_row);
    };
    auto number = [=](const Place& place) {
        return place.kind == Place::number ? place.value : place.data[row];
    };
    for (const Step& step : program_.steps) {
        float* result = at(step.result, begin);
        uint8_t op = step.instruction.op;
        if (!step.instruction.is_binary) {
            v.unary[op](result, operand(step.left, begin, count), count);
        } else if (is_number(step.right)) {
            v.with_right[op](result, operand(step.left, begin, count), number(step.right), count);
        } else if (is_number(step.left)) {
            v.with_left[op](result, number(step.left), operand(step.right, begin, count), count);
        } else {
            const float* left = operand(step.left, begin, count);
            v.binary[op](result, left, operand(step.right, begin, count), count);
        }
    }
}

const float* Run::values(int step, int64_t begin) const {
    return at(program_.steps[step].result, begin);
}

float* Run::at(const Place& place, int64_t begin) const {
    if (place.kind == Place::buffer) return buffers_ + place.index * BLOCK;
    return place.kind == Place::window ? window_ : place.data + begin;
}

const float* Run::operand(const Place& place, int64_t begin, int64_t count) {
    if (place.kind != Place::row && place.kind != Place::column) return at(place, begin);
    int64_t columns = program_.columns;
    int64_t row = begin / columns, column = begin - row * columns;
    if (place.kind == Place::row && column + count <= columns) return place.data + column;
    float* spread = buffers_ + place.index * BLOCK;
    for (int64_t done = 0; done < count; row++, column = 0) {
        int64_t run = std::min(columns - column, count - done);
        if (place.kind == Place::row) std::copy_n(place.data + column, run, spread + done);
        else std::fill_n(spread + done, run, place.data[row]);
        done += run;
    }
    return spread;
}

bool run(const Program& program) {
    bool had_memory = true;
    WithoutLock unlocked(program.nanoseconds);
    parallel(workers_for(program.nanoseconds), [&](int worker, int all) {
        Run own(program);
        if (!own.has_memory()) {
            had_memory = false;
            return;
        }
        // A stretch of a total belongs to one worker.
        Part part = part_of(program.size, worker, all, program.totals.empty() ? BLOCK : STRETCH);
        // Blocks end where rows do, if those are not short, so that nothing has to be spread. (The
        // order of sums knows nothing of rows.)
        int64_t columns = program.columns;
        bool by_rows = columns >= BLOCK / 2 && program.totals.empty();
        // A single op has nothing to keep in the cache, nor does it need buffers then.
        bool is_alone = program.steps.size() == 1 && program.totals.empty();
        int64_t most = is_alone && (by_rows || !columns) ? 32 * BLOCK : BLOCK;
        for (int64_t begin = part.begin, count; begin < part.end; begin += count) {
            count = std::min(part.end - begin, most);
            if (by_rows) count = std::min(count, columns - begin % columns);
            own.block(begin, count);
            for (const Total& total : program.totals) {
                double& stretch = total.parts[begin / STRETCH];
                double found = reduced_run(total.how, own.values(total.step, begin), count);
                bool is_first = begin % STRETCH == 0;
                stretch = is_first ? found : joined_two(total.how, stretch, found);
            }
        }
    });
    return had_memory;
}

}  // namespace gradtape
