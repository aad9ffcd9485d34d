#include "fusion/program.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "kernels/conv/direct.h"
#include "kernels/reduce.h"
#include "runtime/scratch.h"
#include "runtime/threads.h"

namespace gradtape {
namespace {

constexpr double CHOICE_COST = 0.08;  // of comparisons and what is done with their results

// Returns about how long an element takes on one core, in nanoseconds.
double cost(const Deferred* node) {
    Instruction i = node->instruction;
    if (i.reach == Reach::matrix) {
        PyArrayObject* x = array(node->left.object);
        int inner = PyArray_NDIM(x) - (i.op & TRANSPOSED_LEFT ? 2 : 1);
        return product_time(1, 1, PyArray_DIM(x, inner));
    }
    if (i.reach == Reach::row) return i.op == SOFTMAX ? 0.7 : 0.3;
    return i.kind == Kind::numeric ? COST[i.op] : CHOICE_COST;
}
// Returns about how long it takes to write a value to memory and read it again: less where several
// arrays of this size fit into the last-level cache.
double store_cost(int64_t size) { return size <= (int64_t(1) << 21) ? 0.4 : 1.5; }

// Returns the step in the program of what an operand stands for, or -1.
int step_behind(const Operand& operand) {
    return is_pending_op(operand.object) ? deferred(operand.object)->mark - 1 : -1;
}

Location location_of(const Operand& operand) {
    Location location;
    if (operand.extent == Extent::number) {
        location.kind = Location::number;
        location.value = operand.number;
    } else if (operand.object && operand.extent != Extent::matrices) {
        PyObject* x = operand.object;
        if (is_deferred(x)) x = deferred(x)->value;
        location.kind = operand.extent == Extent::whole ? Location::array
                        : operand.extent == Extent::row ? Location::row
                                                        : Location::column;
        location.data = PyArray_DATA(array(x));
    }
    return location;
}

}  // namespace

// --- making a program ---------------------------------------------------------------------------

void Chain::add(Deferred* root) {
    if (root->mark) return;
    for (const Operand* operand : root->operands())
        if (is_pending_op(operand->object)) add(deferred(operand->object));
    nodes_.push_back(root);
    root->mark = static_cast<int32_t>(nodes_.size());
}

bool Chain::meets(Deferred* root) const {
    if (root->mark) return true;
    for (const Operand* operand : root->operands())
        if (is_pending_op(operand->object) && meets(deferred(operand->object))) return true;
    return false;
}

bool Chain::shares_with(Deferred* root) const {
    if (root->mark) return cost(root) > 0.4;
    for (const Operand* operand : root->operands())
        if (is_pending_op(operand->object) && shares_with(deferred(operand->object))) return true;
    return false;
}

std::vector<char> Chain::kept(const std::vector<Deferred*>& roots,
                              const std::vector<Deferred*>& totals, Deferred* reduced) const {
    size_t count = nodes_.size();
    std::vector<int> uses(count, 0), alone(count, 0);
    std::vector<char> keep(count, 0), goes_on(count, 0);
    std::vector<double> costs(count, 0);
    for (Deferred* node : nodes_)
        for (const Operand* operand : node->operands())
            if (int j = step_behind(*operand); j >= 0) uses[j]++;
    for (Deferred* total : totals) {
        int j = step_behind(total->left);
        uses[j]++;
        goes_on[j] = 1;
    }
    if (reduced) goes_on[step_of(reduced)] = 1;
    for (size_t i = 0; i < count; i++) {
        Deferred* node = nodes_[i];
        costs[i] = cost(node);
        for (const Operand* operand : node->operands()) {
            if (int j = step_behind(*operand); j >= 0) {
                costs[i] += keep[j] ? 0 : costs[j];
                alone[i] += keep[j] ? 1 : alone[j];
            } else if (operand->object && operand->extent == Extent::whole) {
                alone[i] += Py_REFCNT(operand->object) == 1;
            }
        }
        bool is_held = Py_REFCNT(node) > uses[i];
        bool is_costly = costs[i] > store_cost(node->size) &&
                         (node->wanted != Wanted::no || !goes_on[i]);
        bool is_sure = node->wanted == Wanted::surely;
        // A bool takes less room than any array of numbers.
        bool saves_room = alone[i] > (node->dtype() == NPY_BOOL ? 0 : 1);
        bool is_root = std::find(roots.begin(), roots.end(), node) != roots.end();
        keep[i] = is_root || (is_held && (is_costly || is_sure || saves_room));
        if (goes_on[i] && !is_sure) node->wanted = Wanted::again;
    }
    return keep;
}

// Makes the program. Rows and columns are spread into a buffer of the block; whole arrays are read
// where they lie, and results that are not kept go to buffers, which are free again after their
// last use.
Program make_program(const Chain& chain, const std::vector<PyObject*>& results,
                     const std::vector<int>& lasting, int window) {
    const auto& nodes = chain.nodes();
    Program program;
    program.size = nodes.back()->size;
    std::vector<int> last_use(nodes.size(), -1);
    for (size_t i = 0; i < nodes.size(); i++)
        for (const Operand* operand : nodes[i]->operands())
            if (int j = step_behind(*operand); j >= 0) last_use[j] = static_cast<int>(i);
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
        Step step{node->instruction, {}, {}, {}, {}};
        std::vector<int16_t> done;
        Location* locations[] = {&step.left, &step.right, &step.condition};
        for (size_t side = 0; side < std::size(locations); side++) {
            const Operand& operand = *node->operands()[side];
            int j = step_behind(operand);
            if (j < 0) {
                *locations[side] = location_of(operand);
                if (locations[side]->kind == Location::row ||
                    locations[side]->kind == Location::column)
                    done.push_back(locations[side]->index = take());
                continue;
            }
            *locations[side] = program.steps[j].result;
            int16_t index = locations[side]->index;
            if (last_use[j] == static_cast<int>(i) && locations[side]->kind == Location::buffer &&
                std::find(done.begin(), done.end(), index) == done.end())
                done.push_back(index);
        }
        // A result may overwrite an operand: every loop reads an element before it is written. But
        // not one of another width.
        bool of_one_width = node->instruction.kind == Kind::numeric ||
                            node->instruction.kind == Kind::logical;
        auto set_free = [&] { free_buffers.insert(free_buffers.end(), done.begin(), done.end()); };
        if (of_one_width) set_free();
        if (results[i]) {
            step.result.kind = Location::array;
            step.result.data = PyArray_DATA(array(results[i]));
        } else if (static_cast<int>(i) == window) {
            step.result.kind = Location::window;
        } else if (node->instruction.reach == Reach::matrix) {
            step.result.kind = Location::matrix;
        } else {
            step.result.kind = Location::buffer;
            step.result.index = take();
        }
        if (!of_one_width) set_free();
        if (node->columns) program.columns = node->columns;
        if (node->instruction.reach == Reach::row) program.row = node->shape[node->rank - 1];
        if (node->instruction.reach == Reach::matrix) {
            program.product = static_cast<int>(i);
            program.matrices.read(node);
        }
        program.nanoseconds += cost(node) * static_cast<double>(node->size);
        program.steps.push_back(step);
    }
    if (program.row) program.block = std::max(program.row, BLOCK / program.row * program.row);
    return program;
}

