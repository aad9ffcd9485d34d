"""Images and sounds whose headers promise what is not there, by a generator."""

import struct
import zlib

SIZES = (2**32 - 1, 2**31, 2**31 - 1, 2**24, 2**20)


def chunk(kind, data, crc=None):
    check = zlib.crc32(kind + data) if crc is None else crc
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def png(
    width=2, height=2, depth=8, color=2, pixels=None, end=True, crc=None, method=0, interlace=0
):
    """A PNG; without `pixels`, those of a small image."""
    header = struct.pack(">IIBBBBB", width, height, depth, color, method, 0, interlace)
    body = zlib.compress(bytes(7) * 2) if pixels is None else pixels
    made = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header, crc) + chunk(b"IDAT", body)
    return made + (chunk(b"IEND", b"") if end else b"")


def pngs():
    for size in SIZES:
        yield f"png of width {size}", png(width=size)
        yield f"png of height {size}", png(height=size)
    yield "png of 2^20 by 2^20", png(2**20, 2**20)
    yield "png of no width", png(width=0)
    yield "png of no height", png(height=0)
    for depth, color in ((3, 2), (8, 5), (16, 3), (0, 0), (255, 2)):
        yield f"png of depth {depth} and color {color}", png(depth=depth, color=color)
    yield "png with an unknown compression", png(method=9)
    yield "png with an unknown interlacing", png(interlace=7)
    yield "png with a wrong checksum", png(crc=1)
    yield "png with few pixels", png(100, 100)
    yield "png of zeros without an end", png(2**15, 2**15, pixels=zlib.compress(bytes(10**6)))
    yield "png that is no deflate", png(pixels=b"no deflate stream")
    yield "png with a palette that is missing", png(color=3)
    whole = png()
    for cut in range(8, len(whole) - 12, 5):
        yield f"png cut at {cut}", whole[:cut]
    yield "png with a chunk of 4 GB", whole[:33] + struct.pack(">I", 2**32 - 1) + b"IDAT" + b"x"


def gif(width=2, height=2, frame=(0, 0, 2, 2), data=b"\x02\x02\x44\x01\x00"):
    screen = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6)
    return screen + b"," + struct.pack("<HHHHB", *frame, 0) + data + b";"


def gifs():
    yield "gif of 65535 by 65535", gif(65535, 65535, (0, 0, 65535, 65535))
    yield "gif with a frame outside", gif(2, 2, (60000, 60000, 60000, 60000))
    yield "gif without frames", gif()[:19] + b";"
    for cut in range(7, 30, 3):
        yield f"gif cut at {cut}", gif()[:cut]


def bmp(width=2, height=2, bits=24, offset=54, size=40, compression=0):
    start = b"BM" + struct.pack("<IHHI", 70, 0, 0, offset)
    return (
        start
        + struct.pack("<IiiHHIIiiII", size, width, height, 1, bits, compression, 16, 0, 0, 0, 0)
        + bytes(16)
    )


def bmps():
    for size in (2**31 - 1, 2**30, -(2**31), 2**20):
        yield f"bmp of width {size}", bmp(width=size)
        yield f"bmp of height {size}", bmp(height=size)
    yield "bmp of 2^16 by 2^16", bmp(2**16, 2**16)
    yield "bmp with pixels far away", bmp(offset=2**32 - 1)
    yield "bmp of 7 bits", bmp(bits=7)
    for cut in (3, 14, 20, 40, 53):
        yield f"bmp cut at {cut}", bmp()[:cut]


def jpeg(height, width, components=3):
    parts = b"".join(bytes([i + 1, 0x11, 0]) for i in range(components))
    frame = struct.pack(">BHHB", 8, height, width, components) + parts
    return b"\xff\xd8\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xd9"


def jpegs():
    yield "jpeg of 65500 by 65500", jpeg(65500, 65500)
    yield "jpeg of no height", jpeg(0, 10)
    yield "jpeg of 255 components", jpeg(4, 4, 255)
    for cut in (3, 5, 9, 15):
        yield f"jpeg cut at {cut}", jpeg(4, 4)[:cut]
    yield "jpeg with a segment of nothing", b"\xff\xd8\xff\xe0\x00\x00" + bytes(20)


def webps():
    for size in (0, 2**31, 2**32 - 1):
        yield f"webp of {size} bytes", b"RIFF" + struct.pack("<I", size) + b"WEBPVP8 " + bytes(20)
    big = struct.pack("<I", 10) + b"\x10\x00\x00\x00" + b"\xff\xff\xff" * 2
    yield "webp of 2^24 by 2^24", b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + big


def images():
    """Yield (name, bytes)."""
    for made in (pngs, gifs, bmps, jpegs, webps):
        yield from made()
    yield "nothing", b""
    yield "text", b"this is no image"


def wav(form=1, channels=1, rate=8000, bits=16, size=4, data=b"abcd", riff=40):
    header = struct.pack("<HHIIHH", form, channels, rate, rate * 2 % 2**32, 2, bits)
    body = b"fmt " + struct.pack("<I", 16) + header + b"data" + struct.pack("<I", size) + data
    return b"RIFF" + struct.pack("<I", riff) + b"WAVE" + body


def sounds():
    """Yield (name, bytes)."""
    for size in (2**32 - 1, 2**31, 2**30, 1000):
        yield f"wav with {size} bytes of data", wav(size=size)
    yield "wav of no channels", wav(channels=0)
    yield "wav of 65535 channels", wav(channels=65535)
    for bits in (0, 8, 24, 65535):
        yield f"wav of {bits} bits", wav(bits=bits)
    yield "wav of another form", wav(form=3)
    yield "wav with another rate of bytes", wav()[:28] + bytes(4) + wav()[32:]
    yield "text", b"this is no sound"
    yield "nothing", b""
    for cut in range(4, 44, 4):
        yield f"wav cut at {cut}", wav()[:cut]
