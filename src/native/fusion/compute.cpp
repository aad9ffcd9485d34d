#include "fusion/compute.h"

#include <algorithm>
#include <utility>

#include "errors.h"
#include "fusion/donation.h"
#include "fusion/program.h"
#include "fusion/watch.h"
#include "runtime/ref.h"
#include "runtime/work_split.h"

namespace gradtape {
namespace {

// What a total may keep alive for the time of a backward pass, and beyond it: elements.
constexpr int64_t SMALL = 1 << 14;

// Ops of one pass, unless they are behind a single value.
constexpr size_t MAX_NODES = 4 * MAX_CHAIN_LENGTH;

// The last total that was deferred and is not computed yet, or null. Not owned.
Deferred* last_total = nullptr;

// What is computed together, and what becomes of it.
class Job {
  public:
    ~Job() {
        claim_.end();  // before the ops are let go
        for (PyObject* result : results_) Py_XDECREF(result);
        for (PyObject* object : held_) Py_DECREF(object);
    }

    void add(Deferred* root) {
        if (root->is_total) {
            chain_.add(deferred(root->left.object));
            totals_.push_back(root);
        } else {
            chain_.add(root);
            roots_.push_back(root);
        }
    }
    // Takes along what is wanted together with the first root and has ops in common with it.
    void take_siblings() {
        if (roots_.empty() || !roots_[0]->next) return;
        for (Deferred* other = roots_[0]->next; other != roots_[0]; other = other->next)
            if (fits(other) && chain_.nodes().size() < MAX_NODES && chain_.meets(other) &&
                !Claim::is_behind(other))
                add(other);
    }
    // Adds an op whose values go into a reduction of another kind than a total.
    void add_reduced(Deferred* root) {
        chain_.add(root);
        reduced_ = root;
    }
    // Takes the last total along if something costly need not be computed twice then.
    void take_last_total() {
        Deferred* total = last_total;
        if (!total || std::find(totals_.begin(), totals_.end(), total) != totals_.end()) return;
        if (!is_pending_op(total->left.object)) return;
        Deferred* behind = deferred(total->left.object);
        if (fits(behind) && chain_.shares_with(behind) && !Claim::is_behind(behind)) add(total);
    }

    // Makes arrays and the program. False with an error set.
    bool prepare(PyObject* into) {
        const auto& nodes = chain_.nodes();
        std::vector<char> keep = chain_.kept(roots_, totals_, reduced_);
        results_.assign(nodes.size(), nullptr);
        std::vector<PyObject*> given = donated_arrays(chain_, keep);
        bool writes_over = std::any_of(given.begin(), given.end(), [](PyObject* x) { return x; });
        if (into) given[chain_.step_of(roots_[0])] = into;
        for (size_t i = 0; i < nodes.size(); i++) {
            if (!keep[i]) continue;
            results_[i] = given[i] ? Py_NewRef(given[i])
                                   : new_array(nodes[i]->rank, nodes[i]->shape, nodes[i]->dtype());
            if (!results_[i]) return false;
        }
        std::vector<int> lasting;
        lasting.reserve(totals_.size());
        for (Deferred* total : totals_) lasting.push_back(step_before(total));
        reduced_step_ = reduced_ ? chain_.step_of(reduced_) : -1;
        program_ = make_program(chain_, results_, lasting, reduced_step_);
        int64_t stretches = (program_.size + STRETCH - 1) / STRETCH;
        parts_.resize(totals_.size() * static_cast<size_t>(stretches));
        for (size_t i = 0; i < totals_.size(); i++)
            program_.totals.push_back({step_before(totals_[i]), totals_[i]->reduction.how,
                                       parts_.data() + static_cast<int64_t>(i) * stretches});
        hold();
        if (writes_over) claim_.begin(nodes_);
        return watched_.begin(nodes_, totals_);
    }

    const Program& program() const { return program_; }
    int reduced_step() const { return reduced_step_; }
    // Returns the array that gets the values that are reduced, or null.
    float* reduced_array() const {
        return results_[reduced_step_] ? data(results_[reduced_step_]) : nullptr;
    }