// --- running it ---------------------------------------------------------------------------------

Run::Run(const Program& program)
    : program_(program), vectors_(vectors()), block_(rounded_up(program.block, 16)) {
    int64_t floats = program.buffers * block_, matrix = 0;
    if (program.product >= 0 && program.steps[program.product].result.kind == Location::matrix)
        matrix = program.matrices.rows_at_a_time() * program.matrices.columns;
    memory_ = static_cast<float*>(
        std::malloc(sizeof(float) * static_cast<size_t>(floats + matrix) + 64));
    if (!memory_) throw std::bad_alloc();
    auto past_line = reinterpret_cast<uintptr_t>(memory_) % 64;
    buffers_ = memory_ + (past_line ? (64 - past_line) / sizeof(float) : 0);
    matrix_ = buffers_ + floats;
}

Run::~Run() { std::free(memory_); }

void Run::block(int64_t begin, int64_t count, float* window) {
    window_ = window;
    int64_t columns = program_.columns;
    row_ = columns ? begin / columns : 0;
    in_one_row_ = columns && begin - row_ * columns + count <= columns;
    for (const Step& step : program_.steps) {
        switch (step.instruction.reach) {
            case Reach::element: compute(step, begin, count); break;
            case Reach::row: rows(step, begin, count); break;
            case Reach::matrix: break;  // multiplied already
        }
    }
}

