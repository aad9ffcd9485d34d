"""File formats, written and read without their libraries: safetensors, records, protobuf, PNG."""
