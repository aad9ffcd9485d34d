"""Write what TensorFlow's own encoders give: `python tests/summary/generate_reference.py`."""

import json
import pathlib
import tempfile

HERE = pathlib.Path(__file__).parent


def metadata(summary_pb2, plugin, data_class, description="", content=b""):
    data = summary_pb2.SummaryMetadata.PluginData(plugin_name=plugin, content=content)
    return summary_pb2.SummaryMetadata(
        plugin_data=data, summary_description=description, data_class=data_class
    )


def main():
    import numpy as np
    import tensorflow as tf
    from tensorflow.core.framework import summary_pb2, tensor_pb2, tensor_shape_pb2, types_pb2
    from tensorflow.core.util import event_pb2

    def tensor(array, kind):
        sizes = [tensor_shape_pb2.TensorShapeProto.Dim(size=n) for n in array.shape]
        shape = tensor_shape_pb2.TensorShapeProto(dim=sizes)
        if kind == types_pb2.DT_STRING:
            strings = list(array.reshape(-1))
            return tensor_pb2.TensorProto(dtype=kind, tensor_shape=shape, string_val=strings)
        return tensor_pb2.TensorProto(
            dtype=kind, tensor_shape=shape, tensor_content=array.tobytes()
        )

    def event(tag, content, about, step):
        value = summary_pb2.Summary.Value(tag=tag, tensor=content, metadata=about)
        return event_pb2.Event(
            wall_time=12.5, step=step, summary=summary_pb2.Summary(value=[value])
        ).SerializeToString()

    texts = np.array([[b"a", b"\xc3\xa9"]], object)
    actual = {
        "version": event_pb2.Event(
            wall_time=12.5, file_version="brain.Event:2"
        ).SerializeToString(),
        "scalar": event(
            "loss",
            tensor(np.float32(0.25), types_pb2.DT_FLOAT),
            metadata(summary_pb2, "scalars", 1, "what it is"),
            300,
        ),
        "histogram": event(
            "a/h",
            tensor(np.arange(6.0).reshape(2, 3), types_pb2.DT_DOUBLE),
            metadata(summary_pb2, "histograms", 2),
            7,
        ),
        "text": event(
            "t",
            tensor(texts, types_pb2.DT_STRING),
            metadata(summary_pb2, "text", 2),
            2**40,
        ),
    }
    records = [b"", b"abc", bytes(range(256)) * 40]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/records"
        with tf.io.TFRecordWriter(path) as writer:
            for record in records:
                writer.write(record)
        data = pathlib.Path(path).read_bytes()
    checksums = []
    for record in records:
        checksums.append(int.from_bytes(data[12 + len(record) : 16 + len(record)], "little"))
        data = data[16 + len(record) :]
    result = {name: value.hex() for name, value in actual.items()}
    result["checksums"] = [
        [record.hex()[:8], len(record), crc] for record, crc in zip(records, checksums, strict=True)
    ]
    text = json.dumps(result, indent=1)
    (HERE / "reference.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
