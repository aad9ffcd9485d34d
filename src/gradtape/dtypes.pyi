# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape import as_dtype as as_dtype
from gradtape import cast as cast
from gradtape import complex as complex
from gradtape import saturate_cast as saturate_cast
from gradtape.core.dtypes import DType as DType

bfloat16: DType
bool: DType
complex128: DType
complex64: DType
double: DType
float16: DType
float32: DType
float64: DType
float8_e4m3fn: DType
float8_e5m2: DType
half: DType
int16: DType
int32: DType
int4: DType
int64: DType
int8: DType
string: DType
uint16: DType
uint32: DType
uint4: DType
uint64: DType
uint8: DType
