// Columns of serialized Examples: what gradtape/formats/example_columns.py reads, in one pass.
//
// Example { Features features = 1 }, Features { map<string, Feature> feature = 1 }, and
// Feature { oneof { BytesList = 1, FloatList = 2, Int64List = 3 } }, each list { repeated = 1 }.
// Whatever is not written as programs write it (damaged bytes, groups, a feature with two lists) is
// declined: the reference reads it, or says what is wrong.
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "errors.h"
#include "formats/formats.h"

namespace gradtape {
namespace {

enum Wire { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
enum Kind { BYTES_LIST = 1, FLOAT_LIST = 2, INT64_LIST = 3 };

// Bytes that are still to be read. After a failed read nothing else may be read.
struct Input {
    const uint8_t* at;
    const uint8_t* end;

    bool empty() const { return at == end; }
    uint64_t left() const { return static_cast<uint64_t>(end - at); }

    bool varint(uint64_t* value) {
        if (at < end && *at < 0x80) {
            *value = *at++;
            return true;
        }
        uint64_t result = 0;
        for (int shift = 0; shift < 64 && at < end; shift += 7) {
            uint64_t byte = *at++;
            if (shift == 63 && byte > 1) return false;  // more than 64 bits
            result |= (byte & 0x7F) << shift;
            if (byte < 0x80) {
                *value = result;
                return true;
            }
        }
        return false;
    }
    bool part(Input* inside) {
        uint64_t length;
        if (!varint(&length) || length > left()) return false;
        *inside = {at, at + length};
        at += length;
        return true;
    }
    bool tag(uint64_t* field, uint64_t* wire) {
        uint64_t tag;
        if (!varint(&tag) || tag < 8 || tag > UINT32_MAX) return false;
        *field = tag >> 3;
        *wire = tag & 7;
        return true;
    }
    bool skip(uint64_t wire) {
        uint64_t number;
        Input inside;
        if (wire == VARINT) return varint(&number);
        if (wire == BYTES) return part(&inside);
        uint64_t size = wire == FIXED64 ? 8 : wire == FIXED32 ? 4 : UINT64_MAX;
        if (size > left()) return false;
        at += size;
        return true;
    }
    std::string_view text() const { return {reinterpret_cast<const char*>(at), left()}; }
};

// The values of one feature in all Examples, one after the other, and how many each has (-1: none).
struct Column {
    Kind kind;
    std::vector<float> floats;
    std::vector<int64_t> integers;
    std::vector<Input> strings;
    std::vector<int64_t> counts;

    size_t size() const {
        return kind == FLOAT_LIST   ? floats.size()
               : kind == INT64_LIST ? integers.size()
                                    : strings.size();
    }

    bool read_floats(Input list) {
        uint64_t field, wire;
        Input packed;
        while (!list.empty()) {
            if (!list.tag(&field, &wire) || field != 1) return false;
            if (wire == BYTES) {
                if (!list.part(&packed) || packed.left() % 4) return false;
            } else {
                if (wire != FIXED32 || list.left() < 4) return false;
                packed = {list.at, list.at + 4};
                list.at += 4;
            }
            size_t before = floats.size();
            floats.resize(before + packed.left() / 4);
            std::memcpy(floats.data() + before, packed.at, packed.left());
        }
        return true;
    }
    bool read_integers(Input list) {
        uint64_t field, wire, number;
        Input packed;
        while (!list.empty()) {
            if (!list.tag(&field, &wire) || field != 1) return false;
            if (wire == VARINT) {
                if (!list.varint(&number)) return false;
                integers.push_back(static_cast<int64_t>(number));
                continue;
            }
            if (wire != BYTES || !list.part(&packed)) return false;
            while (!packed.empty()) {
                if (!packed.varint(&number)) return false;
                integers.push_back(static_cast<int64_t>(number));
            }
        }
        return true;
    }
    bool read_strings(Input list) {
        uint64_t field, wire;
        Input item;
        while (!list.empty()) {
            if (!list.tag(&field, &wire) || field != 1 || wire != BYTES || !list.part(&item))
                return false;
            strings.push_back(item);
        }
        return true;
    }
    // Appends the values of a Feature.
    bool read(Input feature) {
        if (feature.empty()) {  // no list at all: as if it were missing
            counts.push_back(-1);
            return true;
        }
        uint64_t field, wire;
        Input list;
        if (!feature.tag(&field, &wire) || field != kind || wire != BYTES || !feature.part(&list) ||
            !feature.empty())
            return false;
        size_t before = size();
        bool good = kind == FLOAT_LIST   ? read_floats(list)
                    : kind == INT64_LIST ? read_integers(list)
                                         : read_strings(list);
        counts.push_back(static_cast<int64_t>(size() - before));
        return good;
    }
    PyObject* array_of_values() const {
        npy_intp length = static_cast<npy_intp>(size());
        if (kind == BYTES_LIST) {
            PyObject* made = PyArray_SimpleNew(1, &length, NPY_OBJECT);
            for (npy_intp i = 0; made && i < length; i++) {
                std::string_view text = strings[static_cast<size_t>(i)].text();
                PyObject* item = PyBytes_FromStringAndSize(text.data(),
                                                           static_cast<Py_ssize_t>(text.size()));
                if (!item) Py_CLEAR(made);
                else Py_XSETREF(data<PyObject*>(made)[i], item);
            }
            return made;
        }
        PyObject* made = new_array(1, &length, kind == FLOAT_LIST ? NPY_FLOAT32 : NPY_INT64);
        if (made && length)
            std::memcpy(data<char>(made),
                        kind == FLOAT_LIST ? static_cast<const void*>(floats.data())
                                           : static_cast<const void*>(integers.data()),
                        static_cast<size_t>(length) * (kind == FLOAT_LIST ? 4 : 8));
        return made;
    }
};

PyObject* array_of(const std::vector<int64_t>& numbers) {
    npy_intp length = static_cast<npy_intp>(numbers.size());
    PyObject* made = new_array(1, &length, NPY_INT64);
    if (made && length) std::memcpy(data<char>(made), numbers.data(), numbers.size() * 8);
    return made;
}

// The columns that are asked for, found by their keys.
class Columns {
  public:
    std::vector<Column> columns;

