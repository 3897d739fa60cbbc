#include "tflite/builtins.h"

#include <algorithm>
#include <iterator>

namespace ingot::tflite {
namespace {

using Op = format::BuiltinOperator;
using First = format::BuiltinOptions;
using Second = format::BuiltinOptions2;

struct FirstRow {
    Op op;
    First options;
};

struct SecondRow {
    Op op;
    Second options;
};

// clang-format off
constexpr FirstRow kFirst[] = {
    {Op::ADD, First::AddOptions}, {Op::AVERAGE_POOL_2D, First::Pool2DOptions},
    {Op::CONCATENATION, First::ConcatenationOptions}, {Op::CONV_2D, First::Conv2DOptions},
    {Op::DEPTHWISE_CONV_2D, First::DepthwiseConv2DOptions},
    {Op::DEPTH_TO_SPACE, First::DepthToSpaceOptions}, {Op::DEQUANTIZE, First::DequantizeOptions},
    {Op::FULLY_CONNECTED, First::FullyConnectedOptions},
    {Op::L2_NORMALIZATION, First::L2NormOptions}, {Op::L2_POOL_2D, First::Pool2DOptions},
    {Op::LOCAL_RESPONSE_NORMALIZATION, First::LocalResponseNormalizationOptions},
    {Op::LSH_PROJECTION, First::LSHProjectionOptions}, {Op::LSTM, First::LSTMOptions},
    {Op::MAX_POOL_2D, First::Pool2DOptions}, {Op::MUL, First::MulOptions},
    {Op::RESHAPE, First::ReshapeOptions}, {Op::RESIZE_BILINEAR, First::ResizeBilinearOptions},
    {Op::RNN, First::RNNOptions}, {Op::SOFTMAX, First::SoftmaxOptions},
    {Op::SPACE_TO_DEPTH, First::SpaceToDepthOptions}, {Op::SVDF, First::SVDFOptions},
    {Op::CONCAT_EMBEDDINGS, First::ConcatEmbeddingsOptions},
    {Op::SKIP_GRAM, First::SkipGramOptions}, {Op::CALL, First::CallOptions},
    {Op::EMBEDDING_LOOKUP_SPARSE, First::EmbeddingLookupSparseOptions},
    {Op::PAD, First::PadOptions}, {Op::UNIDIRECTIONAL_SEQUENCE_RNN, First::SequenceRNNOptions},
    {Op::GATHER, First::GatherOptions}, {Op::BATCH_TO_SPACE_ND, First::BatchToSpaceNDOptions},
    {Op::SPACE_TO_BATCH_ND, First::SpaceToBatchNDOptions},
    {Op::TRANSPOSE, First::TransposeOptions}, {Op::MEAN, First::ReducerOptions},
    {Op::SUB, First::SubOptions}, {Op::DIV, First::DivOptions},
    {Op::SQUEEZE, First::SqueezeOptions},
    {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, First::UnidirectionalSequenceLSTMOptions},
    {Op::STRIDED_SLICE, First::StridedSliceOptions},
    {Op::BIDIRECTIONAL_SEQUENCE_RNN, First::BidirectionalSequenceRNNOptions},
    {Op::EXP, First::ExpOptions}, {Op::TOPK_V2, First::TopKV2Options},
    {Op::SPLIT, First::SplitOptions}, {Op::LOG_SOFTMAX, First::LogSoftmaxOptions},
    {Op::BIDIRECTIONAL_SEQUENCE_LSTM, First::BidirectionalSequenceLSTMOptions},
    {Op::CAST, First::CastOptions}, {Op::MAXIMUM, First::MaximumMinimumOptions},
    {Op::ARG_MAX, First::ArgMaxOptions}, {Op::MINIMUM, First::MaximumMinimumOptions},
    {Op::LESS, First::LessOptions}, {Op::NEG, First::NegOptions},
    {Op::PADV2, First::PadV2Options}, {Op::GREATER, First::GreaterOptions},
    {Op::GREATER_EQUAL, First::GreaterEqualOptions}, {Op::LESS_EQUAL, First::LessEqualOptions},
    {Op::SELECT, First::SelectOptions}, {Op::SLICE, First::SliceOptions},
    {Op::TRANSPOSE_CONV, First::TransposeConvOptions},
    {Op::SPARSE_TO_DENSE, First::SparseToDenseOptions}, {Op::TILE, First::TileOptions},
    {Op::EXPAND_DIMS, First::ExpandDimsOptions}, {Op::EQUAL, First::EqualOptions},
    {Op::NOT_EQUAL, First::NotEqualOptions}, {Op::SUM, First::ReducerOptions},
    {Op::SHAPE, First::ShapeOptions}, {Op::POW, First::PowOptions},
    {Op::ARG_MIN, First::ArgMinOptions}, {Op::FAKE_QUANT, First::FakeQuantOptions},
    {Op::REDUCE_PROD, First::ReducerOptions}, {Op::REDUCE_MAX, First::ReducerOptions},
    {Op::PACK, First::PackOptions}, {Op::LOGICAL_OR, First::LogicalOrOptions},
    {Op::ONE_HOT, First::OneHotOptions}, {Op::LOGICAL_AND, First::LogicalAndOptions},
    {Op::LOGICAL_NOT, First::LogicalNotOptions}, {Op::UNPACK, First::UnpackOptions},
    {Op::REDUCE_MIN, First::ReducerOptions}, {Op::FLOOR_DIV, First::FloorDivOptions},
    {Op::REDUCE_ANY, First::ReducerOptions}, {Op::SQUARE, First::SquareOptions},
    {Op::ZEROS_LIKE, First::ZerosLikeOptions}, {Op::FILL, First::FillOptions},
    {Op::FLOOR_MOD, First::FloorModOptions}, {Op::RANGE, First::RangeOptions},
    {Op::RESIZE_NEAREST_NEIGHBOR, First::ResizeNearestNeighborOptions},
    {Op::LEAKY_RELU, First::LeakyReluOptions},
    {Op::SQUARED_DIFFERENCE, First::SquaredDifferenceOptions},
    {Op::MIRROR_PAD, First::MirrorPadOptions}, {Op::ABS, First::AbsOptions},
    {Op::SPLIT_V, First::SplitVOptions}, {Op::UNIQUE, First::UniqueOptions},
    {Op::REVERSE_V2, First::ReverseV2Options}, {Op::ADD_N, First::AddNOptions},
    {Op::GATHER_ND, First::GatherNdOptions}, {Op::COS, First::CosOptions},
    {Op::WHERE, First::WhereOptions}, {Op::RANK, First::RankOptions},
    {Op::REVERSE_SEQUENCE, First::ReverseSequenceOptions},
    {Op::MATRIX_DIAG, First::MatrixDiagOptions}, {Op::QUANTIZE, First::QuantizeOptions},
    {Op::MATRIX_SET_DIAG, First::MatrixSetDiagOptions}, {Op::HARD_SWISH, First::HardSwishOptions},
    {Op::IF, First::IfOptions}, {Op::WHILE, First::WhileOptions},
    {Op::NON_MAX_SUPPRESSION_V4, First::NonMaxSuppressionV4Options},
    {Op::NON_MAX_SUPPRESSION_V5, First::NonMaxSuppressionV5Options},
    {Op::SCATTER_ND, First::ScatterNdOptions}, {Op::SELECT_V2, First::SelectV2Options},
    {Op::DENSIFY, First::DensifyOptions}, {Op::SEGMENT_SUM, First::SegmentSumOptions},
    {Op::BATCH_MATMUL, First::BatchMatMulOptions}, {Op::CUMSUM, First::CumsumOptions},
    {Op::CALL_ONCE, First::CallOnceOptions}, {Op::BROADCAST_TO, First::BroadcastToOptions},
    {Op::RFFT2D, First::Rfft2dOptions}, {Op::CONV_3D, First::Conv3DOptions},
    {Op::HASHTABLE, First::HashtableOptions}, {Op::HASHTABLE_FIND, First::HashtableFindOptions},
    {Op::HASHTABLE_IMPORT, First::HashtableImportOptions},
    {Op::HASHTABLE_SIZE, First::HashtableSizeOptions}, {Op::REDUCE_ALL, First::ReducerOptions},
    {Op::CONV_3D_TRANSPOSE, First::Conv3DOptions}, {Op::VAR_HANDLE, First::VarHandleOptions},
    {Op::READ_VARIABLE, First::ReadVariableOptions},
    {Op::ASSIGN_VARIABLE, First::AssignVariableOptions},
    {Op::RANDOM_STANDARD_NORMAL, First::RandomOptions}, {Op::BUCKETIZE, First::BucketizeOptions},
    {Op::RANDOM_UNIFORM, First::RandomOptions}, {Op::MULTINOMIAL, First::RandomOptions},
    {Op::GELU, First::GeluOptions}, {Op::DYNAMIC_UPDATE_SLICE, First::DynamicUpdateSliceOptions},
    {Op::UNSORTED_SEGMENT_PROD, First::UnsortedSegmentProdOptions},
    {Op::UNSORTED_SEGMENT_MAX, First::UnsortedSegmentMaxOptions},
    {Op::UNSORTED_SEGMENT_SUM, First::UnsortedSegmentSumOptions},
    {Op::ATAN2, First::ATan2Options},
    {Op::UNSORTED_SEGMENT_MIN, First::UnsortedSegmentMinOptions}, {Op::SIGN, First::SignOptions},
    {Op::BITCAST, First::BitcastOptions}, {Op::BITWISE_XOR, First::BitwiseXorOptions},
    {Op::RIGHT_SHIFT, First::RightShiftOptions},
};

constexpr SecondRow kSecond[] = {
    {Op::STABLEHLO_CONCATENATE, Second::StablehloConcatenateOptions},
    {Op::STABLEHLO_BROADCAST_IN_DIM, Second::StablehloBroadcastInDimOptions},
    {Op::STABLEHLO_CONVOLUTION, Second::StablehloConvolutionOptions},
    {Op::STABLEHLO_SLICE, Second::StablehloSliceOptions},
    {Op::STABLEHLO_CUSTOM_CALL, Second::StablehloCustomCallOptions},
    {Op::STABLEHLO_REDUCE, Second::StablehloReduceOptions},
    {Op::STABLEHLO_SCATTER, Second::StablehloScatterOptions},
    {Op::STABLEHLO_COMPARE, Second::StablehloCompareOptions},
    {Op::STABLEHLO_DYNAMIC_SLICE, Second::StablehloDynamicSliceOptions},
    {Op::STABLEHLO_PAD, Second::StablehloPadOptions},
    {Op::STABLEHLO_IOTA, Second::StablehloIotaOptions},
    {Op::STABLEHLO_DOT_GENERAL, Second::StablehloDotGeneralOptions},
    {Op::STABLEHLO_REDUCE_WINDOW, Second::StablehloReduceWindowOptions},
    {Op::STABLEHLO_SORT, Second::StablehloSortOptions},
    {Op::STABLEHLO_WHILE, Second::StablehloWhileOptions},
    {Op::STABLEHLO_GATHER, Second::StablehloGatherOptions},
    {Op::STABLEHLO_TRANSPOSE, Second::StablehloTransposeOptions},
    {Op::DILATE, Second::DilateOptions},
    {Op::STABLEHLO_RNG_BIT_GENERATOR, Second::StablehloRngBitGeneratorOptions},
    {Op::REDUCE_WINDOW, Second::ReduceWindowOptions},
    {Op::STABLEHLO_COMPOSITE, Second::StableHLOCompositeOptions},
    {Op::STABLEHLO_SHIFT_LEFT, Second::StablehloShiftLeftOptions},
    {Op::STABLEHLO_CASE, Second::StablehloCaseOptions},
};
// clang-format on

template <typename Row, std::size_t N>
const Row* find(const Row (&rows)[N], Op op) {
    const auto* const row = std::find_if(std::begin(rows), std::end(rows),
                                         [op](const Row& candidate) { return candidate.op == op; });
    return row == std::end(rows) ? nullptr : row;
}

}  // namespace

OptionsTypes options_of(Op op) {
    OptionsTypes types;
    if (const FirstRow* row = find(kFirst, op)) types.first = row->options;
    if (const SecondRow* row = find(kSecond, op)) types.second = row->options;
    return types;
}

bool may_have_no_outputs(Op op) {
    constexpr Op kSilent[] = {Op::ASSIGN_VARIABLE,  Op::CALL_ONCE, Op::CALL,
                              Op::HASHTABLE_IMPORT, Op::IF,        Op::WHILE,
                              Op::CUSTOM,           Op::DELEGATE,  Op::STABLEHLO_CUSTOM_CALL};
    return std::find(std::begin(kSilent), std::end(kSilent), op) != std::end(kSilent);
}

}  // namespace ingot::tflite
