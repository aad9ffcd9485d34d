"""Objects with variables, made alike with TensorFlow and here, whose checkpoints are compared.

Each function of OBJECTS takes the module `tf` and returns the arguments of `tf.train.Checkpoint`
(under "root" what it takes first). `fill` gives all variables values that follow from their order.
"""

import numpy as np

OBJECTS = {}
KERAS = set()  # names of those that need Keras
DTYPES = (
    "float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "complex64 complex128 bool"
).split()


def made(function):
    OBJECTS[function.__name__] = function
    return function


def made_with_keras(function):
    KERAS.add(function.__name__)
    return made(function)


def variables(thing):
    """All variables in objects, by what every library has: attributes, lists, dictionaries."""
    result, seen, queue = [], set(), [thing]
    while queue:
        each = queue.pop(0)
        if id(each) in seen:
            continue
        seen.add(id(each))
        if hasattr(each, "assign") and hasattr(each, "shape"):
            result.append(each)
        elif isinstance(each, dict) or hasattr(each, "items"):
            queue += [each[key] for key in sorted(each)]
        elif isinstance(each, (list, tuple)):
            queue += list(each)
        elif hasattr(each, "variables") and not callable(each.variables):
            queue += list(each.variables)
        elif hasattr(each, "state"):
            queue.append(each.state)
    return result


def fill(tf, objects, start=1):
    """Give each variable other values."""
    for index, variable in enumerate(variables(objects)):
        shape, dtype = tuple(variable.shape), tf.as_dtype(variable.dtype)
        count = int(np.prod(shape, dtype=np.int64))
        if dtype == tf.string:
            values = np.array([f"{start}/{index}/{i}" for i in range(count)], object)
            variable.assign(tf.reshape(tf.constant(values.tolist()), shape))
            continue
        values = np.arange(start + 3 * index, start + 3 * index + count) % 97
        scaled = values / 8 if dtype.is_floating or dtype.is_complex else values
        variable.assign(tf.cast(tf.reshape(tf.constant(scaled), shape), dtype))


def checkpoint(tf, objects):
    """The checkpoint of objects."""
    rest = {name: value for name, value in objects.items() if name != "root"}
    return tf.train.Checkpoint(objects.get("root"), **rest)


def dense(tf, inputs, outputs):
    module = tf.Module()
    module.w = tf.Variable(tf.zeros([inputs, outputs]), name="w")
    module.b = tf.Variable(tf.zeros([outputs]), name="b")
    return module


# --- modules and containers ----------------------------------------------------------------------


@made
def module(tf):
    return {"net": dense(tf, 3, 2)}


@made
def tree(tf):
    net = tf.Module()
    net.encoder, net.decoder = tf.Module(), tf.Module()
    net.encoder.first, net.encoder.second = dense(tf, 2, 3), dense(tf, 3, 1)
    net.decoder.only = dense(tf, 1, 2)
    net._hidden = tf.Variable([1.0, 2.0])
    net.text, net.number, net.nothing = "x", 3, None
    return {"net": net, "step": tf.Variable(0, dtype=tf.int64)}


@made
def lists(tf):
    net = tf.Module()
    net.layers = [dense(tf, 2, 2), tf.Variable(1.0), [tf.Variable([2]), dense(tf, 1, 1)]]
    net.pair = (tf.Variable(3.0), tf.Variable(4.0))
    return {"net": net}


@made
def dictionaries(tf):
    net = tf.Module()
    net.parts = {"a": tf.Variable(1), "b/c.d": tf.Variable(2.0), "\u00e9": [tf.Variable(3.0)]}
    return {"net": net, "more": {"x": tf.Variable([1.0])}}


@made
def dtypes(tf):
    kinds = {name: tf.Variable(tf.zeros([2, 3], name)) for name in DTYPES}
    return {"kinds": kinds, "string": tf.Variable([["a", ""], ["b", "c" * 200]])}


@made
def sizes(tf):
    return {
        "empty": tf.Variable(tf.zeros([0, 3])),
        "scalar": tf.Variable(1.0),
        "string": tf.Variable("x"),
        "deep": tf.Variable(tf.zeros([1, 2, 1, 2, 1, 2])),
    }


@made
def shared(tf):
    one, other = tf.Module(), tf.Module()
    one.other, other.one = other, one
    one.v = other.w = tf.Variable([1.0, 2.0])
    return {"a": one, "b": other}