    // Takes a tuple of (key, kind).
    bool ask_for(PyObject* wanted) {
        if (!PyTuple_Check(wanted)) return false;
        Py_ssize_t count = PyTuple_GET_SIZE(wanted);
        columns.resize(static_cast<size_t>(count));
        for (Py_ssize_t i = 0; i < count; i++) {
            PyObject* pair = PyTuple_GET_ITEM(wanted, i);
            if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2 ||
                !PyBytes_Check(PyTuple_GET_ITEM(pair, 0)) ||
                !PyLong_Check(PyTuple_GET_ITEM(pair, 1)))
                return false;
            PyObject* key = PyTuple_GET_ITEM(pair, 0);
            keys_.emplace_back(PyBytes_AS_STRING(key), static_cast<size_t>(PyBytes_GET_SIZE(key)));
            columns[static_cast<size_t>(i)].kind = static_cast<Kind>(
                PyLong_AsLong(PyTuple_GET_ITEM(pair, 1)));
            numbers_.emplace(keys_.back(), static_cast<size_t>(i));
        }
        fields_.resize(columns.size());
        return true;
    }
    // Reads the map of a Features or FeatureLists message; of equal keys the last one counts.
    bool read_map(Input map) {
        uint64_t field, wire;
        Input entry;
        size_t position = 0;
        while (!map.empty()) {
            if (!map.tag(&field, &wire)) return false;
            if (field != 1 || wire != BYTES) {
                if (!map.skip(wire)) return false;
                continue;
            }
            Input key{nullptr, nullptr}, value{nullptr, nullptr};
            bool has_value = false;
            if (!map.part(&entry)) return false;
            while (!entry.empty()) {
                if (!entry.tag(&field, &wire)) return false;
                bool known = wire == BYTES && (field == 1 || field == 2);
                if (known && field == 2 && has_value) return false;  // would have to be merged
                if (!known) {
                    if (!entry.skip(wire)) return false;
                } else if (!entry.part(field == 1 ? &key : &value)) {
                    return false;
                }
                has_value = has_value || (known && field == 2);
            }
            size_t number = find(key.text(), position++);
            if (number != NOWHERE) fields_[number] = {value, true};
        }
        return true;
    }
    // Appends what one Example has, and forgets where it was.
    bool read_features() {
        for (size_t i = 0; i < columns.size(); i++) {
            if (!fields_[i].present) columns[i].counts.push_back(-1);
            else if (!columns[i].read(fields_[i].value)) return false;
            fields_[i].present = false;
        }
        return true;
    }
    // Does the same for lists of features: counts of each feature, and `rows` features for the
    // Example.
    bool read_lists(std::vector<std::vector<int64_t>>* rows) {
        uint64_t field, wire;
        Input feature;
        for (size_t i = 0; i < columns.size(); i++) {
            int64_t row = fields_[i].present ? 0 : -1;
            Input list = fields_[i].value;
            while (row >= 0 && !list.empty()) {
                if (!list.tag(&field, &wire) || field != 1 || wire != BYTES ||
                    !list.part(&feature) || !columns[i].read(feature))
                    return false;
                row++;
            }
            (*rows)[i].push_back(row);
            fields_[i].present = false;
        }
        return true;
    }
    // Returns a list of (values, counts) or (values, counts, rows).
    PyObject* result(const std::vector<std::vector<int64_t>>* rows) const {
        PyObject* made = PyList_New(static_cast<Py_ssize_t>(columns.size()));
        for (size_t i = 0; made && i < columns.size(); i++) {
            PyObject* values = columns[i].array_of_values();
            PyObject* counts = values ? array_of(columns[i].counts) : nullptr;
            PyObject* each = counts && rows ? array_of((*rows)[i]) : nullptr;
            PyObject* column = nullptr;
            if (counts && (each || !rows))
                column = rows ? PyTuple_Pack(3, values, counts, each)
                              : PyTuple_Pack(2, values, counts);
            Py_XDECREF(values);
            Py_XDECREF(counts);
            Py_XDECREF(each);
            if (!column) Py_CLEAR(made);
            else PyList_SET_ITEM(made, static_cast<Py_ssize_t>(i), column);
        }
        return made;
    }

