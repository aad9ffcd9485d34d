// Flat programs as Python sees them.
#include <Python.h>
#include <structmember.h>

#include <cstring>

#include "core/tensor.h"
#include "errors.h"
#include "flat/program.h"
#include "fusion/deferred.h"

namespace gradtape::flat {
namespace {

struct Object {
    PyObject_HEAD
    vectorcallfunc call;
    Program* program;
    PyObject* fallback;  // calls the kernels one by one; null until the program is finished
};
Object* object(PyObject* self) { return reinterpret_cast<Object*>(self); }

// --- making one ----------------------------------------------------------------------------------

// Reads a (shape, dtype).
bool read_spec(PyObject* shape, PyObject* dtype, Spec* spec) {
    if (!PyTuple_Check(shape) || PyTuple_GET_SIZE(shape) > MAX_RANK || !PyArray_DescrCheck(dtype))
        return false;
    spec->type = reinterpret_cast<PyArray_Descr*>(dtype)->type_num;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(shape); i++) {
        npy_intp n = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, i));
        if (n == -1 && PyErr_Occurred()) return false;
        spec->layout.shape[spec->layout.rank++] = n;
    }
    return true;
}

bool read_numbers(PyObject* tuple, const Builder& builder, std::vector<int>* numbers) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        long number = PyLong_AsLong(PyTuple_GET_ITEM(tuple, i));
        if (number == -1 && PyErr_Occurred()) return false;
        if (number < 0 || number >= static_cast<long>(builder.values.size())) {
            PyErr_Format(PyExc_IndexError, "a flat program has no value %ld", number);
            return false;
        }
        numbers->push_back(static_cast<int>(number));
    }
    return true;
}

PyObject* number_or_none(int value) {
    if (PyErr_Occurred()) return nullptr;
    return value < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(value);
}

bool is_open(PyObject* self) {
    if (!object(self)->fallback) return true;
    PyErr_SetString(PyExc_RuntimeError, "the flat program is finished");
    return false;
}

// input(shape, dtype): returns the number of a new input; None for a dtype that has none.
PyObject* input(PyObject* self, PyObject* arguments) {
    PyObject *shape, *dtype;
    if (!PyArg_ParseTuple(arguments, "OO:input", &shape, &dtype) || !is_open(self)) return nullptr;
    return without_exceptions([&] {
        Spec spec;
        bool fits = read_spec(shape, dtype, &spec) && is_number_type(spec.type);
        return number_or_none(fits ? object(self)->program->builder.input(spec) : -1);
    });
}

// constant(data): returns the number of a new constant; None for data that cannot be one.
PyObject* constant(PyObject* self, PyObject* data) {
    if (!is_open(self)) return nullptr;
    return without_exceptions(
        [&] { return number_or_none(object(self)->program->builder.constant(data)); });
}

// plan(name, operands, params, specs, ufunc): plans an op, and returns the numbers of its results;
// None if it has no native form. `ufunc` is the one of NumPy's that computes the same, or None.
PyObject* plan(PyObject* self, PyObject* arguments) {
    PyObject *operands, *params, *specs, *ufunc;
    const char* name;
    if (!PyArg_ParseTuple(arguments, "sO!O!O!O:plan", &name, &PyTuple_Type, &operands, &PyDict_Type,
                          &params, &PyTuple_Type, &specs, &ufunc) ||
        !is_open(self))
        return nullptr;
    return without_exceptions([&]() -> PyObject* {
        Builder& builder = object(self)->program->builder;
        Call call;
        call.name = name;
        call.params = params;
        call.ufunc = ufunc;
        if (!read_numbers(operands, builder, &call.operands)) return nullptr;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(specs); i++) {
            PyObject *shape, *dtype;
            Spec spec;
            if (!PyArg_ParseTuple(PyTuple_GET_ITEM(specs, i), "OO:spec", &shape, &dtype))
                return nullptr;
            if (!read_spec(shape, dtype, &spec)) return number_or_none(-1);
            call.specs.push_back(spec);
        }
        if (!builder.add(&call)) return number_or_none(-1);
        Ref made(PyTuple_New(static_cast<Py_ssize_t>(call.results.size())));
        for (size_t i = 0; made && i < call.results.size(); i++) {
            PyObject* number = PyLong_FromLong(call.results[i]);
            if (!number) return nullptr;
            PyTuple_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i), number);
        }
        return made.release();
    });
}

