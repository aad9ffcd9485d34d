// How reductions, products of matrices and gathers become steps.
#include "flat/builder.h"
#include "kernels/stack.h"

namespace gradtape::flat {
namespace {

// --- reductions ----------------------------------------------------------------------------------

template <class Number>
void sum_short_rows(Builder& b, const ReductionPlan& plan, int x, int result) {
    auto step = std::make_unique<ShortSumStep<Number>>();
    step->rows = plan.outer;
    step->length = plan.length;
    step->x = address_of(b[x]);
    step->result = address_of(b[result]);
    double size = static_cast<double>(b[x].layout.size());
    b.emit(step, {step->x, step->result}, 10 + size);
}

template <class Ufunc>
bool reduce_by_loop(Builder& b, Ufunc ufunc, bool starts_at_zero, const ReductionPlan& plan, int x,
                    int result) {
    int type = b.type(x), types[] = {type, type, type};
    auto step = std::make_unique<LoopReduceStep>();
    if constexpr (std::is_same_v<Ufunc, Op>) step->loop = numpy_loop(OP_NAMES[ufunc], types, 3);
    else step->loop = numpy_loop(ufunc, types, 3);
    if (!step->loop || b.type(result) != type) return false;
    step->outer = plan.outer;
    step->length = plan.length;
    step->inner = plan.inner;
    step->item = b[x].item;
    step->starts_at_zero = starts_at_zero;
    step->x = address_of(b[x]);
    step->result = address_of(b[result]);
    double size = static_cast<double>(b[x].layout.size());
    b.emit(step, {step->x, step->result}, 10 + 0.5 * size);
    return true;
}

// The sum by NumPy's loop, from 0 on.
bool sum_by_loop(Builder& b, const ReductionPlan& plan, int x, int result) {
    int type = b.type(x);
    if (plan.inner > 1 || plan.length >= ShortSumStep<double>::LIMIT || b.type(result) != type)
        return reduce_by_loop(b, ADD, true, plan, x, result);
    if (type == NPY_FLOAT64) sum_short_rows<double>(b, plan, x, result);
    else if (type == NPY_FLOAT32) sum_short_rows<float>(b, plan, x, result);
    else return reduce_by_loop(b, ADD, true, plan, x, result);
    return true;
}

bool make_plan(const Builder& b, const Call& call, int x, ReductionPlan* plan) {
    PyObject* axis = call.parameter("axis");
    if (!axis || !PyTuple_Check(axis) || PyTuple_GET_SIZE(axis) == 0) return false;
    const Layout& layout = b[x].layout;
    return plan->make(layout.rank, layout.shape, axis, call.parameter("keepdims") == Py_True);
}

bool reduce_float32(Builder& b, Combination how, bool is_mean, const ReductionPlan& plan, int x,
                    int result) {
    auto step = std::make_unique<ReduceStep>();
    step->how = how;
    step->is_mean = is_mean;
    step->plan = plan;
    step->x = address_of(b[x]);
    step->result = address_of(b[result]);
    double size = static_cast<double>(b[x].layout.size());
    b.emit(step, {step->x, step->result}, 10 + 0.15 * size);
    return true;
}

template <Combination how, bool is_mean>
bool reduce(Builder& b, Call& call) {
    // Views that are spread have been copied by the kernel of `broadcast_to`, if they are small.
    int x = call.operands[0], type = b.type(x);
    if (!b[x].is_contiguous()) return false;
    ReductionPlan plan;
    if (!make_plan(b, call, x, &plan)) return false;
    int result = b.temporary(call.specs[0]);
    call.results = {result};
    if (type == NPY_FLOAT32) return reduce_float32(b, how, is_mean, plan, x, result);
    if (how != SUM)
        return reduce_by_loop(b, how == LARGEST ? MAXIMUM : MINIMUM, false, plan, x, result);
    if (type == NPY_BOOL || (is_mean && type != NPY_FLOAT64)) return false;
    if (type == NPY_FLOAT64 && !is_summed_by_numpy(plan)) return false;
    if (!sum_by_loop(b, plan, x, result)) return false;
    return !is_mean ||
           b.numpy(DIVIDE, {result, b.number(type, static_cast<double>(plan.length))}, result);
}

template <bool any>
bool reduce_logical(Builder& b, Call& call) {
    int x = call.operands[0];
    ReductionPlan plan;
    if (b.type(x) != NPY_BOOL || !b[x].is_contiguous() || !make_plan(b, call, x, &plan))
        return false;
    int result = b.temporary(call.specs[0]);
    call.results = {result};
    return reduce_by_loop(b, any ? "logical_or" : "logical_and", false, plan, x, result);
}

// As the kernel: with NumPy's loops for float32, too.
bool logsumexp(Builder& b, Call& call) {
    int x = call.operands[0], type = b.type(x);
    ReductionPlan plan;
    if ((type != NPY_FLOAT32 && type != NPY_FLOAT64) || !b[x].is_contiguous() ||
        !make_plan(b, call, x, &plan))
        return false;
    int result = b.temporary(call.specs[0]);
    Value spread = b[result];  // with the axes that go, so that it meets x
    spread.layout = b[x].layout;
    PyObject* axis = call.parameter("axis");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(axis); i++)
        spread.layout.shape[PyLong_AsLong(PyTuple_GET_ITEM(axis, i))] = 1;
    spread.layout.lay_out(spread.item);
    int shift = b.temporary(spread.layout, type), is_finite = b.temporary(spread.layout, NPY_BOOL);
    int powers = b.temporary(b[x].layout, type), total = b.view(spread);
    call.results = {result};
    return reduce_by_loop(b, MAXIMUM, false, plan, x, shift) &&
           b.numpy("isfinite", {shift}, is_finite) &&
           b.loop(select_loop(spread.item), {is_finite, shift, b.number(type, 0)}, shift) &&
           b.numpy(SUBTRACT, {x, shift}, powers) && b.numpy(EXP, {powers}, powers) &&
           sum_by_loop(b, plan, powers, total) && b.numpy(LOG, {total}, total) &&
           b.numpy(ADD, {total, shift}, total);
}

// 1/k at the k elements equal to the extreme along the axes, else 0.
bool tie_shares(Builder& b, Call& call) {
    int x = call.operands[0], extreme = call.operands[1], type = b.type(x);
    ReductionPlan plan;
    if ((type != NPY_FLOAT32 && type != NPY_FLOAT64) || b.type(extreme) != type ||
        !b[x].is_contiguous() || !make_plan(b, call, x, &plan))
        return false;
    int result = b.temporary(call.specs[0]);
    int is_equal = b.temporary(b[x].layout, NPY_BOOL);
    int count = b.temporary(b[extreme].layout, type);
    call.results = {result};
    return b[extreme].layout.rank == b[x].layout.rank &&
           b[extreme].layout.size() == plan.outer * plan.inner &&
           b.numpy(EQUAL, {x, extreme}, is_equal) &&
           b.loop(cast_loop(NPY_BOOL, type), {is_equal}, result) &&
           sum_by_loop(b, plan, result, count) && b.numpy(DIVIDE, {result, count}, result);
}

// --- rows ----------------------------------------------------------------------------------------

enum class RowOp { softmax, log_softmax, softmax_grad };

template <RowOp op>
bool by_rows(Builder& b, Call& call) {
    int x = call.operands[0], y = call.operands.back();
    const Layout& layout = b[x].layout;
    if (b.type(x) != NPY_FLOAT32 || layout.rank == 0 || !b[x].is_contiguous() ||
        b.type(y) != NPY_FLOAT32 || !b[y].is_contiguous() || !b[y].layout.has_shape(layout))
        return false;
    auto step = std::make_unique<RowStep>();
    const RowLoops& loops = vectors().rows;
    step->columns = layout.shape[layout.rank - 1];
    step->rows = layout.size() / step->columns;
    double size = static_cast<double>(layout.size());
    int result = b.temporary(call.specs[0]);
    if (op == RowOp::softmax_grad) step->of_two = loops.softmax_gradient;
    else step->of_one = op == RowOp::softmax ? loops.softmax : loops.log_softmax;
    step->x = address_of(b[x]);
    step->y = address_of(b[y]);
    step->result = address_of(b[result]);
    b.emit(step, {step->x, step->y, step->result}, 10 + size);
    call.results = {result};
    return true;
}

// --- products ------------------------------------------------------------------------------------

template <class Number>
bool product_of(Builder& b, Call& call) {
    int values[] = {call.operands[0], call.operands[1]};
    bool turned[] = {call.parameter("transpose_a") == Py_True,
                     call.parameter("transpose_b") == Py_True};
    Stack<Number> stacks[2];
    Value parts[2];  // the stacks refer to their shapes
    for (int i = 0; i < 2; i++) {
        if (b[values[i]].layout.rank < 2) return false;
        auto read = [&] {
            parts[i] = b[values[i]];
            const Layout& layout = parts[i].layout;
            return stacks[i].read(layout.rank, layout.shape, layout.strides, nullptr, turned[i]);
        };
        if (read()) continue;
        values[i] = b.contiguous(values[i]);
        if (!read()) return false;
    }
    auto step = std::make_unique<ProductStep<Number>>();
    npy_intp shape[NPY_MAXDIMS];
    int rank;
    if (stacks[0].columns != stacks[1].rows || !joint_shape(stacks[0], stacks[1], &rank, shape))
        return false;
    step->x = stacks[0].first;
    step->y = stacks[1].first;
    step->rows = stacks[0].rows;
    step->columns = stacks[1].columns;
    step->inner = stacks[0].columns;
    int64_t products = 1;
    for (int i = 0; i < rank; i++) products *= shape[i];
    double cost = product_time<Number>(step->rows, step->columns, step->inner) *
                  static_cast<double>(products);
    MatrixOf<Number> tall;
    if (stacks[1].rank == 0 && stacks[0].as_tall(&tall)) {
        step->x = tall;
        step->rows *= products;
    } else {
        Pairs<Number> pair(stacks[0], stacks[1], rank, shape, 0);
        for (int64_t i = 0; i < products; i++, pair.next())
            step->stack.push_back(
                {reinterpret_cast<intptr_t>(pair.x.data), reinterpret_cast<intptr_t>(pair.y.data)});
    }
    int result = b.temporary(call.specs[0]);
    step->left = address_of(parts[0]);
    step->right = address_of(parts[1]);
    step->result = address_of(b[result]);
    b.emit(step, {step->left, step->right, step->result}, 50 + cost);
    call.results = {result};
    return true;
}

bool matmul(Builder& b, Call& call) {
    if (!has_blas() || call.operands.size() != 2) return false;
    int type = b.type(call.operands[0]);
    if (type != b.type(call.operands[1])) return false;
    for (int x : call.operands)
        if (b[x].layout.size() == 0) return false;
    if (type == NPY_FLOAT32) return product_of<float>(b, call);
    return type == NPY_FLOAT64 && product_of<double>(b, call);
}

// Three products less three others, as NumPy's function has it.
bool cross(Builder& b, Call& call) {
    if (call.operands.size() != 2) return false;
    int result = b.temporary(call.specs[0]), type = b.type(result);
    if (type != NPY_FLOAT32 && type != NPY_FLOAT64) return false;
    int parts[3][3];  // of both operands and the result: one for each of three axes
    int values[] = {call.operands[0], call.operands[1], result};
    for (int i = 0; i < 3; i++) {
        Value part = b[values[i]];
        int last = part.layout.rank - 1;
        if (last < 0 || part.layout.shape[last] != 3 || part.type != type) return false;
        npy_intp stride = part.layout.strides[last];
        part.layout.rank--;
        for (int axis = 0; axis < 3; axis++, part.offset += stride) parts[i][axis] = b.view(part);
    }
    int other = b.temporary(b[parts[2][0]].layout, type);
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, third = (axis + 2) % 3, to = parts[2][axis];
        if (!b.numpy(MULTIPLY, {parts[0][next], parts[1][third]}, to) ||
            !b.numpy(MULTIPLY, {parts[0][third], parts[1][next]}, other) ||
            !b.numpy(SUBTRACT, {to, other}, to))
            return false;
    }
    call.results = {result};
    return true;
}

