"""Calls of tensorflow_text, run here and by `record.py` on TensorFlow Text itself."""

WORDS = [
    "The Quick-Brown  Fox",
    "",
    "dog's ÄÖÜß Straße ﬁ①",
    "日本語 text\tand\nlines",
    "İstanbul ǅ ΑΣ",
]
VOCABULARY = "[UNK] they ##' ##re the great ##est a ab ##c ##d ' re , . the! 日 ##本 本 語".split()
SPLITS = {
    "spaces": (r"\s", ""),
    "keeps some": (r"\s|[-']", r"[-']"),
    "keeps all": (r"\p{L}+", r"\p{L}+"),
    "words of BPE": (r"'s|'t| ?\p{L}+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+", r".+"),
    "nothing": ("xyz", ""),
}


def lists(value):
    """Return tensors as nested lists, with strings as text."""
    if isinstance(value, (list, tuple)):
        return [lists(each) for each in value]
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if hasattr(value, "to_list"):
        return lists(value.to_list())
    if hasattr(value, "numpy"):
        value = value.numpy()
        return lists(value if isinstance(value, bytes) else value.tolist())
    return value


def _trimmed(tf, text):
    ragged = tf.ragged.constant
    first = ragged([[1, 2, 3], [], [4], list(range(9))])
    second = ragged([[1, 2, 3], [], [4, 5, 6, 7], [1]])
    third = ragged([[5], [6, 7], [], [8, 9, 10]])
    for limit in (0, 1, 4, 5, 20):
        for kind in (text.RoundRobinTrimmer, text.WaterfallTrimmer):
            for segments in ([first], [first, second], [first, second, third]):
                trimmer = kind(limit)
                yield trimmer.trim(segments)
                yield trimmer.generate_mask(segments)
    yield text.WaterfallTrimmer(tf.constant([1, 2, 3, 4])).trim([first, second])
    yield text.RoundRobinTrimmer(3).trim([ragged([[b"a", b"b"]]), ragged([[b"c", b"d", b"e"]])])


def _word_pieces(tf, text):
    words = [["they're", "the", "greatest", "abd", "xyz", "", "a" * 200], ["the!", "日本語"]]
    for dtype in (tf.int32, tf.int64, tf.string):
        pieces = text.FastWordpieceTokenizer(
            VOCABULARY, token_out_type=dtype, no_pretokenization=True, support_detokenization=True
        )
        yield pieces.tokenize(tf.ragged.constant(words))
        yield pieces.tokenize("greatest")
        yield pieces.tokenize(["greatest", "abd"])
    yield pieces.detokenize(tf.ragged.constant([[1, 2, 3, 4], [2, 9], [5, 6, 0, 5], []]))
    yield pieces.detokenize(tf.constant([[4, 5], [6, 5]]))
    yield pieces.detokenize(tf.constant([4, 5]))
    whole = text.FastWordpieceTokenizer(VOCABULARY, token_out_type=tf.string)
    yield whole.tokenize(["they're the greatest, ab.", " abd  'a' 日本語 the! "])


def _masked(tf, text):
    """What does not depend on the random numbers: how many, which never, and what is masked."""
    rows = tf.ragged.constant([list(range(20)), [], [1, 2, 1, 2], [7], list(range(50, 57))])
    for most, rate in ((3, 0.5), (100, 0.15), (100, 0.2), (100, 1.0), (100, 0.0)):
        selector = text.RandomItemSelector(most, rate, unselectable_ids=[1, 2])
        yield selector.get_selectable(rows, 1)
        yield tf.reduce_sum(tf.cast(selector.get_selection_mask(rows, 1), tf.int32), 1)
        chooser = text.MaskValuesChooser(100, 99, 1.0, 0.0)
        masked, positions, items = text.mask_language_model(rows, selector, chooser)
        yield [masked.row_lengths(), positions.row_lengths(), items.row_lengths()]
        yield [masked.dtype.name, positions.dtype.name, items.dtype.name]
    all_masked = text.RandomItemSelector(100, 1.0)
    yield text.mask_language_model(rows, all_masked, text.MaskValuesChooser(9, 5, 1.0, 0.0))
    yield text.mask_language_model(rows, all_masked, text.MaskValuesChooser(9, 5, 0.0, 0.0))


def results(tf, text):
    """Return what all calls return, by name."""
    result = {}
    for name, (pattern, kept) in SPLITS.items():
        result[f"split, {name}"] = text.regex_split(WORDS, pattern, kept)
        result[f"offsets, {name}"] = text.regex_split_with_offsets(WORDS, pattern, kept)
    ragged = tf.ragged.constant([["a b", ""], [], ["c-d e"]])
    result["split, ragged"] = text.regex_split(ragged, r"[\s-]", "-")
    result["split, one"] = text.regex_split("a b", " ")
    result["split, table"] = text.regex_split([["a b", "c"], ["", " d"]], " ")
    result["white space"] = text.WhitespaceTokenizer().tokenize(WORDS)
    result["white space, ragged"] = text.WhitespaceTokenizer().tokenize(ragged)
    result["folded"] = text.case_fold_utf8([*WORDS, b"a\xffB", "soft\u00adhyphen\u200b", "\u0345"])
    result["folded, ragged"] = text.case_fold_utf8(tf.ragged.constant([["A"], ["B", "ß"]]))
    for form in ("NFC", "NFD", "NFKC", "NFKD", "nfkc"):
        result[form] = text.normalize_utf8([*WORDS, b"a\xffB"], form)
    result["normalized"] = text.normalize_utf8("①")
    result["trimmed"] = list(_trimmed(tf, text))
    result["word pieces"] = list(_word_pieces(tf, text))
    result["masked"] = list(_masked(tf, text))
    return {name: lists(value) for name, value in result.items()}