// finish(inputs, results, fallback): makes the program a function of these inputs.
PyObject* finish(PyObject* self, PyObject* arguments) {
    PyObject *inputs, *results, *fallback;
    if (!PyArg_ParseTuple(arguments, "O!O!O:finish", &PyTuple_Type, &inputs, &PyTuple_Type,
                          &results, &fallback) ||
        !is_open(self))
        return nullptr;
    return without_exceptions([&]() -> PyObject* {
        Program* program = object(self)->program;
        std::vector<int> given, wanted;
        if (!read_numbers(inputs, program->builder, &given) ||
            !read_numbers(results, program->builder, &wanted))
            return nullptr;
        program->finish(given, wanted);
        object(self)->fallback = Py_NewRef(fallback);
        return Py_NewRef(Py_None);
    });
}

// --- running it ----------------------------------------------------------------------------------

// Returns the array that a view is a part of, borrowed.
PyObject* owner_of(const Program& program, const Port& view, PyObject* const* arguments,
                   const std::vector<Ref>& made) {
    for (size_t i = 0; i < program.inputs.size(); i++)
        if (program.inputs[i].buffer == view.buffer)
            return is_deferred(arguments[i]) ? array_of(arguments[i]) : arguments[i];
    for (size_t i = 0; i < program.results.size(); i++)
        if (program.results[i].buffer == view.buffer && !program.results[i].is_view)
            return made[i].get();
    for (size_t i = 0; i < program.hidden.size(); i++)
        if (program.hidden[i].buffer == view.buffer) return made[program.results.size() + i].get();
    return program.builder.buffers[static_cast<size_t>(view.buffer)].held.get();
}

Ref view_of(const Port& port, PyObject* owner, char* buffer) {
    if (!owner || !PyArray_CheckExact(owner)) return Ref();
    int flags = PyArray_ISWRITEABLE(array(owner)) ? NPY_ARRAY_WRITEABLE : 0;
    for (int i = 0; i < port.layout.rank; i++)  // to write one element would be to write several
        if (port.layout.strides[i] == 0 && port.layout.shape[i] > 1) flags = 0;
    Py_INCREF(port.dtype);
    Ref view(PyArray_NewFromDescr(&PyArray_Type, port.dtype, port.layout.rank, port.layout.shape,
                                  port.layout.strides, buffer + port.offset, flags, nullptr));
    if (!view || PyArray_SetBaseObject(array(view.get()), Py_NewRef(owner)) < 0) return Ref();
    return view;
}

// Returns the results; null without an error if the arguments have another form, or values that an
// op refuses.
PyObject* run(Program* program, PyObject* const* arguments, Py_ssize_t count) {
    size_t inputs = program->inputs.size(), results = program->results.size();
    if (static_cast<size_t>(count) != inputs) return nullptr;
    std::unique_ptr<Frame> frame = program->take_frame();
    std::vector<Number16> numbers(inputs + results);
    std::vector<Ref> made(results + program->hidden.size());
    auto allocate = [&](const Port& port, Ref* array_of_port) {
        *array_of_port = Ref(new_array(port.layout.rank, port.layout.shape, port.type));
        if (!*array_of_port) return false;
        frame->buffers[static_cast<size_t>(port.buffer)] = data<char>(array_of_port->get());
        return true;
    };
    bool fits = true;
    for (size_t i = 0; fits && i < inputs; i++) {
        const Port& port = program->inputs[i];
        fits = read_argument(port, arguments[i], &numbers[i],
                             &frame->buffers[static_cast<size_t>(port.buffer)]);
    }
    for (size_t i = 0; fits && i < results; i++) {
        const Port& port = program->results[i];
        if (port.is_view) continue;
        if (port.layout.rank) fits = allocate(port, &made[i]);
        else frame->buffers[static_cast<size_t>(port.buffer)] = numbers[inputs + i].bytes;
    }
    for (size_t i = 0; fits && i < program->hidden.size(); i++)
        fits = allocate(program->hidden[i], &made[results + i]);
    if (fits) {
        WithoutLock unlocked(program->cost);
        fits = program->run(*frame);
    }
    for (size_t i = 0; fits && i < results; i++) {
        const Port& port = program->results[i];
        if (port.is_view)
            made[i] = view_of(port, owner_of(*program, port, arguments, made),
                              frame->buffers[static_cast<size_t>(port.buffer)]);
        else if (!made[i]) made[i] = Ref(value_of(port, numbers[inputs + i].bytes));
        fits = static_cast<bool>(made[i]);
    }
    program->give_back(std::move(frame));
    if (!fits) return nullptr;
    Ref all(PyTuple_New(static_cast<Py_ssize_t>(results)));
    for (size_t i = 0; all && i < results; i++)
        PyTuple_SET_ITEM(all.get(), static_cast<Py_ssize_t>(i), made[i].release());
    return all.release();
}

