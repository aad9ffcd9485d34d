// Record files: pieces of bytes, each with its length and checksums.
#include <cstring>

#include "formats/crc32c.h"
#include "formats/formats.h"

namespace gradtape {
namespace {

constexpr uint64_t HEADER = 12, FOOTER = 4;
// What split_records found where it stopped; gradtape/formats/records.py has the same numbers.
enum Stop { INCOMPLETE = 0, BAD_LENGTH = 1, BAD_DATA = 2 };

template <class Number>
Number little_endian(const uint8_t* data) {
    Number number = 0;
    for (size_t i = 0; i < sizeof(Number); i++) number |= static_cast<Number>(data[i]) << (8 * i);
    return number;
}

class Bytes {
  public:
    explicit Bytes(PyObject* object) {
        valid_ = PyObject_GetBuffer(object, &view_, PyBUF_SIMPLE) == 0;
    }
    ~Bytes() {
        if (valid_) PyBuffer_Release(&view_);
    }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;
    bool valid() const { return valid_; }
    const uint8_t* data() const { return static_cast<const uint8_t*>(view_.buf); }
    uint64_t size() const { return static_cast<uint64_t>(view_.len); }

  private:
    Py_buffer view_;
    bool valid_;
};

PyObject* py_crc32c(PyObject*, PyObject* object) {
    Bytes bytes(object);
    if (!bytes.valid()) return nullptr;
    return PyLong_FromUnsignedLong(crc32c(bytes.data(), bytes.size()));
}

// split_records(data) -> (records, bytes used, why it stopped). A record that does not end within
// the data is left for later; the caller knows whether there is more to come.
PyObject* py_split_records(PyObject*, PyObject* object) {
    Bytes bytes(object);
    if (!bytes.valid()) return nullptr;
    PyObject* records = PyList_New(0);
    if (!records) return nullptr;
    const uint8_t* data = bytes.data();
    uint64_t at = 0;
    Stop stop = INCOMPLETE;
    while (bytes.size() - at >= HEADER) {
        const uint8_t* start = data + at;
        auto length = little_endian<uint64_t>(start);
        if (masked_crc32c(start, 8) != little_endian<uint32_t>(start + 8)) {
            stop = BAD_LENGTH;
            break;
        }
        uint64_t left = bytes.size() - at - HEADER;
        if (left < FOOTER || length > left - FOOTER) break;
        const uint8_t* body = start + HEADER;
        if (masked_crc32c(body, length) != little_endian<uint32_t>(body + length)) {
            stop = BAD_DATA;
            break;
        }
        PyObject* record = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(body),
                                                     static_cast<Py_ssize_t>(length));
        int failed = record ? PyList_Append(records, record) : -1;
        Py_XDECREF(record);
        if (failed) {
            Py_DECREF(records);
            return nullptr;
        }
        at += HEADER + length + FOOTER;
    }
    return Py_BuildValue("(NKi)", records, static_cast<unsigned long long>(at),
                         static_cast<int>(stop));
}

PyMethodDef functions[] = {
    {"crc32c", py_crc32c, METH_O, "crc32c(data): the checksum of bytes"},
    {"split_records", py_split_records, METH_O,
     "split_records(data): the whole records at its beginning, their size, and why it ended"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_records(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape
