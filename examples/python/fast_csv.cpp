// A module for Python: read_csv() gives a table that polars, pyarrow and duckdb take without a copy, and whose numbers
// NumPy sees where they are. README.md shows how it is built and used.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <headrace/arrow.hpp>

#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

// ---- a table that many may look at, each of whom keeps it alive ----

struct shared_table {
  ArrowSchema schema{};
  ArrowArray array{};

  shared_table() = default;
  shared_table(const shared_table&) = delete;
  shared_table& operator=(const shared_table&) = delete;
  ~shared_table() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }
};
using table_pointer = std::shared_ptr<shared_table>;

// A copy of a schema or of an array, without its children, that shares the table.
template <class Struct>
struct shared_struct {
  table_pointer table;
  std::vector<Struct> children{};
  std::vector<Struct*> pointers{};

  static void release(Struct* of) {
    for (std::int64_t i = 0; i < of->n_children; ++i) {
      Struct* const child = of->children[i];
      if (child->release != nullptr) child->release(child);
    }
    delete static_cast<shared_struct*>(of->private_data);
    of->release = nullptr;
  }

  static Struct share(const Struct& original, const table_pointer& table) {
    auto owner = std::make_unique<shared_struct>(shared_struct{table});
    for (std::int64_t i = 0; i < original.n_children; ++i)
      owner->children.push_back(share(*original.children[i], table));
    for (Struct& child : owner->children) owner->pointers.push_back(&child);
    Struct copy = original;
    copy.children = owner->pointers.data();
    copy.release = release;
    copy.private_data = owner.release();
    return copy;
  }
};

struct shared_stream {
  table_pointer table;
  bool is_taken = false;

  static shared_stream& of(ArrowArrayStream* stream) { return *static_cast<shared_stream*>(stream->private_data); }
  static int get_schema(ArrowArrayStream* stream, ArrowSchema* to) {
    return share([&] { *to = shared_struct<ArrowSchema>::share(of(stream).table->schema, of(stream).table); });
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* to) {
    *to = ArrowArray{};
    if (of(stream).is_taken) return 0;
    return share([&] {
      *to = shared_struct<ArrowArray>::share(of(stream).table->array, of(stream).table);
      of(stream).is_taken = true;
    });
  }
  static const char* get_last_error(ArrowArrayStream*) { return nullptr; }
  static void release(ArrowArrayStream* stream) {
    delete &of(stream);
    stream->release = nullptr;
  }