  private:
    static constexpr size_t NOWHERE = SIZE_MAX;
    struct Field {
        Input value{nullptr, nullptr};
        bool present = false;
    };
    std::vector<std::string_view> keys_;
    std::unordered_map<std::string_view, size_t> numbers_;
    std::vector<Field> fields_;
    std::vector<size_t> guesses_;  // which column the entry at a position was, in the last Example

    size_t find(std::string_view key, size_t position) {
        if (position < guesses_.size()) {
            size_t guess = guesses_[position];
            if (guess != NOWHERE && keys_[guess] == key) return guess;
        } else {
            guesses_.push_back(NOWHERE);
        }
        auto it = numbers_.find(key);
        return guesses_[position] = it == numbers_.end() ? NOWHERE : it->second;
    }
};

// Reads the fields 1 and 2 of a message, each a map; null where a field is not of interest.
bool read_message(PyObject* serialized, Columns* first, Columns* second) {
    if (!PyBytes_Check(serialized)) return false;
    auto start = reinterpret_cast<const uint8_t*>(PyBytes_AS_STRING(serialized));
    Input message{start, start + PyBytes_GET_SIZE(serialized)}, map;
    uint64_t field, wire;
    while (!message.empty()) {
        if (!message.tag(&field, &wire)) return false;
        Columns* columns = field == 1 ? first : field == 2 ? second : nullptr;
        if (!columns || wire != BYTES) {
            if (!message.skip(wire)) return false;
        } else if (!message.part(&map) || !columns->read_map(map)) {
            return false;
        }
    }
    return true;
}

// example_columns(serialized, wanted): serialized is a list of bytes, wanted a tuple of (key,
// kind); a list of (values, counts), or None where the reference has to look.
PyObject* example_columns(PyObject* const* items, Py_ssize_t count) {
    Columns context;
    if (count != 2 || !PyList_Check(items[0]) || !context.ask_for(items[1])) Py_RETURN_NONE;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items[0]); i++)
        if (!read_message(PyList_GET_ITEM(items[0], i), &context, nullptr) ||
            !context.read_features())
            Py_RETURN_NONE;
    return context.result(nullptr);
}

// sequence_columns(serialized, context, lists): the same for SequenceExamples; a pair of lists, the
// second of (values, counts, rows).
PyObject* sequence_columns(PyObject* const* items, Py_ssize_t count) {
    Columns context, lists;
    if (count != 3 || !PyList_Check(items[0]) || !context.ask_for(items[1]) ||
        !lists.ask_for(items[2]))
        Py_RETURN_NONE;
    std::vector<std::vector<int64_t>> rows(lists.columns.size());
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items[0]); i++)
        if (!read_message(PyList_GET_ITEM(items[0], i), &context, &lists) ||
            !context.read_features() || !lists.read_lists(&rows))
            Py_RETURN_NONE;
    PyObject* first = context.result(nullptr);
    PyObject* second = first ? lists.result(&rows) : nullptr;
    PyObject* both = second ? PyTuple_Pack(2, first, second) : nullptr;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

template <PyObject* (*Function)(PyObject* const*, Py_ssize_t)>
PyObject* guarded(PyObject*, PyObject* const* items, Py_ssize_t count) {
    return without_exceptions([=] { return Function(items, count); });
}

#define FAST(function) reinterpret_cast<PyCFunction>(guarded<function>), METH_FASTCALL
PyMethodDef functions[] = {
    {"example_columns", FAST(example_columns), "example_columns(serialized, wanted)"},
    {"sequence_columns", FAST(sequence_columns), "sequence_columns(serialized, context, lists)"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_examples(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape
