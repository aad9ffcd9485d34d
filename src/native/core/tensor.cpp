#include "core/tensor.h"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "errors.h"
#include "runtime/interrupts.h"

namespace gradtape::hot {

PyTypeObject* tensor_storage = nullptr;

namespace {

// Freed objects, kept to be the next ones.
template <class Object, int most>
class Store {
  public:
    bool put(Object* object) {
        if (count_ == most) return false;
        objects_[count_++] = object;
        return true;
    }
    Object* take() { return count_ ? objects_[--count_] : nullptr; }

  private:
    Object* objects_[most];
    int count_ = 0;
};
Store<Tensor, 1024> tensors;
Store<PyFloatScalarObject, 512> singles;
Store<PyDoubleScalarObject, 512> doubles;

// Releases data. A number that only this reference holds goes to its store: nobody can see it
// change.
void release_data(PyObject* data) {
    if (Py_REFCNT(data) == 1) {
        if (Py_TYPE(data) == &PyFloatArrType_Type &&
            singles.put(reinterpret_cast<PyFloatScalarObject*>(data)))
            return;
        if (Py_TYPE(data) == &PyDoubleArrType_Type &&
            doubles.put(reinterpret_cast<PyDoubleScalarObject*>(data)))
            return;
    }
    Py_DECREF(data);
}

// Returns whether data refers to nothing else, as arrays, numbers and deferred ops do: a tensor
// that holds one, and no more than a mark made here, cannot be part of a cycle, so that the
// collector need not know it.
bool refers_to_nothing(PyObject* data) {
    return PyArray_CheckExact(data) || is_number(data) || is_deferred(data);
}

void track(PyObject* self) {
    if (!PyObject_GC_IsTracked(self)) PyObject_GC_Track(self);
}

int set_marks(Tensor* self, PyObject* value) {
    if (value == Py_None) value = nullptr;
    if (value && !(PyTuple_CheckExact(value) && PyTuple_GET_SIZE(value) == 3)) {
        PyErr_Format(PyExc_TypeError, "a mark is (key, slot, next mark) or None, not %R", value);
        return -1;
    }
    PyObject *key = self->key, *marks = self->marks;
    self->key = nullptr;
    self->marks = Py_XNewRef(value);
    Py_XDECREF(key);
    Py_XDECREF(marks);
    return 0;
}

// Moves the mark in the tensor to the chain.
bool fold(Tensor* self) {
    if (!self->key) return true;
    PyObject* mark = Py_BuildValue("(OnO)", self->key, self->slot,
                                   self->marks ? self->marks : Py_None);
    if (!mark) return false;
    Py_XDECREF(self->marks);
    self->marks = mark;
    Py_CLEAR(self->key);
    return true;
}

PyObject* get_marks(PyObject* self, void*) {
    if (!fold(tensor(self))) return nullptr;
    return Py_NewRef(tensor(self)->marks ? tensor(self)->marks : Py_None);
}

int put_marks(PyObject* self, PyObject* value, void*) {
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "_marks cannot be deleted");
        return -1;
    }
    return set_marks(tensor(self), value);
}

PyObject* get_dict(PyObject* self, void*) {
    track(self);
    return PyObject_GenericGetDict(self, nullptr);
}

int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
    if (PyObject_GenericSetAttr(self, name, value) < 0) return -1;
    track(self);
    return 0;
}

int set_up(Tensor* self, PyObject* data, PyObject* marks) {
    if (set_marks(self, marks) < 0) return -1;
    Py_INCREF(data);
    Py_XSETREF(self->data, data);
    return 0;
}

