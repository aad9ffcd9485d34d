"""The PNG and BMP formats, as far as they need nothing but `zlib` and NumPy."""

from __future__ import annotations

import struct
import zlib

import numpy as np

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # by channels: gray, gray and alpha, RGB, RGBA
_CHANNELS = {color: channels for channels, color in _COLOR_TYPES.items()}


class BadFile(ValueError):
    """A file is damaged, incomplete or of another kind."""


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode_png(image: np.ndarray, compression: int) -> bytes:
    """A PNG file of an image [height, width, 1 to 4 channels] of uint8 or uint16."""
    height, width, channels = image.shape
    rows = np.ascontiguousarray(image.astype(image.dtype.newbyteorder(">")))
    rows = rows.view(np.uint8).reshape(height, -1)
    pixel = channels * image.dtype.itemsize
    # Differences to the pixel on the left compress better than the pixels, and are as quick.
    filtered = np.ones((height, 1 + rows.shape[1]), np.uint8)
    filtered[:, 1:] = rows
    filtered[:, 1 + pixel :] -= rows[:, :-pixel]
    header = struct.pack(
        ">IIBBBBB", width, height, 8 * image.dtype.itemsize, _COLOR_TYPES[channels], 0, 0, 0
    )
    data = zlib.compress(filtered.tobytes(), compression)
    return PNG_SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def png_header(contents: bytes) -> tuple[int, int, int, int, int]:
    """(width, height, bits, color type, interlacing) of a PNG file."""
    if len(contents) < 33 or contents[12:16] != b"IHDR":
        raise BadFile("Invalid PNG. Failed to initialize decoder.")
    width, height, bits, color, _, _, interlacing = struct.unpack(">IIBBBBB", contents[16:29])
    return width, height, bits, color, interlacing


def png_data(contents: bytes) -> bytes:
    """The compressed pixels, once every chunk is seen to be whole."""
    parts, place = [], 8
    while True:
        if place + 12 > len(contents):
            raise BadFile(f"Invalid PNG data, size {len(contents)}: the file is incomplete.")
        (length,) = struct.unpack(">I", contents[place : place + 4])
        body = contents[place + 4 : place + 8 + length]
        check = contents[place + 8 + length : place + 12 + length]
        if len(check) < 4 or struct.unpack(">I", check)[0] != zlib.crc32(body):
            raise BadFile(f"Invalid PNG data, size {len(contents)}: the file is damaged.")
        if body[:4] == b"IDAT":
            parts.append(body[4:])
        if body[:4] == b"IEND":
            break
        place += 12 + length
    return b"".join(parts)


def decode_deep_png(contents: bytes) -> np.ndarray:
    """The pixels [height, width, channels] of a PNG file with 16 bits to a channel."""
    width, height, _, color, interlacing = png_header(contents)
    if color not in _CHANNELS or interlacing:
        raise BadFile("PNG files with 16 bits are read only if they are not interlaced.")
    channels = _CHANNELS[color]
    pixel, line = 2 * channels, 2 * channels * width
    try:
        data = np.frombuffer(zlib.decompress(png_data(contents)), np.uint8)
    except zlib.error as error:
        raise BadFile(f"Invalid PNG data: {error}.") from None
    if data.size != height * (line + 1):
        raise BadFile(f"Invalid PNG data: {data.size} bytes of pixels for {height} rows.")
    rows = np.zeros((height + 1, line), np.uint8)
    for i, source in enumerate(data.reshape(height, line + 1)):
        rows[i + 1] = _unfiltered(source[0], source[1:], rows[i], pixel)
    return rows[1:].reshape(height, width, pixel).view(">u2").astype(np.uint16)


def _unfiltered(kind: int, line: np.ndarray, above: np.ndarray, pixel: int) -> np.ndarray:
    """A row of bytes, from its differences to what the filter predicts."""
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line.reshape(-1, pixel), 0, np.uint8).reshape(-1)
    if kind == 2:
        return line + above
    if kind not in (3, 4):
        raise BadFile(f"Invalid PNG data: unknown filter {kind}.")
    before, up, given = [0] * pixel, above.tolist(), line.tolist()
    corner = [0] * pixel + up
    result = before + [0] * len(given)
    for i, value in enumerate(given):
        a, b, c = result[i], up[i], corner[i]
        if kind == 3:
            guess = (a + b) // 2
        else:
            # Paeth: the neighbour nearest to a + b - c; of equally near ones left, up, corner.
            by_a, by_b, by_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            guess = a if by_a <= by_b and by_a <= by_c else b if by_b <= by_c else c
        result[i + pixel] = (value + guess) & 255
    return np.array(result[pixel:], np.uint8)


def decode_bmp(contents: bytes) -> np.ndarray:
    """The pixels [height, width, 1, 3 or 4 channels] of an uncompressed BMP file."""
    if len(contents) < 32:
        raise BadFile(f"Incomplete bmp content, requires at least 32 bytes, got {len(contents)}.")
    (start,) = struct.unpack("<I", contents[10:14])
    width, height = struct.unpack("<ii", contents[18:26])
    (bits,) = struct.unpack("<H", contents[28:30])
    channels = bits // 8
    if channels not in (1, 3, 4) or width <= 0 or height == 0:
        raise BadFile(f"BMP files of {bits} bits and size {width} x {height} are not supported.")
    line = (width * channels + 3) // 4 * 4
    data = np.frombuffer(contents, np.uint8)[start:]
    if data.size < line * abs(height):
        raise BadFile(
            f"Incomplete bmp content, requires at least {start + line * abs(height)} bytes, got "
            f"{len(contents)}."
        )
    rows = data[: line * abs(height)].reshape(abs(height), line)[:, : width * channels]
    image = rows.reshape(abs(height), width, channels)
    if height > 0:  # stored from the bottom to the top
        image = image[::-1]
    if channels > 1:  # blue comes first
        image = np.concatenate([image[..., 2::-1], image[..., 3:]], -1)
    return np.ascontiguousarray(image)