    PyObject* root_array() const {
        auto index = std::find(nodes_.begin(), nodes_.end(), roots_[0]) - nodes_.begin();
        return results_[static_cast<size_t>(index)];
    }

    // Replaces the ops by their values, after the program has run.
    bool finish() {
        for (size_t i = 0; i < nodes_.size(); i++)
            if (results_[i]) become(nodes_[i], std::exchange(results_[i], nullptr));
        for (size_t i = 0; i < totals_.size(); i++) {
            const Total& total = program_.totals[i];
            int64_t stretches = (program_.size + STRETCH - 1) / STRETCH;
            auto number = static_cast<float>(joined_parts(total.how, total.parts, stretches));
            if (totals_[i]->reduction.is_mean) number = mean_of(number, program_.size);
            PyObject* value = new_scalar(number);
            if (!value) return false;
            become(totals_[i], value);
            forget_total(totals_[i]);
        }
        return watched_.end();
    }

  private:
    // Whether a pass can compute this op with the others.
    bool fits(Deferred* other) const {
        if (other->size != chain_.nodes().back()->size || other->by_rows) return false;
        // One width for all rows and columns of a program.
        int64_t columns = other->columns;
        for (Deferred* node : chain_.nodes())
            if (node->instruction.reach != Reach::element ||
                (columns && node->columns && node->columns != columns))
                return false;
        return true;
    }
    int step_before(Deferred* total) { return chain_.step_of(deferred(total->left.object)); }

    // Holds all that the program needs. While it runs, another Python thread may compute the same
    // values and let go of them, or make another program of the same ops: their marks are free from
    // here on.
    void hold() {
        nodes_ = chain_.nodes();
        auto keep = [this](PyObject* x) { held_.push_back(Py_NewRef(x)); };
        for (Deferred* node : nodes_) {
            keep(reinterpret_cast<PyObject*>(node));
            for (const Operand* operand : node->operands()) {
                PyObject* x = operand->object;
                if (x) keep(is_deferred(x) && deferred(x)->value ? deferred(x)->value : x);
            }
        }
        for (Deferred* total : totals_) keep(reinterpret_cast<PyObject*>(total));
        chain_.clear();
    }

    static void become(Deferred* node, PyObject* value) {
        if (node->value) {
            Py_DECREF(value);
            return;
        }
        node->value = value;
        drop_operands(node);
    }

