"""`tf.DeviceSpec`: the names of devices, in parts."""

from __future__ import annotations

from gradtape.api.export import export


@export("DeviceSpec")
class DeviceSpec:
    """The parts of a device's name, as in "/job:worker/replica:0/task:1/device:CPU:0"."""

    def __init__(
        self, job=None, replica=None, task=None, device_type=None, device_index=None
    ) -> None:
        self.job = None if job is None else str(job)
        self.replica = None if replica is None else int(replica)
        self.task = None if task is None else int(task)
        self.device_type = None if device_type is None else str(device_type).upper()
        self.device_index = None if device_index is None else int(device_index)

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """Return the parts of a name."""
        result: dict = {}
        for part in filter(None, str(spec).split("/")):
            key, *values = part.split(":")
            if key == "job" and len(values) == 1:
                result["job"] = values[0]
            elif key in ("replica", "task") and len(values) == 1:
                result[key] = values[0]
            elif key == "device" and len(values) == 2:
                result |= {"device_type": values[0], "device_index": values[1]}
            elif len(values) <= 1 and key.upper() in ("CPU", "GPU", "TPU", "XLA"):
                result |= {"device_type": key, "device_index": values[0] if values else "*"}
            else:
                raise ValueError(
                    f"Unknown attribute '{key}' is encountered while parsing the device spec: "
                    f"'{spec}'."
                )
        return cls(**{k: v for k, v in result.items() if v != "*"})

    def parse_from_string(self, spec: str) -> DeviceSpec:
        return self.from_string(spec)

    def replace(self, **parts) -> DeviceSpec:
        """Return a copy with some parts changed."""
        return DeviceSpec(**(self._parts() | parts))

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """Return these parts, except where `dev` has its own."""
        return self.replace(**{k: v for k, v in dev._parts().items() if v is not None})

    def _parts(self) -> dict:
        names = ("job", "replica", "task", "device_type", "device_index")
        return {name: getattr(self, name) for name in names}

    def to_string(self) -> str:
        text = "".join(
            f"/{name}:{value}"
            for name, value in (("job", self.job), ("replica", self.replica), ("task", self.task))
            if value is not None
        )
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            text += f"/device:{self.device_type}:{index}"
        return text

    def __str__(self) -> str:
        return self.to_string()

    def __eq__(self, other) -> bool:
        return isinstance(other, DeviceSpec) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self.to_string())