@made
def root(tf):
    return {"root": dense(tf, 2, 2)}


@made
def root_and_more(tf):
    return {"root": dense(tf, 2, 2), "step": tf.Variable(1)}


@made
def nested_checkpoints(tf):
    inner = tf.train.Checkpoint(net=dense(tf, 1, 2))
    inner.variables = [inner.net.w, inner.net.b]
    return {"inner": inner, "step": tf.Variable(1)}


@made
def generator(tf):
    return {"rng": tf.random.Generator.from_seed(5), "v": tf.Variable(1.0)}


# --- Keras ---------------------------------------------------------------------------------------


def trained(tf, model, optimizer):
    optimizer.build(model.trainable_variables)
    return {"model": model, "optimizer": optimizer}


@made_with_keras
def sequential(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(4), layers.BatchNormalization(), layers.Dropout(0.5), layers.Dense(1)]
    )
    model.build((None, 3))
    return trained(tf, model, tf.keras.optimizers.Adam(0.01))


@made_with_keras
def sequential_with_input(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential([tf.keras.Input((3,)), layers.Dense(2), layers.Dense(1)])
    return trained(tf, model, tf.keras.optimizers.RMSprop(0.01, momentum=0.5, centered=True))


@made_with_keras
def functional(tf):
    inputs = tf.keras.Input((3,))
    hidden = tf.keras.layers.Dense(3, name="hidden")(inputs)
    outputs = tf.keras.layers.Dense(1)(hidden + inputs)
    model = tf.keras.Model(inputs, outputs)
    return trained(tf, model, tf.keras.optimizers.SGD(0.01, momentum=0.9))


@made_with_keras
def subclassed(tf):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = tf.keras.layers.Dense(4)
            self._second = tf.keras.layers.Dense(1)
            self.scale = self.add_weight(shape=(2,), name="scale")

        def call(self, x):
            return self._second(self.first(x))

    model = Net()
    model(tf.zeros([1, 3]))
    return trained(tf, model, tf.keras.optimizers.AdamW(0.01, amsgrad=True))


@made_with_keras
def model_as_root(tf):
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2)])
    return {"root": model}


@made_with_keras
def compiled(tf):
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2)])
    model.compile("nadam", "mse")
    model.optimizer.build(model.trainable_variables)
    return {"model": model}


@made_with_keras
def recurrent(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            tf.keras.Input((4, 3)),
            layers.Bidirectional(layers.LSTM(2, return_sequences=True)),
            layers.GRU(2),
            layers.Dense(1),
        ]
    )
    return {"model": model}


@made_with_keras
def attention(tf):
    layers = tf.keras.layers
    inputs = tf.keras.Input((4,), dtype="int32")
    x = layers.Embedding(5, 4)(inputs)
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 2)(x, x))
    return {"model": tf.keras.Model(inputs, layers.Dense(2)(x))}


@made_with_keras
def images(tf):
    layers = tf.keras.layers
    base = tf.keras.Sequential(
        [tf.keras.Input((4, 4, 1)), layers.Conv2D(2, 2), layers.BatchNormalization()]
    )
    inputs = tf.keras.Input((4, 4, 1))
    x = layers.SeparableConv2D(2, 2)(base(inputs))
    return {"model": tf.keras.Model(inputs, layers.Dense(1)(layers.Flatten()(x)))}


@made_with_keras
def optimizers(tf):
    v = tf.keras.Variable(np.ones((2, 3), np.float32), name="v")
    kinds = ("Adagrad", "Adadelta", "Adamax", "Ftrl", "Lion", "Adafactor")
    result = {"v": v}
    for kind in kinds:
        result[kind.lower()] = getattr(tf.keras.optimizers, kind)(0.1)
    result["averaged"] = tf.keras.optimizers.SGD(0.1, use_ema=True)
    result["scaled"] = tf.keras.optimizers.LossScaleOptimizer(tf.keras.optimizers.Adam(0.1))
    for name, optimizer in result.items():
        if name != "v":
            optimizer.build([v])
    return result


@made_with_keras
def layer_in_module(tf):
    net = tf.Module()
    net.layer = tf.keras.layers.Dense(2)
    net.layer.build((None, 3))
    net.own = tf.Variable(1.0)
    return {"layer": net.layer, "net": net}