 private:
  template <class Action>
  static int share(Action action) {
    try {
      action();
      return 0;
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
  }
};

// ---- Python's objects ----

// For `object`, which owns what Python gave us a new reference to.
struct decrement {
  void operator()(PyObject* of) const { Py_DECREF(of); }
};
using object = std::unique_ptr<PyObject, decrement>;

// Python has been told what is wrong.
struct python_error {};
PyObject* not_null(PyObject* made) {
  if (made == nullptr) throw python_error();
  return made;
}

struct table_object {
  PyObject_HEAD table_pointer table;
};
struct column_object {
  PyObject_HEAD table_pointer table;
  Py_ssize_t index, size;
};
PyTypeObject* table_type;
PyTypeObject* column_type;

// Runs what may throw, as Python wants it: nullptr, or -1, after an exception was set.
template <class Action>
auto guarded(Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const python_error&) {
  } catch (const headrace::input_error& error) {
    const bool is_system = error.code().category() == std::generic_category();
    const object arguments(is_system ? Py_BuildValue("is", error.code().value(), error.what())
                                     : Py_BuildValue("(s)", error.what()));
    if (arguments != nullptr) PyErr_SetObject(is_system ? PyExc_OSError : PyExc_ValueError, arguments.get());
  } catch (const headrace::output_error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  if constexpr (std::is_pointer_v<decltype(action())>) {
    return nullptr;
  } else {
    return -1;
  }
}

template <class Object>
void free_object(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  reinterpret_cast<Object*>(self)->table.~shared_ptr();
  type->tp_free(self);
  Py_DECREF(type);
}
template <class Object>
Object* make_object(PyTypeObject* type, table_pointer table) {
  auto* const made = reinterpret_cast<Object*>(not_null(type->tp_alloc(type, 0)));
  ::new (&made->table) table_pointer(std::move(table));
  return made;
}
const shared_table& of(PyObject* self) { return *reinterpret_cast<table_object*>(self)->table; }

// ---- a table ----

void free_capsule(PyObject* capsule) {
  auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

// The Arrow PyCapsule interface. Types are not changed to what the consumer would like: it may do that.
PyObject* arrow_stream(PyObject* self, PyObject*, PyObject*) {
  return guarded([self] {
    auto stream = std::make_unique<ArrowArrayStream>();
    stream->private_data = new shared_stream{reinterpret_cast<table_object*>(self)->table};
    stream->get_schema = shared_stream::get_schema;
    stream->get_next = shared_stream::get_next;
    stream->get_last_error = shared_stream::get_last_error;
    stream->release = shared_stream::release;
    PyObject* const capsule = PyCapsule_New(stream.get(), "arrow_array_stream", free_capsule);
    if (capsule == nullptr) stream->release(stream.get());
    not_null(capsule);
    stream.release();
    return capsule;
  });
}

PyObject* names_of(PyObject* self, void*) {
  return guarded([self] {
    object names(not_null(PyList_New(0)));
    for (std::int64_t i = 0; i < of(self).schema.n_children; ++i) {
      const object name(not_null(PyUnicode_FromString(of(self).schema.children[i]->name)));
      if (PyList_Append(names.get(), name.get()) != 0) throw python_error();
    }
    return names.release();
  });
}

Py_ssize_t rows_of(PyObject* self) { return static_cast<Py_ssize_t>(of(self).array.length); }

// The bytes of a value of the types that memory can be looked at as; 0: none of them. Arrow calls them as Python's
// struct does, except for 64 bits.
Py_ssize_t size_of(char format) {
  switch (format) {
    case 'i':
    case 'f':
      return 4;
    case 'l':
    case 'L':
    case 'g':
      return 8;
    default:
      return 0;
  }
}

PyObject* column_of(PyObject* self, PyObject* key) {
  return guarded([&] {
    const char* const name = PyUnicode_AsUTF8(key);
    if (name == nullptr) throw python_error();
    const shared_table& table = of(self);
    for (std::int64_t i = 0; i < table.schema.n_children; ++i) {
      if (std::strcmp(table.schema.children[i]->name, name) != 0) continue;
      const char* const format = table.schema.children[i]->format;
      const Py_ssize_t size = format[1] == '\0' ? size_of(format[0]) : 0;
      if (size == 0 || table.array.children[i]->null_count != 0) {
        PyErr_Format(PyExc_TypeError, "column \"%s\" is not of numbers alone: take it by Arrow", name);
        throw python_error();
      }
      auto* const made = make_object<column_object>(column_type, reinterpret_cast<table_object*>(self)->table);
      made->index = static_cast<Py_ssize_t>(i);
      made->size = size;
      return reinterpret_cast<PyObject*>(made);
    }
    PyErr_SetObject(PyExc_KeyError, key);
    throw python_error();
  });
}

// The memory of a column, for NumPy: read only, as others may look at it, too.
int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  const auto& column = *reinterpret_cast<column_object*>(self);
  const ArrowArray& array = *column.table->array.children[column.index];
  const char* const format = column.table->schema.children[column.index]->format;
  static char empty;
  void* const data = array.length == 0 ? &empty : const_cast<void*>(array.buffers[1]);
  if (PyBuffer_FillInfo(view, self, data, static_cast<Py_ssize_t>(array.length) * column.size, 1, flags) != 0)
    return -1;
  view->itemsize = column.size;
  if (view->format != nullptr) {
    const char* const formats[] = {"i", "f", "q", "Q", "d"};
    view->format = const_cast<char*>(formats[std::string_view("iflLg").find(format[0])]);
  }
  if (view->shape != nullptr) {
    view->shape = static_cast<Py_ssize_t*>(PyMem_Malloc(sizeof(Py_ssize_t)));
    if (view->shape == nullptr) {
      PyErr_NoMemory();
      PyBuffer_Release(view);
      return -1;
    }
    *view->shape = static_cast<Py_ssize_t>(array.length);
    view->internal = view->shape;
  }
  return 0;
}
void release_buffer(PyObject*, Py_buffer* view) { PyMem_Free(view->internal); }

// ---- read_csv ----

struct named_kind {
  const char* name;
  headrace::arrow_kind kind;
};
using kind = headrace::arrow_kind;
constexpr named_kind kinds[] = {
    {"bool", kind::boolean},  {"int32", kind::int32},     {"int64", kind::int64},
    {"uint64", kind::uint64}, {"float32", kind::float32}, {"float64", kind::float64},
    {"text", kind::text},     {"date", kind::date},       {"timestamp", kind::timestamp},
};

// ("price", "float64"), and "float64?" where a field may be empty.
headrace::arrow_field field_of(PyObject* pair) {
  const char *name, *type;
  if (!PyTuple_Check(pair)) {
    PyErr_SetString(PyExc_TypeError, "a column is a tuple of its name and its type");
    throw python_error();
  }
  if (!PyArg_ParseTuple(pair, "ss;a column is a tuple of its name and its type", &name, &type)) throw python_error();
  std::string_view wanted = type;
  const bool is_nullable = !wanted.empty() && wanted.back() == '?';
  if (is_nullable) wanted.remove_suffix(1);
  for (const named_kind& each : kinds) {
    if (wanted == each.name) return {name, each.kind, is_nullable};
  }
  PyErr_Format(PyExc_ValueError,
               "column \"%s\": there is no type \"%s\"; types are bool, int32, int64, uint64, float32, float64, text, "
               "date and timestamp, each with ? after it where fields may be empty",
               name, type);
  throw python_error();
}

std::vector<headrace::arrow_field> fields_of(PyObject* columns) {
  const object sequence(not_null(PySequence_Fast(columns, "columns is a list of tuples, each a name and a type")));
  std::vector<headrace::arrow_field> fields;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.get()); ++i) {
    fields.push_back(field_of(PySequence_Fast_GET_ITEM(sequence.get(), i)));
  }
  if (fields.empty()) {
    PyErr_SetString(PyExc_ValueError, "columns is empty: name one at least");
    throw python_error();
  }
  return fields;
}

