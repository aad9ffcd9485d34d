"""Messages of protocol buffers: classes made of a table of fields, with the methods of protobuf's.

    class Int64List(Message, name="tensorflow.Int64List", fields=[integers("value", 1)]): ...

There are repeated numbers, bytes and messages, messages, maps from names to messages, and one set
of fields of which at most one is there (`oneof`). What a field does is in `message_fields`.
"""

from __future__ import annotations

from typing import Any, Self

from gradtape.formats import protobuf
from gradtape.formats.errors import DecodeError
from gradtape.formats.message_fields import Field


class Descriptor:
    """What a class of messages looks like."""

    def __init__(self, full_name: str, fields: list[Field], oneof: str | None) -> None:
        self.full_name = full_name
        self.name = full_name.rpartition(".")[2]
        self.fields = fields
        self.fields_by_name = {field.name: field for field in fields}
        self.fields_by_number = {field.number: field for field in fields}
        self.oneof = oneof


class Message:
    """A message. A field that was never set reads as an empty one, which is there once changed."""

    __slots__ = ("_parent", "_unknown", "_values")
    DESCRIPTOR: Descriptor

    def __init_subclass__(cls, name: str, fields: list[Field], oneof: str | None = None) -> None:
        cls.DESCRIPTOR = Descriptor(name, fields, oneof)
        for field in fields:
            setattr(cls, field.name, field)

    def __init__(self, *args, **values) -> None:
        if args:
            raise TypeError("No positional arguments allowed")
        self._values: dict[str, Any] = {}
        self._unknown: list[bytes] = []
        # (message, field) for one that was read and is not there yet
        self._parent: tuple[Message, Field] | None = None
        for name, value in values.items():
            field = self._field(name)
            if value is not None:
                field.assign(self, value)

    def _field(self, name: str) -> Field:
        field = self.DESCRIPTOR.fields_by_name.get(name)
        if field is None:
            raise ValueError(f'Protocol message {self.DESCRIPTOR.name} has no "{name}" field.')
        return field

    def _assign(self, value) -> None:
        """Take over a message of this class, or a dictionary of fields."""
        if isinstance(value, dict):
            self.MergeFrom(type(self)(**value))
        elif type(value) is type(self):
            self.MergeFrom(value)
        else:
            raise TypeError(
                "Parameter to initialize message field must be dict or instance of same class: "
                f"expected {type(self)} got {type(value)}."
            )

    # --- presence ------------------------------------------------------------------------------

    def _touch(self) -> None:
        """Put this message into the one that it was read from."""
        if self._parent is not None:
            (message, field), self._parent = self._parent, None
            message._put(field, self)

    def _put(self, field: Field, value) -> None:
        if self.DESCRIPTOR.oneof:
            self._values.clear()
        self._values[field.name] = value
        self._touch()

    def _present(self) -> list[tuple[Field, Any]]:
        """Return the fields that are there, in the order of their numbers."""
        pairs = [(field, self._values.get(field.name)) for field in self.DESCRIPTOR.fields]
        return [(field, value) for field, value in pairs if field.is_present(value)]

    def HasField(self, field_name: str) -> bool:
        """Return whether a message is there."""
        field = self._field(field_name)
        if not field.has_presence:
            full = f"{self.DESCRIPTOR.full_name}.{field_name}"
            raise ValueError(f"Field {full} does not have presence.")
        return field.is_present(self._values.get(field_name))

    def WhichOneof(self, oneof_group: str) -> str | None:
        """Return the name of the one field that is there."""
        if oneof_group != self.DESCRIPTOR.oneof:
            raise ValueError(
                f'Protocol message {self.DESCRIPTOR.name} has no oneof "{oneof_group}" field.'
            )
        return next((field.name for field, _ in self._present()), None)

    def ListFields(self) -> list[tuple[Field, Any]]:
        """Return (field, value) of all that is there."""
        return self._present()

    def SetInParent(self) -> None:
        """Be there, though empty."""
        self._touch()

    def IsInitialized(self) -> bool:
        return True

    def ClearField(self, field_name: str) -> None:
        """Remove a field."""
        self._field(field_name)
        self._values.pop(field_name, None)

    def Clear(self) -> None:
        """Remove all fields."""
        self._values.clear()
        self._unknown.clear()

    # --- bytes ---------------------------------------------------------------------------------

    def SerializeToString(self, *, deterministic: bool | None = None) -> bytes:
        """Return the message as bytes; `deterministic` sorts the names of maps."""
        parts = [field.encode(value, bool(deterministic)) for field, value in self._present()]
        return b"".join([*parts, *self._unknown])

    SerializePartialToString = SerializeToString

    def ByteSize(self) -> int:
        """Return the number of bytes that the message takes."""
        return len(self.SerializeToString())

    @classmethod
    def FromString(cls, s: bytes) -> Self:
        """Return the message that bytes hold."""
        message = cls()
        message.MergeFromString(s)
        return message

    def ParseFromString(self, serialized: bytes) -> int:
        """Become the message that bytes hold. Return their number."""
        self.Clear()
        return self.MergeFromString(serialized)

    def MergeFromString(self, serialized: bytes) -> int:
        """Add what bytes hold. Return their number."""
        if not isinstance(serialized, (bytes, bytearray, memoryview)):
            raise TypeError(f"expected bytes, {type(serialized).__name__} found")
        try:
            self._merge(memoryview(serialized))
        except DecodeError as error:
            raise DecodeError(
                f"Error parsing message with type '{self.DESCRIPTOR.full_name}': {error}"
            ) from None
        self._touch()
        return len(serialized)

    def _merge(self, view: memoryview) -> None:
        known = self.DESCRIPTOR.fields_by_number
        for number, wire, value, whole in protobuf.fields(view):
            field = known.get(number)
            if field is None or not field.decode(self, wire, value):
                self._unknown.append(bytes(whole))

    # --- copies --------------------------------------------------------------------------------

    def MergeFrom(self, msg) -> None:
        """Add the fields of another message of this class."""
        if type(msg) is not type(self):
            raise TypeError(
                f"Parameter to MergeFrom() must be instance of same class: expected {type(self)} "
                f"got {type(msg)}."
            )
        for field, value in msg._present():
            field.merge(self, value)
        self._unknown += msg._unknown
        self._touch()

    def CopyFrom(self, msg) -> None:
        """Become like another message of this class."""
        if msg is not self:
            copy = type(msg)()
            copy.MergeFrom(msg)
            self.Clear()
            self.MergeFrom(copy)

    def __deepcopy__(self, memo) -> Self:
        copy = type(self)()
        copy.MergeFrom(self)
        return copy

    __copy__ = __deepcopy__

    def __reduce__(self):
        return type(self).FromString, (self.SerializeToString(),)

    def __eq__(self, other) -> bool:
        return type(other) is type(self) and self._present() == other._present()

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def __repr__(self) -> str:
        """Return the message in protobuf's text format."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> list[str]:
        return [line for field, value in self._present() for line in field.lines(value)]