bool gather(Builder& b, Call& call) {
    const Value& x = b[call.operands[0]];
    const Value& indices = b[call.operands[1]];
    PyObject *axis = call.parameter("axis"), *batch_dims = call.parameter("batch_dims");
    if (!axis || !PyLong_Check(axis) || !batch_dims || !PyLong_Check(batch_dims) ||
        PyLong_AsLong(batch_dims) != 0 || !x.is_contiguous() || !indices.is_contiguous() ||
        (indices.type != NPY_INT32 && indices.type != NPY_INT64))
        return false;
    long at = PyLong_AsLong(axis);
    if (at < 0 || at >= x.layout.rank) return false;
    auto step = std::make_unique<GatherStep>();
    step->bytes = x.item;
    for (int i = 0; i < x.layout.rank; i++) {
        if (i < at) step->outer *= x.layout.shape[i];
        else if (i > at) step->bytes *= x.layout.shape[i];
    }
    step->table = x.layout.shape[at];
    step->count = indices.layout.size();
    step->is_wide = indices.type == NPY_INT64;
    step->x = address_of(x);
    step->indices = address_of(indices);
    int result = b.temporary(call.specs[0]);
    step->result = address_of(b[result]);
    b.emit(step, {step->x, step->indices, step->result},
           10 + 5 * static_cast<double>(b[result].layout.size()));
    call.results = {result};
    return true;
}

}  // namespace

const Lowering REDUCTIONS[] = {{"reduce_sum", reduce<SUM, false>},
                               {"reduce_mean", reduce<SUM, true>},
                               {"reduce_max", reduce<LARGEST, false>},
                               {"reduce_min", reduce<LEAST, false>},
                               {"reduce_any", reduce_logical<true>},
                               {"reduce_all", reduce_logical<false>},
                               {"reduce_logsumexp", logsumexp},
                               {"tie_shares", tie_shares},
                               {"softmax", by_rows<RowOp::softmax>},
                               {"log_softmax", by_rows<RowOp::log_softmax>},
                               {"softmax_grad", by_rows<RowOp::softmax_grad>},
                               {nullptr, nullptr}};
const Lowering PRODUCTS[] = {
    {"matmul", matmul}, {"cross", cross}, {"gather", gather}, {nullptr, nullptr}};

}  // namespace gradtape::flat
