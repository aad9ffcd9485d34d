"""What readers of files raise."""


class BadFile(ValueError):
    """A file is damaged, incomplete or of another kind."""


class DecodeError(BadFile):
    """Bytes are not the protocol buffer that they should be."""
