"""Scripts of Unicode: ICU's number for each code point, and the code points of a script."""

from __future__ import annotations

import functools
import sys

import numpy as np

from gradtape.api.strings.script_table import RUNS

# ICU's numbers, with the names that regular expressions use.
_NAMES = """
    0:Common 1:Inherited 2:Arabic 3:Armenian 4:Bengali 5:Bopomofo 6:Cherokee 7:Coptic 8:Cyrillic
    9:Deseret 10:Devanagari 11:Ethiopic 12:Georgian 13:Gothic 14:Greek 15:Gujarati 16:Gurmukhi
    17:Han 18:Hangul 19:Hebrew 20:Hiragana 21:Kannada 22:Katakana 23:Khmer 24:Lao 25:Latin
    26:Malayalam 27:Mongolian 28:Myanmar 29:Ogham 30:Old_Italic 31:Oriya 32:Runic 33:Sinhala
    34:Syriac 35:Tamil 36:Telugu 37:Thaana 38:Thai 39:Tibetan 40:Canadian_Aboriginal 41:Yi
    42:Tagalog 43:Hanunoo 44:Buhid 45:Tagbanwa 46:Braille 47:Cypriot 48:Limbu 49:Linear_B
    50:Osmanya 51:Shavian 52:Tai_Le 53:Ugaritic 55:Buginese 56:Glagolitic 57:Kharoshthi
    58:Syloti_Nagri 59:New_Tai_Lue 60:Tifinagh 61:Old_Persian 62:Balinese 63:Batak 65:Brahmi
    66:Cham 71:Egyptian_Hieroglyphs 75:Pahawh_Hmong 76:Old_Hungarian 78:Javanese 79:Kayah_Li
    82:Lepcha 83:Linear_A 84:Mandaic 86:Meroitic_Hieroglyphs 87:Nko 88:Old_Turkic 89:Old_Permic
    90:Phags_Pa 91:Phoenician 92:Miao 99:Vai 101:Cuneiform 104:Carian 106:Tai_Tham 107:Lycian
    108:Lydian 109:Ol_Chiki 110:Rejang 111:Saurashtra 112:SignWriting 113:Sundanese
    115:Meetei_Mayek 116:Imperial_Aramaic 117:Avestan 118:Chakma 120:Kaithi 121:Manichaean
    122:Inscriptional_Pahlavi 123:Psalter_Pahlavi 125:Inscriptional_Parthian 126:Samaritan
    127:Tai_Viet 130:Bamum 131:Lisu 133:Old_South_Arabian 134:Bassa_Vah 135:Duployan 136:Elbasan
    137:Grantha 140:Mende_Kikakui 141:Meroitic_Cursive 142:Old_North_Arabian 143:Nabataean
    144:Palmyrene 145:Khudawadi 146:Warang_Citi 149:Mro 150:Nushu 151:Sharada 152:Sora_Sompeng
    153:Takri 154:Tangut 156:Anatolian_Hieroglyphs 157:Khojki 158:Tirhuta 159:Caucasian_Albanian
    160:Mahajani 161:Ahom 162:Hatran 163:Modi 164:Multani 165:Pau_Cin_Hau 166:Siddham 167:Adlam
    168:Bhaiksuki 169:Marchen 170:Newa 171:Osage 175:Masaram_Gondi 176:Soyombo
    177:Zanabazar_Square 178:Dogra 179:Gunjala_Gondi 180:Makasar 181:Medefaidrin
    182:Hanifi_Rohingya 183:Sogdian 184:Old_Sogdian 185:Elymaic 186:Nyiakeng_Puachue_Hmong
    187:Nandinagari 188:Wancho 189:Chorasmian 190:Dives_Akuru 191:Khitan_Small_Script 192:Yezidi
"""


@functools.cache
def script_table() -> np.ndarray:
    """Return the number of the script of each code point."""
    runs = [run.split(".") for run in RUNS.split()]
    lengths, numbers = ([int(run[i], 16) for run in runs] for i in (0, 1))
    table = np.repeat(np.array(numbers, np.int32), lengths)
    assert len(table) == sys.maxunicode + 1
    return table


@functools.cache
def _numbers() -> dict[str, int]:
    pairs = [entry.split(":") for entry in _NAMES.split()]
    return {name: int(number) for number, name in pairs}


@functools.cache
def script_ranges(name: str) -> list[tuple[int, int]] | None:
    """Return the first and last code points of each run of a script; None for an unknown name."""
    number = _numbers().get(name)
    if number is None:
        return None
    inside = np.concatenate([[False], script_table() == number, [False]])
    edges = np.flatnonzero(inside[1:] != inside[:-1]).tolist()
    return [(low, high - 1) for low, high in zip(edges[::2], edges[1::2], strict=True)]