// Whether data cannot be a payload: then a program has called `Tensor(data)`, and an error is set.
// (An example argument has a spec in place of a value; some have JAX's arrays.)
bool refuse(PyObject* data) {
    if (refers_to_nothing(data) || PyArray_Check(data)) return false;
    Ref dtype(PyObject_GetAttrString(data, "dtype"));
    if (!dtype && !expected_error({PyExc_AttributeError})) return true;
    Ref own(dtype ? PyObject_GetAttrString(data, "_spec") : nullptr);  // tensors, variables
    if (dtype && !own) return !expected_error({PyExc_AttributeError});
    PyErr_Format(PyExc_TypeError,
                 "Tensor() is not for programs, and got %R: use tf.convert_to_tensor or "
                 "tf.constant.",
                 reinterpret_cast<PyObject*>(Py_TYPE(data)));
    return true;
}

int initialize(PyObject* self, PyObject* arguments, PyObject* keywords) {
    static const char* parameters[] = {"data", "marks", nullptr};
    PyObject *data, *marks = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:Tensor",
                                     const_cast<char**>(parameters), &data, &marks))
        return -1;
    if (Py_TYPE(self) == core.Tensor && refuse(data)) return -1;
    return set_up(tensor(self), data, marks);
}

// Makes `Tensor(data, marks)`.
PyObject* construct(PyObject* type, PyObject* const* arguments, size_t flags, PyObject* keywords) {
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    auto* made = reinterpret_cast<PyTypeObject*>(type);
    if (made == core.Tensor && tensors_are_ours() && !keywords && (count == 1 || count == 2)) {
        if (refuse(arguments[0])) return nullptr;
        PyObject* self = new_tensor(Py_NewRef(arguments[0]));
        if (self && count == 2 && arguments[1] != Py_None) {
            if (set_marks(tensor(self), arguments[1]) < 0) {
                Py_DECREF(self);
                return nullptr;
            }
            track(self);
        }
        return self;
    }
    Ref positional(PyTuple_New(count));
    if (!positional) return nullptr;
    for (Py_ssize_t i = 0; i < count; i++)
        PyTuple_SET_ITEM(positional.get(), i, Py_NewRef(arguments[i]));
    Ref named;
    if (keywords) {
        named = Ref(PyDict_New());
        if (!named) return nullptr;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); i++)
            if (PyDict_SetItem(named.get(), PyTuple_GET_ITEM(keywords, i), arguments[count + i]) <
                0)
                return nullptr;
    }
    return PyType_Type.tp_call(type, positional.get(), named.get());
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Tensor* x = tensor(self);
    Py_VISIT(x->data);
    Py_VISIT(x->key);
    Py_VISIT(x->marks);
    Py_VISIT(x->origin);
    Py_VISIT(x->dict);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

// Clears all but the data, which stays until the end: others may ask a tensor for it at any time.
int clear(PyObject* self) {
    Tensor* x = tensor(self);
    Py_CLEAR(x->key);
    Py_CLEAR(x->marks);
    Py_CLEAR(x->origin);
    Py_CLEAR(x->dict);
    return 0;
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    if (type->tp_finalize && PyObject_CallFinalizerFromDealloc(self) < 0) return;
    PyObject_GC_UnTrack(self);
    Tensor* x = tensor(self);
    if (x->weak) PyObject_ClearWeakRefs(self);
    clear(self);
    if (x->data) {
        PyObject* data = x->data;
        x->data = nullptr;
        release_data(data);
    }
    if (type != core.Tensor || !tensors.put(x)) type->tp_free(self);
    Py_DECREF(type);
}

// Gives the buffer of `memoryview(x)`, read-only. NumPy asks every object for a buffer first and
// clears whatever error that gives: so an ordinary array is shown without running Python, which
// Ctrl-C could interrupt, and an interrupt in the other cases comes up again behind NumPy's back.
int get_buffer(PyObject* self, Py_buffer* view, int flags) {
    view->obj = nullptr;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "tensors are values: their memory is read-only");
        return -1;
    }
    PyObject* data = tensor(self)->data;
    if (Py_TYPE(self) == core.Tensor && data && PyArray_CheckExact(data)) {
        Ref state = current_state();
        if (!state) return -1;
        if (!PyTuple_GET_SIZE(core.tapes.of(state.get()))) {  // tapes want to know who reads
            if (PyObject_GetBuffer(data, view, flags) == 0) {
                view->readonly = 1;
                return 0;
            }
            if (!expected_error({PyExc_BufferError, PyExc_ValueError})) return -1;
        }
    }
    Ref shown(PyObject_CallMethod(self, "_memory_view", nullptr));
    if (shown) return PyObject_GetBuffer(shown.get(), view, flags);
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        postpone_error();
        PyErr_SetString(PyExc_BufferError, "interrupted");
    }
    return -1;
}