    Chain chain_;
    Deferred* reduced_ = nullptr;
    std::vector<Deferred*> roots_, totals_, nodes_;
    std::vector<PyObject*> results_, held_;
    std::vector<double> parts_;
    Program program_;
    int reduced_step_ = -1;
    Claim claim_;
    WatchedPass watched_;
};

// Computes a total of what was computed meanwhile.
bool reduce_computed(Deferred* total) {
    Reduction reduction = total->reduction;
    Ref x = Ref::to(deferred(total->left.object)->value);
    float number = reduced_array(reduction.how, data(x.get()), size(x.get()));
    if (reduction.is_mean) number = mean_of(number, size(x.get()));
    if (!total->value) total->value = new_scalar(number);
    if (!total->value) return false;
    drop_operands(total);
    forget_total(total);
    return true;
}

}  // namespace

bool compute(Deferred* root, PyObject* into) {
    return without_exceptions([&] {
        Claim::wait_for(root);
        if (root->value) return true;  // another thread has computed it
        if (root->is_total && !is_pending_op(root->left.object)) return reduce_computed(root);
        Job job;
        job.add(root);
        if (!into) job.take_siblings();
        job.take_last_total();
        if (!job.prepare(into)) return false;
        run(job.program());
        return job.finish();
    });
}

bool multiply_behind(Deferred* root, PyObject* y, bool transpose_y, PyObject* result) {
    Job job;
    job.add(root);
    if (!job.prepare(nullptr)) return false;
    Matrices after;
    after.read(array(job.root_array()), array(y), false, transpose_y);
    run(job.program(), &after, data(result));
    return job.finish();
}

bool reduce_rows_of(Deferred* root, Combination how, const ReductionPlan& plan, float* result) {
    Job job;
    job.add_reduced(root);
    if (!job.prepare(nullptr)) return false;
    const Program& program = job.program();
    int step = job.reduced_step();
    int64_t length = plan.length;
    {
        WithoutLock unlocked(program.nanoseconds);
        parallel(workers_for(program.nanoseconds), [&](int worker, int all) {
            Run own(program);
            std::vector<float> room(BLOCK + 16);
            float* window = room.data();
            Part part = part_of(plan.outer, worker, all);
            // Several short rows at a time.
            int64_t together = std::max(int64_t(1), BLOCK / length);
            for (int64_t row = part.begin; row < part.end && length <= BLOCK; row += together) {
                int64_t rows = std::min(together, part.end - row), begin = row * length;
                own.block(begin, rows * length, window);
                const float* values = own.values(step, begin);
                for (int64_t i = 0; i < rows; i++)
                    result[row + i] = static_cast<float>(
                        reduced_run(how, values + i * length, length));
            }
            for (int64_t row = part.begin; row < part.end && length > BLOCK; row++) {
                double total = 0, stretch = 0;
                for (int64_t start = 0; start < length; start += BLOCK) {
                    int64_t count = std::min(BLOCK, length - start), begin = row * length + start;
                    own.block(begin, count, window);
                    double value = reduced_run(how, own.values(step, begin), count);
                    bool is_first = start % STRETCH == 0;
                    stretch = is_first ? value : joined_two(how, stretch, value);
                    if ((start + BLOCK) % STRETCH == 0 || start + BLOCK >= length)
                        total = start < STRETCH ? stretch : joined_two(how, total, stretch);
                }
                result[row] = static_cast<float>(total);
            }
        });
    }
    return job.finish();
}

bool reduce_columns_of(Deferred* root, Combination how, const ReductionPlan& plan, float* result) {
    Job job;
    job.add_reduced(root);
    if (!job.prepare(nullptr)) return false;
    const Program& program = job.program();
    const Combine combine = vectors().rows.combine[how];
    const auto join = vectors().binary[how == SUM ? ADD : how == LARGEST ? MAXIMUM : MINIMUM];
    constexpr int64_t TOGETHER = 8;  // as `combine` does it
    int64_t rows = plan.length, columns = plan.inner;
    int64_t blocks = (rows + ROW_BLOCK - 1) / ROW_BLOCK, strips = (columns + STRIP - 1) / STRIP;
    std::vector<float> parts(blocks == 1 ? 0 : static_cast<size_t>(plan.outer * blocks * columns));
    float* part_sums = blocks == 1 ? result : parts.data();
    // The rows of a block, of one strip of columns, become one.
    auto reduce_block = [&](Run& own, float* room, int64_t unit) {
        int64_t block = unit / strips, first = unit % strips * STRIP;
        int64_t last = std::min(columns, first + STRIP);
        int64_t begin = block % blocks * ROW_BLOCK, end = std::min(rows, begin + ROW_BLOCK);
        float *sums = part_sums + block * columns, *joined = room + TOGETHER * BLOCK;
        const float* kept = job.reduced_array();
        for (int64_t row = begin; row < end; row += TOGETHER) {
            int64_t some = std::min(TOGETHER, end - row);
            for (int64_t column = first; column < last; column += BLOCK) {
                int64_t count = std::min(BLOCK, last - column);
                int64_t start = (block / blocks * rows + row) * columns + column;
                for (int64_t i = 0; i < some; i++)
                    own.block(start + i * columns, count, room + i * BLOCK);
                const float* values = kept ? kept + start : room;
                int64_t stride = kept ? columns : BLOCK;
                if (some == TOGETHER) {
                    bool is_first = row == begin;
                    combine(is_first ? sums + column : joined, values, some, stride, count);
                    if (!is_first) join(sums + column, sums + column, joined, count);
                    continue;
                }
                for (int64_t i = 0; i < some; i++) {
                    const float* next = values + i * stride;
                    if (row + i == begin) std::copy_n(next, count, sums + column);
                    else join(sums + column, sums + column, next, count);
                }
            }
        }
    };
    {
        WithoutLock unlocked(program.nanoseconds);
        int64_t units = plan.outer * blocks * strips;
        parallel(workers_for(program.nanoseconds), [&](int worker, int all) {
            Run own(program);
            std::vector<float> room((TOGETHER + 1) * BLOCK);
            Part part = part_of(units, worker, all);
            for (int64_t unit = part.begin; unit < part.end; unit++)
                reduce_block(own, room.data(), unit);
        });
        for (int64_t o = 0; o < plan.outer && blocks > 1; o++)
            fold_rows(combine, result + o * columns, part_sums + o * blocks * columns, blocks,
                      columns);
    }
    return job.finish();
}

PyObject* reduce_deferred(Reduction reduction, PyObject* x, PyObject* axis, PyObject* keepdims) {
    Deferred* root = deferred(x);
    if (root->dtype() != NPY_FLOAT32) return nullptr;
    if (root->by_rows && (!compute_row_ops(root) || !is_pending_op(x))) return nullptr;
    Claim::wait_for(root);
    if (!is_pending_op(x)) return nullptr;
    ReductionPlan plan;
    if (!plan.make(root->rank, root->shape, axis, keepdims == Py_True)) return nullptr;
    if (plan.outer == 1 && plan.inner == 1 && plan.rank == 0) {
        Deferred* total = new_deferred(0, nullptr, 1);
        if (!total) return nullptr;
        total->is_total = true;
        total->reduction = reduction;
        total->left.object = Py_NewRef(x);
        if (remember_total(total)) return reinterpret_cast<PyObject*>(total);
        Py_DECREF(total);
        return nullptr;
    }
    if (plan.inner != 1 && plan.inner < FEW_COLUMNS) return nullptr;
    Ref made(new_array(plan.rank, plan.shape, NPY_FLOAT32));
    if (!made) return nullptr;
    auto reduce = plan.inner == 1 ? reduce_rows_of : reduce_columns_of;
    if (!reduce(root, reduction.how, plan, data(made.get()))) return nullptr;
    if (reduction.is_mean) divide_by_length(plan, data(made.get()));
    return made.release();
}

bool remember_total(Deferred* total) {
    if (last_total) {
        PyObject* before = Py_NewRef(reinterpret_cast<PyObject*>(last_total));
        bool done = array_of(before) != nullptr;
        Py_DECREF(before);
        if (!done) return false;
    }
    last_total = total;
    return true;
}

void forget_total(Deferred* total) {
    if (last_total == total) last_total = nullptr;
}

namespace {

// Computes the last total if `needs_it` says so of the arrays behind it (a list).
template <class Question>
bool compute_total_if(Question&& needs_it) {
    if (!last_total) return true;
    PyObject* total = Py_NewRef(reinterpret_cast<PyObject*>(last_total));
    PyObject* arrays = PyList_New(0);
    bool done = arrays && arrays_behind(last_total, arrays);
    bool needed = done && needs_it(arrays);
    Py_XDECREF(arrays);
    if (needed) done = array_of(total) != nullptr;
    Py_DECREF(total);
    return done;
}

}  // namespace

bool compute_costly_total() {
    return compute_total_if([](PyObject* arrays) {
        int64_t alone = 0;  // elements that only the op, and this list, hold
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(arrays); i++)
            if (PyObject* x = PyList_GET_ITEM(arrays, i); Py_REFCNT(x) == 2) alone += size(x);
        return alone > SMALL;
    });
}

bool release_from_total(PyObject* array) {
    return compute_total_if([array](PyObject* arrays) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(arrays); i++)
            if (PyList_GET_ITEM(arrays, i) == array) return true;
        return false;
    });
}

bool arrays_behind(Deferred* node, PyObject* list) {
    auto append = [list](PyObject* x) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
            if (PyList_GET_ITEM(list, i) == x) return true;
        return PyList_Append(list, x) == 0;
    };
    if (node->value) return append(node->value);
    Chain chain;
    chain.add(node->is_total ? deferred(node->left.object) : node);
    for (Deferred* each : chain.nodes()) {
        if (each->value && !append(each->value)) return false;  // what a total is made of
        for (const Operand* operand : each->operands()) {
            PyObject* x = operand->object;
            if (!x || is_pending_op(x)) continue;
            if (!append(is_deferred(x) ? deferred(x)->value : x)) return false;
        }
    }
    return true;
}

}  // namespace gradtape
