// Functions of a vector: at most 4 units in the last place from the true value, over the whole
// range, with infinities, nan and numbers below the normal ones. Polynomials are minimax fits whose
// coefficients were rounded one after the other, the others fitted again.
#pragma once

#include "simd/simd.h"

namespace gradtape {
namespace ISA {

template <int count>
ALWAYS_INLINE Floats polynomial(Floats x, const float (&coefficients)[count]) {
    Floats sum = all(coefficients[count - 1]);
    for (int i = count - 2; i >= 0; i--) sum = sum * x + all(coefficients[i]);
    return sum;
}

template <int count>
ALWAYS_INLINE Doubles polynomial(Doubles x, const double (&coefficients)[count]) {
    Doubles sum = all_doubles(coefficients[count - 1]);
    for (int i = count - 2; i >= 0; i--) sum = sum * x + all_doubles(coefficients[i]);
    return sum;
}

// --- exponentials --------------------------------------------------------------------------------

// ln 2 in two parts: n times the first is exact for every n that occurs.
constexpr float LN2_HIGH = 0.693359375f, LN2_LOW = -2.12194440e-4f;

// Returns e^r - 1 for |r| up to ln 2 / 2.
ALWAYS_INLINE Floats exp_less_one(Floats r) {
    static const float Q[] = {0.49999997f, 0.16666546f, 0.041667435f, 0.008366262f, 0.0013870657f};
    return polynomial(r, Q) * (r * r) + r;
}
struct Exponential {
    Floats less_one;  // e^r - 1, with r = x - n ln 2
    Ints n;
};
ALWAYS_INLINE Exponential split_exponential(Floats x) {
    Floats n = rounded(x * all(1.44269504f));
    Floats r = x - n * all(LN2_HIGH);
    r = r - n * all(LN2_LOW);
    return {exp_less_one(r), to_ints(n)};
}
// Returns x 2^n in two steps: the last one rounds where the result is below the normal numbers.
ALWAYS_INLINE Floats scaled(Floats x, Ints n) {
#if LANES == 16
    return _mm512_scalef_ps(x, to_floats(n));
#else
    Ints half = n >> 1;
    return x * power_of_two(half) * power_of_two(n - half);
#endif
}
ALWAYS_INLINE Floats exp_of(Floats x) {
    // Below this it rounds to 0. Processors take long over results that small, and masks make many.
    Ints is_nothing = x < all(-103.98f);
    x = choose(is_nothing, all(0), x);
    Exponential e = split_exponential(choose(x > all(89), all(89), x));  // beyond, inf
    return choose(is_nothing, all(0), scaled(e.less_one + all(1), e.n));
}
// Returns the same, bit for bit, for x that is not above 0 (or is NaN): with fewer steps.
ALWAYS_INLINE Floats exp_of_nonpositive(Floats x) {
#if LANES == 16
    return exp_of(x);
#else
    Ints is_nothing = x < all(-103.98f);
    Exponential e = split_exponential(choose(is_nothing, all(0), x));
    Floats y = (e.less_one + all(1)) * power_of_two(e.n + 64) * all(0x1p-64f);
    return choose(is_nothing, all(0), y);
#endif
}
ALWAYS_INLINE Floats expm1_of(Floats x) {
    Exponential e = split_exponential(within(x, -40, 89));
    // Where 2^n alone would overflow, one less makes no difference.
    Ints n = e.n > 127 ? Ints{} + 127 : e.n;
    Floats power = power_of_two(n);
    Floats y = e.less_one * power + (power - all(1));
    y = choose(x > all(64), scaled(e.less_one + all(1), e.n), y);
    y = choose(e.n == 0, e.less_one, y);
    return choose(magnitude(x) < all(0x1p-25f), x, y);
}

// --- logarithms ----------------------------------------------------------------------------------

// Returns log(m + extra) + n ln 2 for m between √½ and √2; `extra` is what rounding m lost.
ALWAYS_INLINE Floats logarithm(Floats m, Floats extra, Floats n) {
    static const float L[] = {0.33333313f,  -0.2500001f, 0.20002072f,  -0.16667987f, 0.14220354f,
                              -0.12406268f, 0.11883647f, -0.11669924f, 0.06748783f};
    Floats f = (m - all(1)) + extra, square = f * f;
    Floats y = polynomial(f, L) * f * square;
    y = y + n * all(LN2_LOW);
    y = y - all(0.5f) * square;
    return (f + y) + n * all(LN2_HIGH);
}
// m and n with x = m 2^n.
struct Parts {
    Floats m;
    Ints n;
};
ALWAYS_INLINE Parts parts_of(Floats x) {
    Ints n = (bits(x) - 0x3f3504f3) >> 23;  // that constant is √½
    return {from_bits(bits(x) - (n << 23)), n};
}
ALWAYS_INLINE Floats log_special(Floats x, Floats y) {
    y = choose(x == all(0), all(-INFINITY), y);
    y = choose(x < all(0), all(NAN), y);
    return choose((x == all(INFINITY)) | (x != x), x, y);
}
ALWAYS_INLINE Floats log_of(Floats x) {
    Ints is_small = x < all(0x1p-126f);
    Parts p = parts_of(choose(is_small, x * all(0x1p23f), x));
    Floats n = to_floats(p.n) - choose(is_small, all(23), all(0));
    return log_special(x, logarithm(p.m, all(0), n));
}
ALWAYS_INLINE Floats log1p_of(Floats x) {
    Floats sum = all(1) + x;
    Floats lost = choose(x < all(1), x - (sum - all(1)), all(1) - (sum - x));
    Parts p = parts_of(sum);
    // Sums above 2^126 would make the power an infinity; they lose nothing that counts.
    Ints down = p.n > 60 ? Ints{} - 60 : -p.n;
    Floats y = logarithm(p.m, lost * power_of_two(down), to_floats(p.n));
    y = choose(magnitude(x) < all(0x1p-25f), x, y);
    return log_special(sum, y);
}

// --- what is made of them ------------------------------------------------------------------------

// Splits as `split_exponential`, but of n only the lowest bits are right: for powers of two from
// 2^-126 to 2^127, which need no others, and so no conversion.
ALWAYS_INLINE Exponential split_exponential_briefly(Floats x) {
    const Floats shift = all(0x1.8p23f);
    Floats shifted = x * all(1.44269504f) + shift, n = shifted - shift;
    Floats r = x - n * all(LN2_HIGH);
    r = r - n * all(LN2_LOW);
    return {exp_less_one(r), bits(shifted)};
}
// Returns exp_of(x), for x that is not above 0.
ALWAYS_INLINE Floats exp_below_one(Floats x) {
    Ints is_nothing = x < all(-103.98f);
    Exponential e = split_exponential_briefly(choose(is_nothing, all(0), x));
    Floats y = (e.less_one + all(1)) * power_of_two(e.n + 63) * all(0x1p-63f);
    return choose(is_nothing, all(0), y);
}
ALWAYS_INLINE Floats sigmoid_of(Floats x) {
    Floats e = exp_below_one(-magnitude(x));
    return choose(x < all(0), e, all(1)) / (all(1) + e);
}
ALWAYS_INLINE Floats tanh_of(Floats x) {
    Floats doubled = magnitude(x) * all(2);
    Exponential e = split_exponential_briefly(choose(doubled > all(20), all(20), doubled));
    Floats power = power_of_two(e.n), y = e.less_one * power + (power - all(1));  // e^doubled - 1
    return with_sign(y / (y + all(2)), sign_bit(x));
}
ALWAYS_INLINE Floats softplus_of(Floats x) {
    return largest(x, all(0)) + log1p_of(exp_of(-magnitude(x)));
}

// --- error functions -----------------------------------------------------------------------------

// erf(x) / x - 1, by x², for |x| up to 1.
constexpr float ERF[] = {0.12837917f,  -0.37612626f,   0.11283579f,  -0.026853347f,
                         0.005187162f, -0.0007997853f, 7.806904e-05f};

ALWAYS_INLINE Floats erf_of(Floats x) {
    static const float LOG_ERFC[] = {-0.00029955103f, -1.1272547f,    -0.6378782f,   -0.103331126f,
                                     0.021941992f,    -0.0029727658f, 0.00018884928f};
    Floats size = choose(magnitude(x) > all(4.1f), all(4.1f), magnitude(x));
    Floats near = x * polynomial(size * size, ERF) + x;
    Floats far = all(1) - exp_of(polynomial(size, LOG_ERFC));
    Floats y = choose(size < all(1), near, with_sign(far, sign_bit(x)));
    return choose(x != x, x, y);
}
// For s = size, or s = size √½: exp(-s²) = (1 + less_one) 2^n nearly, and erfc(s) is that times
// numerator / (1 + 2 s), to the last digits.
struct Tail {
    Floats s, numerator, less_one;
    Ints n;

