// The inner loops of recurrent layers, compiled once for each kind of processor.
#pragma once

#include <cstdint>

#include "simd/instruction_set.h"

namespace gradtape {

// One example at one step of an LSTM with `units` units; gates in the order of Keras:
// input, forget, candidate, output.
struct LstmStep {
    const float *sums, *bias;  // [4 * units]
    const float* before;       // the cell's state before
    float* gates;              // [4 * units], where the sums may be
    float *cell, *hidden;
    float* state;  // hidden again, where the next step reads it
};
struct LstmGradient {
    const float *gates, *before, *cell;
    const float *from_hidden, *from_cell;  // what arrives for this step's results
    float* to_sums;                        // [4 * units]
    float *hidden, *carry;  // in: what later steps gave; out (of carry): for the step before
};
// The same of a GRU that resets after the product: update, reset, candidate. The product with the
// state is kept for the candidate, after the three gates.
struct GruStep {
    const float *sums, *recurrent;  // [3 * units]: of the inputs, of the state before
    const float *input_bias, *recurrent_bias;
    float* gates;           // [4 * units], where the sums may be
    float *hidden, *state;  // state: in, the one before; out, hidden again
};
struct GruGradient {
    const float *gates, *before, *from_hidden;
    float *to_inputs, *to_recurrent;  // [3 * units] each
    float* hidden;  // in: what later steps gave; out: what goes to the step before directly
};

struct RecurrentVectors {
    void (*lstm)(const LstmStep&, int64_t units);
    void (*lstm_gradient)(const LstmGradient&, int64_t units);
    void (*gru)(const GruStep&, int64_t units);
    void (*gru_gradient)(const GruGradient&, int64_t units);
};

DECLARE_LOOPS(RecurrentVectors, RECURRENT_VECTORS, recurrent_vectors)

}  // namespace gradtape