// Other threads of Python run while this one reads.
struct without_gil {
  PyThreadState* const state = PyEval_SaveThread();
  without_gil() = default;
  without_gil(const without_gil&) = delete;
  without_gil& operator=(const without_gil&) = delete;
  ~without_gil() { PyEval_RestoreThread(state); }
};

table_pointer read_table(const char* path, const std::vector<headrace::arrow_field>& fields, unsigned threads,
                         headrace::rejects* aside) {
  const without_gil others;
  const auto format = headrace::csv.with_header();
  const headrace::threads on{threads};
  headrace::arrow_table read = aside == nullptr ? headrace::read_arrow(path, format, fields, on)
                                                : headrace::read_arrow(path, format, fields, on, *aside);
  auto made = std::make_shared<shared_table>();
  read.export_to(&made->schema, &made->array);
  return made;
}

void append_rejects(PyObject* list, const headrace::rejects& rows) {
  for (const headrace::rejected_row& each : rows) {
    const object row(not_null(Py_BuildValue("KKKs", static_cast<unsigned long long>(each.row()),
                                            static_cast<unsigned long long>(each.line()),
                                            static_cast<unsigned long long>(each.column()), each.what())));
    if (PyList_Append(list, row.get()) != 0) throw python_error();
  }
}

PyObject* read_csv(PyObject*, PyObject* arguments, PyObject* named) {
  return guarded([&]() -> PyObject* {
    const char* const names[] = {"path", "columns", "threads", "rejects", nullptr};
    PyObject *path, *columns, *rejects = Py_None;
    unsigned threads = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "O&O|IO", const_cast<char**>(names), PyUnicode_FSConverter,
                                     &path, &columns, &threads, &rejects)) {
      throw python_error();
    }
    const object path_owner(path);
    if (rejects != Py_None && !PyList_Check(rejects)) {
      PyErr_SetString(PyExc_TypeError, "rejects is a list, to which bad rows are appended, or None");
      throw python_error();
    }
    const std::vector<headrace::arrow_field> fields = fields_of(columns);
    headrace::rejects aside;
    table_pointer table = read_table(PyBytes_AS_STRING(path), fields, threads, rejects == Py_None ? nullptr : &aside);
    if (rejects != Py_None) append_rejects(rejects, aside);
    return reinterpret_cast<PyObject*>(make_object<table_object>(table_type, std::move(table)));
  });
}

// ---- the module ----

template <class Function>
void* slot(Function function) {
  return reinterpret_cast<void*>(function);
}
PyCFunction with_keywords(PyObject* (*function)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

PyTypeObject* make_type(const char* name, std::size_t size, PyType_Slot* slots) {
  PyType_Spec spec = {name, static_cast<int>(size), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

bool make_types() {
  static PyMethodDef methods[] = {{"__arrow_c_stream__", with_keywords(arrow_stream), METH_VARARGS | METH_KEYWORDS,
                                   "The table as a stream of Arrow."},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef properties[] = {{"names", names_of, nullptr, "The names of the columns.", nullptr},
                                     {nullptr, nullptr, nullptr, nullptr, nullptr}};
  PyType_Slot of_table[] = {{Py_tp_dealloc, slot(free_object<table_object>)},
                            {Py_tp_methods, methods},
                            {Py_tp_getset, properties},
                            {Py_mp_length, slot(rows_of)},
                            {Py_mp_subscript, slot(column_of)},
                            {0, nullptr}};
  PyType_Slot of_column[] = {{Py_tp_dealloc, slot(free_object<column_object>)},
                             {Py_bf_getbuffer, slot(get_buffer)},
                             {Py_bf_releasebuffer, slot(release_buffer)},
                             {0, nullptr}};
  table_type = make_type("fast_csv.Table", sizeof(table_object), of_table);
  column_type = make_type("fast_csv.Column", sizeof(column_object), of_column);
  return table_type != nullptr && column_type != nullptr;
}

PyMethodDef functions[] = {
    {"read_csv", with_keywords(read_csv), METH_VARARGS | METH_KEYWORDS,
     "read_csv(path, columns, threads=0, rejects=None)\n--\n\n"
     "Read columns, a list of (name, type), of a CSV file with a header; threads=0 is all processors.\n\n"
     "Bad rows are appended to rejects, a list, as (row, line, column, message); without one the first of\n"
     "them raises ValueError."},
    {nullptr, nullptr, 0, nullptr}};
PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "fast_csv",
                      "CSV files into Arrow and NumPy.",
                      -1,
                      functions,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_fast_csv() { return make_types() ? PyModule_Create(&module) : nullptr; }