PyObject* call(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    Object* own = object(self);
    if (!own->fallback) {
        PyErr_SetString(PyExc_RuntimeError, "the flat program is not finished");
        return nullptr;
    }
    if (!names) {
        PyObject* made = without_exceptions(
            [&] { return run(own->program, arguments, PyVectorcall_NARGS(flags)); });
        if (made || PyErr_Occurred()) return made;
    }
    return call_python(own->fallback, arguments, flags, names);
}

PyObject* make(PyTypeObject* type, PyObject*, PyObject*) {
    PyObject* self = type->tp_alloc(type, 0);
    if (!self) return nullptr;
    object(self)->call = call;
    object(self)->fallback = nullptr;
    object(self)->program = new (std::nothrow) Program;
    if (object(self)->program) return self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(object(self)->fallback);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

int clear(PyObject* self) {
    Py_CLEAR(object(self)->fallback);
    return 0;
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    clear(self);
    delete object(self)->program;
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* steps(PyObject* self, void*) {
    const Builder& builder = object(self)->program->builder;
    return PyLong_FromSize_t(builder.steps.size() + builder.parts.size());
}

PyMethodDef methods[] = {
    {"input", input, METH_VARARGS, "input(shape, dtype): the number of a new input"},
    {"constant", constant, METH_O, "constant(data): the number of a new constant"},
    {"plan", plan, METH_VARARGS,
     "plan(name, operands, params, specs, ufunc): the numbers of an op's results, or None"},
    {"finish", finish, METH_VARARGS, "finish(inputs, results, fallback)"},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef attributes[] = {{"steps", steps, nullptr, "how many steps it has", nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Object, call), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(make)},
                       {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, attributes},
                       {Py_tp_members, members},
                       {0, nullptr}};
PyType_Spec spec = {"gradtape._native.FlatProgram", sizeof(Object), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, slots};
PyTypeObject* program_type = nullptr;

}  // namespace

PyObject* value_of(const Port& port, const char* data) {
    if (port.layout.rank) {
        PyObject* made = new_array(port.layout.rank, port.layout.shape, port.type);
        if (made) std::memcpy(PyArray_DATA(array(made)), data, static_cast<size_t>(port.bytes()));
        return made;
    }
    if (port.type == NPY_FLOAT32) return hot::new_number(*reinterpret_cast<const float*>(data));
    if (port.type == NPY_FLOAT64) return hot::new_number(*reinterpret_cast<const double*>(data));
    return PyArray_Scalar(const_cast<char*>(data), port.dtype, nullptr);
}

Program* program_of(PyObject* x) {
    return Py_TYPE(x) == program_type && object(x)->fallback ? object(x)->program : nullptr;
}

bool add_flat(PyObject* module) {
    program_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return program_type && PyModule_AddType(module, program_type) == 0 && add_loops(module);
}

}  // namespace gradtape::flat