PyMemberDef members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(Tensor, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Tensor, weak), READONLY, nullptr},
    {"_data", T_OBJECT_EX, offsetof(Tensor, data), 0, nullptr},
    {"_origin", T_OBJECT_EX, offsetof(Tensor, origin), 0, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef accessors[] = {{"_marks", get_marks, put_marks, nullptr, nullptr},
                           {"__dict__", get_dict, PyObject_GenericSetDict, nullptr, nullptr},
                           {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {{Py_tp_init, reinterpret_cast<void*>(initialize)},
                       {Py_tp_new, reinterpret_cast<void*>(PyType_GenericNew)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_setattro, reinterpret_cast<void*>(set_attribute)},
                       {Py_tp_members, members},
                       {Py_tp_getset, accessors},
                       {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                       {0, nullptr}};

PyType_Spec spec = {"gradtape._native.TensorStorage", sizeof(Tensor), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots};

// Takes the class `Tensor`, made with TensorStorage as its base, and makes its construction fast.
PyObject* use_tensor(PyObject*, PyObject* arguments) {
    PyTypeObject *type, *spec_type;
    if (!PyArg_ParseTuple(arguments, "O!O!:use_tensor", &PyType_Type, &type, &PyType_Type,
                          &spec_type))
        return nullptr;
    if (core.Tensor || !PyType_IsSubtype(type, tensor_storage) ||
        type->tp_basicsize != sizeof(Tensor) || type->tp_itemsize || type->tp_init != initialize)
        return PyErr_Format(PyExc_TypeError, "%R is not the class of tensors", type);
    if (!core.spec_shape.find(spec_type, "shape") || !core.spec_dtype.find(spec_type, "dtype"))
        return nullptr;
    core.Spec = reinterpret_cast<PyTypeObject*>(Py_NewRef(spec_type));
    core.Tensor = reinterpret_cast<PyTypeObject*>(Py_NewRef(type));
    // A class statement gives a class the general way of both, which knows nothing of the stores.
    type->tp_dealloc = dealloc;
    type->tp_vectorcall = construct;
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"use_tensor", use_tensor, METH_VARARGS, "use_tensor(Tensor, Spec)"},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool tensors_are_ours() { return core.Tensor->tp_init == initialize; }

PyObject* new_tensor(PyObject* data) {
    if (!data) return nullptr;
    Tensor* self = tensors.take();
    if (self) {
        PyObject_Init(reinterpret_cast<PyObject*>(self), core.Tensor);
        self->slot = 0;
        self->watched = false;
    } else {
        self = PyObject_GC_New(Tensor, core.Tensor);
        if (!self) {
            Py_DECREF(data);
            return nullptr;
        }
        std::memset(reinterpret_cast<char*>(self) + sizeof(PyObject), 0,
                    sizeof(Tensor) - sizeof(PyObject));
    }
    self->data = data;
    if (!refers_to_nothing(data)) PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
    return reinterpret_cast<PyObject*>(self);
}

PyObject* new_number(float value) {
    auto* number = reinterpret_cast<PyObject*>(singles.take());
    if (!number) number = PyArrayScalar_New(Float);
    if (number) PyArrayScalar_ASSIGN(number, Float, value);
    return number;
}

PyObject* new_number(double value) {
    auto* number = reinterpret_cast<PyObject*>(doubles.take());
    if (!number) number = PyArrayScalar_New(Double);
    if (number) PyArrayScalar_ASSIGN(number, Double, value);
    return number;
}

namespace {
// Returns the mark with this key in a chain of tuples, borrowed, or null.
PyObject* in_chain(PyObject* mark, PyObject* key) {
    while (mark && PyTuple_CheckExact(mark) && PyTuple_GET_SIZE(mark) == 3) {
        if (PyTuple_GET_ITEM(mark, 0) == key) return mark;
        mark = PyTuple_GET_ITEM(mark, 2);
    }
    return nullptr;
}
}  // namespace

Py_ssize_t marked_slot(Tensor* x, PyObject* key) {
    if (x->key == key && key) return x->slot;
    PyObject* mark = in_chain(x->marks, key);
    if (!mark || !PyLong_Check(PyTuple_GET_ITEM(mark, 1))) return -1;
    Py_ssize_t slot = PyLong_AsSsize_t(PyTuple_GET_ITEM(mark, 1));
    if (slot < 0) expected_error({PyExc_OverflowError});  // not one of ours
    return slot;
}

bool has_mark(Tensor* x, PyObject* key) {
    return (x->key == key && key) || in_chain(x->marks, key) != nullptr;
}

bool add_mark(Tensor* x, PyObject* key, Py_ssize_t slot) {
    if (!fold(x)) return false;
    x->key = Py_NewRef(key);
    x->slot = slot;
    return true;
}

PyObject* marked_tangent(Tensor* x, PyObject* key) {
    PyObject* mark = in_chain(x->marks, key);
    return mark ? PyTuple_GET_ITEM(mark, 1) : nullptr;
}

bool add_tangent(Tensor* x, PyObject* key, PyObject* tangent) {
    if (!fold(x)) return false;
    PyObject* mark = PyTuple_Pack(3, key, tangent, x->marks ? x->marks : Py_None);
    if (!mark) return false;
    Py_XSETREF(x->marks, mark);
    track(reinterpret_cast<PyObject*>(x));  // a tangent may refer to anything
    return true;
}

int read_shape(PyObject* data, npy_intp* sizes) {
    if (PyArray_CheckExact(data)) {
        std::copy_n(PyArray_DIMS(array(data)), PyArray_NDIM(array(data)), sizes);
        return PyArray_NDIM(array(data));
    }
    if (is_deferred(data)) {
        std::copy_n(deferred(data)->shape, deferred(data)->rank, sizes);
        return deferred(data)->rank;
    }
    if (Py_TYPE(data) != core.Spec) return is_number(data) ? 0 : -1;
    PyObject* shape = core.spec_shape.of(data);
    if (!shape || !PyTuple_CheckExact(shape) || PyTuple_GET_SIZE(shape) > NPY_MAXDIMS) return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(shape); i++) {
        PyObject* size = PyTuple_GET_ITEM(shape, i);
        if (!PyLong_CheckExact(size)) return -1;  // it is open (core/size)
        sizes[i] = PyLong_AsSsize_t(size);
    }
    return static_cast<int>(PyTuple_GET_SIZE(shape));
}

PyObject* spec_of(PyObject* x) {
    if (!is_exactly_tensor(x) || !tensor(x)->data) return PyObject_CallMethodNoArgs(x, names.spec);
    Ref shape(PyObject_GetAttr(tensor(x)->data, names.shape));
    if (!shape) return nullptr;
    Ref dtype(PyObject_GetAttr(tensor(x)->data, names.dtype));
    if (!dtype) return nullptr;
    PyObject* spec = core.Spec->tp_alloc(core.Spec, 0);
    if (!spec) return nullptr;
    core.spec_shape.of(spec) = shape.release();
    core.spec_dtype.of(spec) = dtype.release();
    return spec;
}

bool prepare_tensors(PyObject* module) {
    PyObject* type = PyType_FromSpec(&spec);
    tensor_storage = reinterpret_cast<PyTypeObject*>(type);
    return type && PyModule_AddObjectRef(module, "TensorStorage", type) == 0 &&
           PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape::hot