    Floats factor() const { return numerator / (all(1) + all(2) * s); }
};
constexpr float ROOT_HALF = 0.70710678f;
template <bool halved>
ALWAYS_INLINE Tail tail_of(Floats size) {
    // exp(s²) erfc(s) (1 + 2 s), by t: a constant and the rest.
    const Floats constant = all(1.2769784f);
    static const float REST[] = {-0.092763856f,   -0.16603087f,  0.16405262f,   -0.054208633f,
                                 -0.008042883f,   0.008648113f,  0.0012725579f, -0.001263744f,
                                 -0.00036624138f, 2.8968128e-05f};
    Floats s = halved ? size * all(ROOT_HALF) : size;
    Floats t = (s - all(2)) / (s + all(2));
    Floats rest_of_it = product(t, polynomial(t, REST));
    Floats numerator = constant + rest_of_it;
    // What that sum lost, as a part of it: 1 / numerator is 0.88, give or take an eighth.
    Floats lost = ((constant - numerator) + rest_of_it) * all(0.88f);
    // s² in two parts, the first without rounding: its rounding error would count up to 100 times.
    Floats first = from_bits(bits(size) & -4096), scale = all(halved ? 0.5f : 1);
    Floats square = product(first, first) * scale, rest = (size - first) * (size + first) * scale;
    Floats n = rounded(square * all(-1.44269504f));
    Floats r = ((-square - n * all(LN2_HIGH)) - n * all(LN2_LOW)) - rest;
    return {s, numerator, exp_less_one(r) + lost, to_ints(n)};
}
ALWAYS_INLINE Floats size_up_to(Floats x, float most) {
    return choose(magnitude(x) > all(most), all(most), magnitude(x));
}
ALWAYS_INLINE Floats erfc_of(Floats x) {
    Floats near = all(1) - (x * polynomial(x * x, ERF) + x);
    Tail tail = tail_of<false>(size_up_to(x, 10.2f));
    Floats factor = tail.factor();
    Floats far = scaled(tail.less_one * factor + factor, tail.n);
    return choose(magnitude(x) < all(0.75f), near, choose(x < all(0), all(2) - far, far));
}

// The Gaussian error linear unit, x Φ(x), and its slope; then with sigmoid(x (A + B x²)) for Φ(x).
// Both are max(x, 0) - |x| Φ(-|x|): what is subtracted is right to the last digits, however small.
constexpr float ONE_OVER_ROOT_PI = 0.56418958f;
constexpr double GELU_A = 1.5957691216057308, GELU_B = 0.07135481627260025;

ALWAYS_INLINE Floats less_tail(Floats x, Floats tail) {
    Floats y = largest(x, all(0)) - tail;
    return choose(x < all(-__FLT_MAX__), x - x, y);  // -inf · 0 is nan
}
// Returns size · numerator / (2 (1 + √2 size)) · (1 + less_one), rounded only once.
ALWAYS_INLINE Doubles joined(Doubles size, Doubles numerator, Doubles less_one) {
    Doubles above = size * numerator * (all_doubles(1) + less_one);
    return above / (all_doubles(2) + all_doubles(2.8284271247461903) * size);
}
ALWAYS_INLINE Floats gelu_of(Floats x) {
    Floats size = size_up_to(x, 14.5f);
    Tail tail = tail_of<true>(size);
    TwoDoubles s = widened(size), top = widened(tail.numerator), e = widened(tail.less_one);
    TwoDoubles part = {joined(s.low, top.low, e.low), joined(s.high, top.high, e.high)};
    return less_tail(x, scaled(narrowed(part), tail.n));
}
ALWAYS_INLINE Floats gelu_slope(Floats x) {
    Floats size = size_up_to(x, 14.5f);
    Tail tail = tail_of<true>(size);
    Floats gaussian = scaled(tail.less_one + all(1), tail.n);
    Floats half = gaussian * tail.factor() * all(0.5f);  // Φ(-|x|)
    Floats bell = x * (all(ROOT_HALF * ONE_OVER_ROOT_PI) * gaussian);
    return choose(x < all(0), half, all(1) - half) + bell;
}
// Reduces -size (A + B size²) = n log 2 + r, in double precision: its rounding error would count
// 100 times.
ALWAYS_INLINE Doubles reduce_exponent(Doubles size, Doubles* n) {
    const Doubles shift = all_doubles(0x1.8p52);
    Doubles x = -size * (all_doubles(GELU_A) + all_doubles(GELU_B) * (size * size));
    *n = (x * all_doubles(1.4426950408889634) + shift) - shift;
    return x - *n * all_doubles(0.6931471805599453);
}
ALWAYS_INLINE Floats gelu_tanh_of(Floats x) {
    Floats size = size_up_to(x, 11);
    TwoDoubles wide = widened(size), n;
    TwoDoubles r = {reduce_exponent(wide.low, &n.low), reduce_exponent(wide.high, &n.high)};
    Floats less_one = exp_less_one(narrowed(r));
    Ints power = to_ints(narrowed(n));
    Floats above = all(1) + scaled(less_one + all(1), power);
    return less_tail(x, scaled(less_one * size + size, power) / above);
}
ALWAYS_INLINE Floats gelu_tanh_slope(Floats x) {
    constexpr float A = GELU_A, B = GELU_B;
    Floats square = x * x, s = sigmoid_of(x * (all(A) + all(B) * square));
    return s + x * s * (all(1) - s) * (all(A) + all(3 * B) * square);
}

// --- trigonometric -------------------------------------------------------------------------------

// x = n π/2 + r, with r rounded only once. For |x| up to 10⁶, by doubles: n times the first part of
// π/2, which has 33 bits, is exact.
constexpr float LARGE_ANGLE = 1e6f;
constexpr double HALF_PI_1 = 0x1.921fb544p0, HALF_PI_2 = 0x1.0b4611a626331p-34;

struct Angle {
    Floats r;
    Ints n;
};
ALWAYS_INLINE Doubles reduce_half(Doubles x, Doubles* n) {
    const Doubles shift = all_doubles(0x1.8p52);
    *n = (x * all_doubles(0x1.45f306dc9c883p-1) + shift) - shift;  // 2/π
    Doubles r = x - *n * all_doubles(HALF_PI_1);
    return r - *n * all_doubles(HALF_PI_2);
}
ALWAYS_INLINE Angle reduced(Floats x) {
    TwoDoubles wide = widened(x), n;
    TwoDoubles r = {reduce_half(wide.low, &n.low), reduce_half(wide.high, &n.high)};
    return {narrowed(r), to_ints(narrowed(n))};
}
ALWAYS_INLINE Floats sine_series(Floats r) {
    static const float S[] = {-0.16666655f, 0.008332189f, -0.00019518285f};
    Floats square = r * r;
    return polynomial(square, S) * (square * r) + r;
}
ALWAYS_INLINE Floats cosine_series(Floats r) {
    static const float C[] = {0.041666646f, -0.001388731f, 2.4432327e-05f};
    Floats square = r * r;
    return polynomial(square, C) * (square * square) + (all(1) - all(0.5f) * square);
}
ALWAYS_INLINE bool any(Ints mask) {
#if LANES == 16
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask)) != 0;
#elif LANES == 8
    return _mm256_movemask_ps(reinterpret_cast<__m256>(mask)) != 0;
#else
    int32_t any = 0;
    for (int i = 0; i < LANES; i++) any |= mask[i];
    return any != 0;
#endif
}