void Run::compute(const Step& step, int64_t begin, int64_t count) {
    if (step.instruction.kind == Kind::comparison) return compare(step, begin, count);
    if (step.instruction.kind == Kind::logical) return combine_bools(step, begin, count);
    if (step.instruction.kind == Kind::select) return select(step, begin, count);
    float* result = at(step.result, begin);
    uint8_t op = step.instruction.op;
    if (!step.instruction.is_binary()) {
        vectors_.unary[op](result, operand(step.left, begin, count), count);
    } else if (is_number(step.right)) {
        const float* left = operand(step.left, begin, count);
        vectors_.with_right[op](result, left, number<float>(step.right), count);
    } else if (is_number(step.left)) {
        const float* right = operand(step.right, begin, count);
        vectors_.with_left[op](result, number<float>(step.left), right, count);
    } else {
        const float* left = operand(step.left, begin, count);
        vectors_.binary[op](result, left, operand(step.right, begin, count), count);
    }
}

void Run::compare(const Step& step, int64_t begin, int64_t count) {
    bool* result = at<bool>(step.result, begin);
    uint8_t op = step.instruction.op;
    if (is_number(step.right)) {
        const float* left = operand(step.left, begin, count);
        vectors_.compare_right[op](result, left, number<float>(step.right), count);
    } else if (is_number(step.left)) {
        const float* right = operand(step.right, begin, count);
        vectors_.compare_right[TURNED[op]](result, right, number<float>(step.left), count);
    } else {
        const float* left = operand(step.left, begin, count);
        vectors_.compare[op](result, left, operand(step.right, begin, count), count);
    }
}

void Run::combine_bools(const Step& step, int64_t begin, int64_t count) {
    bool* result = at<bool>(step.result, begin);
    uint8_t op = step.instruction.op;
    const Location *left = &step.left, *right = &step.right;
    if (is_number(*left)) std::swap(left, right);
    const bool* x = operand<bool>(*left, begin, count);
    if (!step.instruction.is_binary()) vectors_.logical_right[op](result, x, false, count);
    else if (is_number(*right)) vectors_.logical_right[op](result, x, number<bool>(*right), count);
    else vectors_.logical[op](result, x, operand<bool>(*right, begin, count), count);
}

void Run::select(const Step& step, int64_t begin, int64_t count) {
    float *result = at(step.result, begin), numbers[2];
    const float* values[2];
    const Location* locations[] = {&step.left, &step.right};
    bool is_one[2];
    for (int i = 0; i < 2; i++) {
        is_one[i] = is_number(*locations[i]);
        if (is_one[i]) numbers[i] = number<float>(*locations[i]);
        values[i] = is_one[i] ? &numbers[i] : operand(*locations[i], begin, count);
    }
    if (is_number(step.condition)) {  // one for the whole row
        int chosen = number<bool>(step.condition) ? 0 : 1;
        if (is_one[chosen]) std::fill_n(result, count, numbers[chosen]);
        else std::copy_n(values[chosen], count, result);
        return;
    }
    const bool* condition = operand<bool>(step.condition, begin, count);
    vectors_.select[is_one[0]][is_one[1]](result, condition, values[0], values[1], count);
}

void Run::rows(const Step& step, int64_t begin, int64_t count) {
    const RowLoops& loops = vectors_.rows;
    float* result = at(step.result, begin);
    const float* x = at(step.left, begin);
    const float* y = step.instruction.is_binary() ? at(step.right, begin) : nullptr;
    for (int64_t i = 0; i < count; i += program_.row) {
        if (y) loops.softmax_gradient(result + i, x + i, y + i, program_.row);
        else loops.softmax(result + i, x + i, program_.row);
    }
}

