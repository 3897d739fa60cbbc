/* SPDX-License-Identifier: 0BSD */
#include "svdf_s8_s16.h"

#include <string.h>

#include "support/clamp.h"
#include "support/requantize.h"
#include "support/requantize_s8.h"

/* The code that one filter remembers of an input vector. Sums wrap as in the reference. */
static int16_t ingot_svdf_s8_s16_feature(const ingot_svdf_s8_s16_desc_t *d, const int8_t *input,
                                         const int8_t *weights, int32_t weight_sum)
{
    uint32_t sum = (uint32_t)weight_sum;
    for (int32_t i = 0; i < d->input_size; ++i) {
        sum += (uint32_t)(weights[i] * input[i]);
    }
    const int32_t scaled =
        ingot_multiply_by_quantized_multiplier((int32_t)sum, d->state_multiplier, d->state_shift);
    const int32_t code = ingot_clamp(scaled, INT16_MIN, INT16_MAX) + d->state_offset;
    return (int16_t)code;
}

/* The sum of what one filter remembers, weighted by age. */
static uint32_t ingot_svdf_s8_s16_history(const ingot_svdf_s8_s16_desc_t *d, const int16_t *weights,
                                          const int16_t *state)
{
    uint32_t sum = 0;
    for (int32_t i = 0; i < d->memory_size; ++i) {
        sum += (uint32_t)weights[i] * ((uint32_t)state[i] - (uint32_t)d->state_offset);
    }
    return sum;
}

int32_t ingot_kernel_svdf_s8_s16(const ingot_svdf_s8_s16_desc_t *d, const int8_t *input,
                                 const int8_t *INGOT_RESTRICT feature_weights,
                                 const int16_t *INGOT_RESTRICT time_weights,
                                 const int32_t *INGOT_RESTRICT bias,
                                 const int32_t *INGOT_RESTRICT weight_sum, int16_t *state,
                                 int8_t *output)
{
    const int32_t state_size = d->batches * d->units * d->rank * d->memory_size;
    /* Moves every filter's memory by one at once; the newest place is filled below. */
    memmove(state, state + 1, (size_t)(state_size - 1) * sizeof(*state));
    for (int32_t b = 0; b < d->batches; ++b) {
        int32_t filter = 0;
        for (int32_t u = 0; u < d->units; ++u) {
            uint32_t sum = bias != NULL ? (uint32_t)bias[u] : 0;
            for (int32_t r = 0; r < d->rank; ++r) {
                state[d->memory_size - 1] = ingot_svdf_s8_s16_feature(
                    d, input, feature_weights + filter * d->input_size, weight_sum[filter]);
                sum += ingot_svdf_s8_s16_history(d, time_weights + filter * d->memory_size, state);
                state += d->memory_size;
                ++filter;
            }
            *output++ = ingot_requantize_s8((int32_t)sum, d->output_multiplier, d->output_shift,
                                            d->output_offset, INT8_MIN, INT8_MAX);
        }
        input += d->input_size;
    }
    return 0;
}
