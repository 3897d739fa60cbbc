#include "tflite/options.h"

#include <flatbuffers/reflection.h>

#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "tflite/builtins.h"
#include "tflite/schema_bfbs_generated.h"

namespace ingot::tflite {
namespace {

/// What one entry of a map costs besides its contents, about.
constexpr std::uint64_t kEntryCost = 112;

/// The description of the format's tables that flatc made from our schema.
const reflection::Schema& schema() {
    return *reflection::GetSchema(format::ModelBinarySchema::data());
}

/// The table that is member `number` of a union, or a null pointer when there is none.
const reflection::Object* union_member(const char* union_name, int number) {
    const auto* members = schema().enums()->LookupByKey(union_name)->values();
    const auto* member = members->LookupByKey(number);
    if (member == nullptr || number == 0) return nullptr;
    return schema().objects()->Get(static_cast<unsigned>(member->union_type()->index()));
}

bool is_float(reflection::BaseType type) {
    return type == reflection::Float || type == reflection::Double;
}

ir::Attribute read_vector(const flatbuffers::Table& table, const reflection::Field& field,
                          Budget& budget) {
    const auto element = field.type()->element();
    const auto* vector = flatbuffers::GetFieldAnyV(table, field);
    const flatbuffers::uoffset_t size = vector == nullptr ? 0 : vector->size();
    budget.charge(std::uint64_t{8} * size);
    if (is_float(element)) {
        std::vector<double> values(size);
        for (flatbuffers::uoffset_t i = 0; i < size; ++i)
            values[i] = flatbuffers::GetAnyVectorElemF(vector, element, i);
        return values;
    }
    std::vector<std::int64_t> values(size);
    for (flatbuffers::uoffset_t i = 0; i < size; ++i)
        values[i] = flatbuffers::GetAnyVectorElemI(vector, element, i);
    return values;
}

ir::Attribute read_field(const flatbuffers::Table& table, const reflection::Field& field,
                         Budget& budget) {
    const auto type = field.type()->base_type();
    if (type == reflection::Vector) return read_vector(table, field, budget);
    if (type == reflection::String) {
        const auto* text = flatbuffers::GetFieldS(table, field);
        if (text == nullptr) return std::string();
        budget.charge(text->size());
        return text->str();
    }
    if (type == reflection::Bool) return flatbuffers::GetAnyFieldI(table, field) != 0;
    if (is_float(type)) return flatbuffers::GetAnyFieldF(table, field);
    return flatbuffers::GetAnyFieldI(table, field);
}

void read_table(const flatbuffers::Table& table, const reflection::Object& type, Budget& budget,
                ir::Attributes& attributes) {
    for (const reflection::Field* field : *type.fields()) {
        budget.charge(kEntryCost);
        attributes.set(field->name()->str(), read_field(table, *field, budget));
    }
}

/// Reads one of an operator's two options unions: `found` is the member that the file names,
/// `expected` the one that belongs to the operator.
void read_union(const char* union_name, int found, int expected, const void* table,
                const std::string& where, Budget& budget, ir::Operator& op) {
    if (found == 0 || table == nullptr || expected == 0) return;
    if (found != expected) {
        const auto* member = union_member(union_name, found);
        throw support::Failure(
            support::ExitStatus::model, where,
            "its options are those of another operator: " +
                (member != nullptr ? member->name()->str().substr(sizeof("ingot.tflite.format"))
                                   : "number " + std::to_string(found)));
    }
    op.has_options = true;
    read_table(*static_cast<const flatbuffers::Table*>(table), *union_member(union_name, found),
               budget, op.attributes);
}

}  // namespace

void read_options(const format::Operator& file, format::BuiltinOperator builtin,
                  const std::string& where, Budget& budget, ir::Operator& op) {
    const OptionsTypes types = options_of(builtin);
    read_union("ingot.tflite.format.BuiltinOptions", static_cast<int>(file.builtin_options_type()),
               static_cast<int>(types.first), file.builtin_options(), where, budget, op);
    read_union("ingot.tflite.format.BuiltinOptions2",
               static_cast<int>(file.builtin_options_2_type()), static_cast<int>(types.second),
               file.builtin_options_2(), where, budget, op);
}

}  // namespace ingot::tflite