void Run::blocks(int64_t begin, int64_t end) {
    // Blocks end where rows do, if those are not short, so that nothing has to be spread. (The
    // order of sums knows nothing of rows.)
    int64_t columns = program_.columns;
    bool by_rows = columns >= BLOCK / 2 && program_.totals.empty();
    // A single op has nothing to keep in the cache, nor does it need buffers then.
    bool is_alone = program_.steps.size() == 1 && program_.totals.empty();
    int64_t most = program_.block * (is_alone && (by_rows || !columns) ? 32 : 1);
    for (int64_t count; begin < end; begin += count) {
        count = std::min(end - begin, most);
        if (by_rows) count = std::min(count, columns - begin % columns);
        block(begin, count);
        for (const Total& total : program_.totals) {
            double& stretch = total.parts[begin / STRETCH];
            double value = reduced_run(total.how, values(total.step, begin), count);
            bool is_first = begin % STRETCH == 0;
            stretch = is_first ? value : joined_two(total.how, stretch, value);
        }
    }
}

void Run::products(int64_t begin, int64_t end, const Matrices* after, float* result) {
    const Matrices& m = program_.matrices;
    const Location& location = program_.steps[program_.product].result;
    int64_t some = m.rows_at_a_time();
    for (int64_t i = begin; i < end; i++) {
        Pairs<float> own(m.x, m.y, m.rank, m.shape, i);
        DirectProduct product(own.x, own.y, m.columns, m.inner);
        std::optional<DirectProduct> next;
        if (after) {
            Pairs<float> its(after->x, after->y, after->rank, after->shape, i);
            next.emplace(its.x, its.y, after->columns, after->inner, true);
        }
        for (int64_t row = 0; row < m.rows; row += some) {
            int64_t last = std::min(m.rows, row + some);
            int64_t first = (i * m.rows + row) * m.columns;
            matrix_begin_ = first;
            product.multiply(at(location, first), m.columns, row, last, false);
            if (program_.steps.size() > 1) blocks(first, (i * m.rows + last) * m.columns);
            if (next)
                next->multiply(result + (i * m.rows + row) * after->columns, after->columns, row,
                               last, false);
        }
    }
}

const float* Run::values(int step, int64_t begin) const {
    return at(program_.steps[step].result, begin);
}

template <class T>
T* Run::at(const Location& location, int64_t begin) const {
    if (location.kind == Location::buffer) return buffer<T>(location.index);
    if constexpr (std::is_same_v<T, float>) {
        if (location.kind == Location::matrix) return matrix_ + (begin - matrix_begin_);
        if (location.kind == Location::window) return window_;
    }
    return static_cast<T*>(location.data) + begin;
}

template <class T>
const T* Run::operand(const Location& location, int64_t begin, int64_t count) {
    if (location.kind != Location::row && location.kind != Location::column)
        return at<T>(location, begin);
    int64_t columns = program_.columns;
    int64_t row = row_, column = begin - row * columns;
    const T* from = static_cast<const T*>(location.data);
    if (location.kind == Location::row && column + count <= columns) return from + column;
    T* spread = buffer<T>(location.index);
    for (int64_t done = 0; done < count; row++, column = 0) {
        int64_t run = std::min(columns - column, count - done);
        if (location.kind == Location::row) std::copy_n(from + column, run, spread + done);
        else std::fill_n(spread + done, run, from[row]);
        done += run;
    }
    return spread;
}

void run(const Program& program, const Matrices* after, float* result) {
    WithoutLock unlocked(program.nanoseconds);
    parallel(workers_for(program.nanoseconds), [&](int worker, int all) {
        Run own(program);
        if (program.product >= 0) {
            Part part = part_of(program.matrices.count, worker, all);
            own.products(part.begin, part.end, after, result);
            return;
        }
        // A stretch of a total belongs to one worker.
        int64_t grain = program.totals.empty() ? program.block : STRETCH;
        Part part = part_of(program.size, worker, all, grain);
        own.blocks(part.begin, part.end);
    });
}

}  // namespace gradtape
