// A chain of deferred ops as a short program that runs block by block.
#pragma once

#include <vector>

#include "fusion/deferred.h"
#include "fusion/matrices.h"
#include "simd/vectors.h"

namespace gradtape {

// Elements computed at a time: a few blocks of this many fit into the first-level cache, and
// sums of runs are made of sums of as many (row_loops.h).
constexpr int64_t BLOCK = 512;
// Where ops see whole rows, a block is made of these: of one, if it is longer.
constexpr int64_t MAX_ROW = 8 * BLOCK;

// The ops behind some values, each once, operands before those who use them.
class Chain {
  public:
    Chain() = default;
    ~Chain() { clear(); }
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;

    void add(Deferred* root);
    void clear() {
        for (Deferred* node : nodes_) node->mark = 0;
        nodes_.clear();
    }
    const std::vector<Deferred*>& nodes() const { return nodes_; }
    int step_of(Deferred* node) const { return node->mark - 1; }
    // Whether any of the ops is behind `root`, too.
    bool meets(Deferred* root) const;
    // Whether something that takes long to compute is behind `root`, too.
    bool shares_with(Deferred* root) const;
    // Which values are kept: `roots`, and those that others hold (a tape, a
    // variable of the program), if to compute them again would be costly, or if they are all that
    // keeps alive more than one array, which take more room than the value. Of what goes into
    // `totals` and `reduced`, only what was asked for before, or takes less room.
    std::vector<char> kept(const std::vector<Deferred*>& roots,
                           const std::vector<Deferred*>& totals, Deferred* reduced) const;

  private:
    std::vector<Deferred*> nodes_;
};

// Where a step finds an operand, or puts its result, during a block.
struct Location {
    enum Kind : uint8_t { none, buffer, array, row, column, number, window, matrix } kind = none;
    int16_t index = 0;     // of the buffer
    void* data = nullptr;  // of the array, row or column: floats or bools
    float value = 0;       // the number
};

struct Step {
    Instruction instruction;
    Location left, right, condition, result;
};

// A sum (or extreme) of all values of a step, by stretches.
struct Total {
    int step;
    Combination how;
    double* parts;
};

struct Program {
    std::vector<Step> steps;
    std::vector<Total> totals;
    int buffers = 0;
    int64_t size = 0, columns = 0;
    int64_t row = 0;  // the length of rows, where ops see whole ones; otherwise 0
    int64_t block = BLOCK;
    int product = -1;   // the step that is a stack of products
    Matrices matrices;  // of that
    double nanoseconds = 0;
};

// Makes the program of a chain. `results` has, by step, the array that its values are written to,
// or null. The values of `window` go where a Run says (`window`), if they go nowhere else; those of
// `lasting` stay in their buffers until the end of the block.
Program make_program(const Chain& chain, const std::vector<PyObject*>& results,
                     const std::vector<int>& lasting, int window = -1);

// One thread's view of a program: its buffers, and the block that it is at.
class Run {
  public:
    explicit Run(const Program& program);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // Computes the elements from `begin` on; `count` is at most BLOCK.
    void block(int64_t begin, int64_t count, float* window = nullptr);
    // Runs the program from one element to another, in blocks.
    void blocks(int64_t begin, int64_t end);
    // Does the same for some matrices of a stack of products, which are multiplied on the way.
    // Their rows are multiplied with other matrices then, if those are given.
    void products(int64_t begin, int64_t end, const Matrices* after, float* result);
    // Returns the values of a step after a block that began there.
    const float* values(int step, int64_t begin) const;

  private:
    // Whether of a column all elements of the block see a single number.
    bool is_number(const Location& location) const {
        return location.kind == Location::number ||
               (location.kind == Location::column && in_one_row_);
    }
    template <class T>
    T number(const Location& location) const {
        return location.kind == Location::number ? static_cast<T>(location.value)
                                                 : static_cast<T*>(location.data)[row_];
    }
    void compute(const Step& step, int64_t begin, int64_t count);
    void compare(const Step& step, int64_t begin, int64_t count);
    void combine_bools(const Step& step, int64_t begin, int64_t count);
    void select(const Step& step, int64_t begin, int64_t count);
    void rows(const Step& step, int64_t begin, int64_t count);
    template <class T = float>
    T* buffer(int16_t index) const {
        return reinterpret_cast<T*>(buffers_ + index * block_);
    }
    template <class T = float>
    T* at(const Location& location, int64_t begin) const;
    template <class T = float>
    const T* operand(const Location& location, int64_t begin, int64_t count);

    const Program& program_;
    const Vectors& vectors_;  // asked once: blocks are short
    int64_t block_;           // from one buffer to the next
    float *memory_, *buffers_, *window_ = nullptr, *matrix_ = nullptr;
    int64_t matrix_begin_ = 0;  // the element that `matrix_` begins with
    int64_t row_ = 0;           // that the block begins in
    bool in_one_row_ = false;
};

// Computes all elements, and the program's totals; and, of a program with products, the products of
// its last values with `after`.
void run(const Program& program, const Matrices* after = nullptr, float* result = nullptr);

}  // namespace gradtape
