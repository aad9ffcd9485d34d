"""PNG files, written and (with 16 bits a channel) read with nothing but `zlib` and NumPy."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from gradtape.formats.errors import BadFile

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # by channels: gray, gray and alpha, RGB, RGBA
_CHANNELS = {color: channels for channels, color in _COLOR_TYPES.items()}
_PALETTE = 3
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), _PALETTE: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_MAX_EXPANSION = 1032  # bytes that deflate can make of one


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode_png(image: np.ndarray, compression: int = -1) -> bytes:
    """Encode an image [height, width, 1 to 4 channels] of uint8 or uint16."""
    if image.ndim != 3 or image.shape[2] not in _COLOR_TYPES:
        raise ValueError(
            f"An image must have shape [height, width, channels] with 1 to 4 channels, got "
            f"{list(image.shape)}."
        )
    height, width, channels = image.shape
    rows = np.ascontiguousarray(image.astype(image.dtype.newbyteorder(">")))
    rows = rows.view(np.uint8).reshape(height, -1)
    pixel = channels * image.dtype.itemsize
    # Differences to the pixel on the left compress better than the pixels, and take no longer.
    filtered = np.ones((height, 1 + rows.shape[1]), np.uint8)
    filtered[:, 1:] = rows
    filtered[:, 1 + pixel :] -= rows[:, :-pixel]
    header = struct.pack(
        ">IIBBBBB", width, height, 8 * image.dtype.itemsize, _COLOR_TYPES[channels], 0, 0, 0
    )
    data = zlib.compress(filtered.tobytes(), compression)
    return PNG_SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def png_header(contents: bytes) -> tuple[int, int, int, int, int]:
    """Return (width, height, bits, color type, interlacing) of a PNG file."""
    if len(contents) < 33 or contents[12:16] != b"IHDR":
        raise BadFile("Invalid PNG. Failed to initialize decoder.")
    width, height, bits, color, method, filtering, interlacing = struct.unpack(
        ">IIBBBBB", contents[16:29]
    )
    if method or filtering or bits not in _DEPTHS.get(color, ()) or not 0 < width * height < 2**62:
        raise BadFile(
            f"Invalid PNG header: {width} by {height} pixels of color type {color} with {bits} "
            f"bits, compression {method}, filter {filtering}."
        )
    return width, height, bits, color, interlacing


def png_data(contents: bytes) -> bytes:
    """Return the compressed pixels, once every chunk is seen to be whole.

    Pixels that so many bytes cannot hold are refused before there is memory for them.
    """
    width, height, bits, color, _ = png_header(contents)
    parts, offset, has_palette = [], 8, False
    while True:
        if offset + 12 > len(contents):
            raise BadFile(f"Invalid PNG data, size {len(contents)}: the file is incomplete.")
        (length,) = struct.unpack(">I", contents[offset : offset + 4])
        body = contents[offset + 4 : offset + 8 + length]
        check = contents[offset + 8 + length : offset + 12 + length]
        if len(check) < 4 or struct.unpack(">I", check)[0] != zlib.crc32(body):
            raise BadFile(f"Invalid PNG data, size {len(contents)}: the file is damaged.")
        if body[:4] == b"IDAT":
            parts.append(body[4:])
        has_palette |= body[:4] == b"PLTE"
        if body[:4] == b"IEND":
            break
        offset += 12 + length
    data = b"".join(parts)
    size = width * height * bits * _CHANNELS.get(color, 1) // 8
    if size > (len(data) + 1) * _MAX_EXPANSION:
        raise BadFile(
            f"Invalid PNG data: {len(data)} bytes cannot hold {width} by {height} pixels."
        )
    if color == _PALETTE and not has_palette:
        raise BadFile("Invalid PNG data: the palette is missing.")
    return data


def decode_deep_png(contents: bytes) -> np.ndarray:
    """Return the pixels [height, width, channels] of a PNG file with 16 bits to a channel."""
    width, height, _, color, interlacing = png_header(contents)
    if color not in _CHANNELS or interlacing:
        raise BadFile("PNG files with 16 bits are read only if they are not interlaced.")
    channels = _CHANNELS[color]
    pixel, line = 2 * channels, 2 * channels * width
    whole = height * (line + 1)
    try:  # no more than is used, whatever the file holds
        raw = zlib.decompressobj().decompress(png_data(contents), whole + 1)
    except zlib.error as error:
        raise BadFile(f"Invalid PNG data: {error}.") from None
    data = np.frombuffer(raw, np.uint8)
    if data.size != whole:
        raise BadFile(f"Invalid PNG data: {data.size} bytes of pixels for {height} rows.")
    rows = np.zeros((height + 1, line), np.uint8)
    for i, source in enumerate(data.reshape(height, line + 1)):
        rows[i + 1] = _unfilter(source[0], source[1:], rows[i], pixel)
    return rows[1:].reshape(height, width, pixel).view(">u2").astype(np.uint16)


def _unfilter(kind: int, line: np.ndarray, above: np.ndarray, pixel: int) -> np.ndarray:
    """Return a row of bytes, from its differences to what the filter predicts."""
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
            # Paeth: the neighbor nearest to a + b - c; of equally near ones left, up, corner.
            by_a, by_b, by_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            guess = a if by_a <= by_b and by_a <= by_c else b if by_b <= by_c else c
        result[i + pixel] = (value + guess) & 255
    return np.array(result[pixel:], np.uint8)