enum class Trig { sine, cosine, tangent };
template <Trig which>
float of_large_angle(float x) {
    double y = which == Trig::sine     ? sin(double(x))
               : which == Trig::cosine ? cos(double(x))
                                       : tan(double(x));
    return static_cast<float>(y);
}
// Returns sin(x) for an even number of right angles in x, else cos(x); or the other way round.
template <Trig which>
ALWAYS_INLINE Floats sine_or_cosine(Angle a) {
    Ints odd = -(a.n & 1), n = which == Trig::sine ? a.n : a.n + 1;
    Floats sine = sine_series(a.r), cosine = cosine_series(a.r);
    Floats y = which == Trig::sine ? choose(odd, cosine, sine) : choose(odd, sine, cosine);
    return from_bits(bits(y) ^ ((n & 2) << 30));
}
// Computes both series and their quotient in doubles: three roundings would add up to more than is
// allowed.
ALWAYS_INLINE Doubles tangent_half(Doubles x) {
    static const double S[] = {-0.16666667, 0.008333379, -0.00019853064, 2.83251e-06};
    static const double C[] = {0.041666664, -0.0013888701, 2.4756642e-05, -2.4021534e-07};
    Doubles n, r = reduce_half(x, &n), square = r * r;
    Doubles sine = r + r * square * polynomial(square, S);
    Doubles cosine = 1 - 0.5 * square + square * square * polynomial(square, C);
    Longs odd = -(reinterpret_cast<Longs>(n + 0x1.8p52) & 1);
    return (odd ? -cosine : sine) / (odd ? sine : cosine);
}
template <Trig which>
ALWAYS_INLINE Floats trig_of(Floats x) {
    Ints is_large = magnitude(x) > all(LARGE_ANGLE);
    Floats angle = choose(is_large, all(0), x), y;
    if (which == Trig::tangent) {
        TwoDoubles wide = widened(angle);
        y = narrowed({tangent_half(wide.low), tangent_half(wide.high)});
    } else {
        y = sine_or_cosine<which>(reduced(angle));
    }
    if (which != Trig::cosine) y = choose(magnitude(x) < all(0x1p-25f), x, y);
    if (any(is_large))
        for (int i = 0; i < LANES; i++)
            if (is_large[i]) y[i] = of_large_angle<which>(x[i]);
    return y;
}

