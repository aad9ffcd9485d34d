"""Descriptions of embedding tables for TPUs, made where there is none."""

import pytest

import gradtape as tf

embedding = tf.tpu.experimental.embedding


@pytest.mark.parametrize(
    ("name", "rate"), [("SGD", 0.01), ("Adagrad", 0.001), ("Adam", 0.001), ("FTRL", 0.001)]
)
def test_optimizers_are_equal_by_what_they_have(name, rate):
    cls = getattr(embedding, name)
    assert cls().learning_rate == rate
    assert cls(0.3, clipvalue=2.0).clipvalue == (-2.0, 2.0)
    assert cls(0.3) == cls(0.3)
    assert hash(cls(0.3)) == hash(cls(0.3))
    assert cls(0.3) != cls(0.2)


def test_optimizers_take_their_own_arguments_in_tensorflows_order():
    adam = embedding.Adam(0.1, 0.8, 0.99, 1e-6)
    assert (adam.beta_1, adam.beta_2, adam.epsilon) == (0.8, 0.99, 1e-6)
    ftrl = embedding.FTRL(0.1, -0.6, 0.01, 0.02, 0.9, 0.2)
    assert (ftrl.l1_regularization_strength, ftrl.beta) == (0.01, 0.9)
    assert ftrl.initial_accumulator_value == 0.2


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: embedding.Adam(beta_1=1.0), r"Adam: beta_1 must be at least 0 and less than 1"),
        (lambda: embedding.Adam(epsilon=0.0), "Adam: epsilon must be positive. Received: 0.0"),
        (lambda: embedding.FTRL(initial_accumulator_value=0.0), "must be positive. Received: 0.0"),
        (
            lambda: embedding.Adam(lazy_adam=False, use_gradient_accumulation=False),
            "lazy_adam must be True where use_gradient_accumulation is False",
        ),
        (
            lambda: embedding.SGD(multiply_weight_decay_factor_by_learning_rate=True),
            "weight_decay_factor must be given",
        ),
        (lambda: embedding.TableConfig(0, 4), "vocabulary_size must be a positive int"),
        (lambda: embedding.TableConfig(3, 4, combiner="max"), "'mean', 'sum', 'sqrtn'"),
        (lambda: embedding.TableConfig(3, 4, initializer=1), "initializer must be callable"),
        (lambda: embedding.FeatureConfig("table"), "table must be a TableConfig"),
        (lambda: embedding.TPUEmbeddingV2({}), "TPUEmbeddingV2: Please provide a TPU Name"),
    ],
)
def test_what_cannot_be_is_an_error(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_tables_have_an_initializer_and_features_a_shape():
    table = embedding.TableConfig(vocabulary_size=100, dim=16, optimizer=embedding.SGD(0.1))
    assert abs(table.initializer((100, 16)).numpy()).max() <= 0.5  # two standard deviations
    assert table != embedding.TableConfig(vocabulary_size=100, dim=16)
    feature = embedding.FeatureConfig(table, output_shape=[None, 3], name="clicks")
    assert feature.output_shape.as_list() == [None, 3]
    assert embedding.FeatureConfig(table).output_shape.rank is None
