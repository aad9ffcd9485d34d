"""`tf.strings` functions of ragged tensors, and those with ragged results.

Each line is an expression that both libraries evaluate; of ragged tensors, the flat values, the row
splits, the shape and the text are compared.
"""

from __future__ import annotations

from ..case import CaseList
from ..ragged import expression_cases

case = CaseList()

EXPRESSIONS = """
tf.strings.split(["a b", "c d e", ""])
tf.strings.split("a b")
tf.strings.split([["a b", "c"], ["", "d e"]])
tf.strings.split(C([["a b"], ["c", "d e"]]))
tf.strings.split(["a,b", "c"], sep=",")
tf.strings.split(["a,b,c", "c"], sep=",", maxsplit=1)
tf.strings.bytes_split(["ab", "", "c"])
tf.strings.bytes_split([["ab"], ["c"]])
tf.strings.bytes_split(C([["ab"], ["c", "de"]]))
tf.strings.unicode_decode(["aé", "b"], "UTF-8")
tf.strings.unicode_decode("aé", "UTF-8")
tf.strings.unicode_decode([["aé"], ["b"]], "UTF-8")
tf.strings.unicode_decode_with_offsets(["aé", "b"], "UTF-8")
tf.strings.unicode_split(["aé", "b"], "UTF-8")
tf.strings.unicode_split_with_offsets(["aé", "b"], "UTF-8")
tf.strings.unicode_encode(C([[97, 233], [98]]), "UTF-8")
tf.strings.unicode_encode([97, 233], "UTF-8")
tf.strings.unicode_encode([[97, 233]], "UTF-8")
tf.strings.unicode_encode(C([[[97], [233]], [[98]]]), "UTF-8")
tf.strings.ngrams(C([["a", "b", "c"], ["d"]]), 2)
tf.strings.ngrams(C([["a", "b", "c"], ["d"]]), [1, 2])
tf.strings.ngrams([["a", "b", "c"]], 2)
tf.strings.ngrams(["a", "b", "c"], 2)
tf.strings.ngrams(C([["a", "b", "c"], ["d"]]), 2, pad_values=("L", "R"))
tf.strings.ngrams(C([["a", "b", "c"], ["d"]]), 2, preserve_short_sequences=True)
tf.strings.join([C([["a"], ["b", "c"]]), C([["d"], ["e", "f"]])], separator="-")
tf.strings.join([C([["a"], ["b", "c"]]), "x"])
tf.strings.reduce_join(C([["a"], ["b", "c"]]), axis=1)
tf.strings.reduce_join(C([["a"], ["b", "c"]]), axis=-1, separator=" ")
tf.strings.reduce_join(C([["a"], ["b", "c"]]))
tf.strings.reduce_join(C([["a"], ["b", "c"]]), axis=0)
tf.strings.lower(C([["A"], ["b", "C"]]))
tf.strings.length(C([["A"], ["b", "CC"]]))
tf.strings.substr(C([["Abc"], ["bcd", "CCd"]]), 1, 1)
tf.strings.to_number(C([["1"], ["2", "3"]]))
tf.strings.as_string(rt)
tf.strings.to_hash_bucket_fast(C([["A"], ["b", "CC"]]), 10)
tf.strings.regex_replace(C([["A"], ["b", "CC"]]), "C", "x")
tf.strings.format("{}", rt)
"""

expression_cases(case, EXPRESSIONS)