// --- powers --------------------------------------------------------------------------------------

// Returns 2^(y (n + log2 m)), in doubles: float32 has too few digits for the logarithm.
ALWAYS_INLINE Doubles power_half(Doubles m, Doubles n, Doubles y) {
    static const double LOG2[] = {2.885390081778071, 0.9617966927298389, 0.5770803258279297,
                                  0.41183740677449276, 0.3381594210023627};
    static const double EXP2[] = {
        1.000000000537537,    0.6931472062016443,    0.2402264692140289,    0.05550327933937325,
        0.009618483841056435, 0.0013400228864975667, 0.00015347687052366158};
    Doubles f = (m - 1) / (m + 1), z = y * (n + f * polynomial(f * f, LOG2));
    z = z < -160 ? all_doubles(-160) : z;
    z = z > 160 ? all_doubles(160) : z;
    const Doubles shift = all_doubles(0x1.8p52);
    Doubles whole = z + shift;  // the integer stands in its last bits
    Longs scale = (reinterpret_cast<Longs>(whole) + 1023) << 52;
    return polynomial(z - (whole - shift), EXP2) * reinterpret_cast<Doubles>(scale);
}
ALWAYS_INLINE Floats power_of(Floats x, Floats y) {
    // Numbers above 0, normal and finite, with an exponent that is finite; others one by one.
    Ints is_plain = (x >= all(0x1p-126f)) & (x < all(INFINITY)) & (magnitude(y) < all(INFINITY));
    Parts p = parts_of(choose(is_plain, x, all(1)));
    TwoDoubles m = widened(p.m), n = widened(to_floats(p.n)), e = widened(y);
    Floats z = narrowed({power_half(m.low, n.low, e.low), power_half(m.high, n.high, e.high)});
    Ints is_special = ~is_plain;
    if (any(is_special))
        for (int i = 0; i < LANES; i++)
            if (is_special[i]) z[i] = static_cast<float>(pow(double(x[i]), double(y[i])));
    return z;
}

}  // namespace ISA
}  // namespace gradtape
