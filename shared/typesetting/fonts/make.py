"""Makes the fonts in this folder from the families' npm packages. Needs npm and `pip install fonttools`.

Kept are the scripts that the pages set. Left out are hinting, which no PDF reader needs at these sizes, and the
layout tables: pdf-lib places glyphs by their advance widths alone. `truetype.ts` reads fonts of this kind only.
"""

import pathlib
import subprocess
import tempfile

from fontTools import subset

HERE = pathlib.Path(__file__).parent
LATIN = 'U+0020-007E,U+00A0-024F,U+0259,U+02B0-02FF,U+0300-036F,U+1E00-1EFF'
GREEK = 'U+0370-03FF,U+1F00-1FFF'
CYRILLIC = 'U+0400-052F'
SIGNS = (
    'U+2010-2015,U+2018-2022,U+2026,U+2030,U+2032,U+2033,U+2039,U+203A,U+2044,U+2070-209F,U+20A0-20C0,'
    'U+2113,U+2116,U+2122,U+2190-2193,U+2212'
)
TEXT = ','.join([LATIN, GREEK, CYRILLIC, SIGNS])
PACKAGES = {'noto-sans': '0.4.2', 'noto-sans-mono': '0.4.2', 'eb-garamond': '0.4.3'}
FONTS = [
    ('noto-sans', '400Regular/NotoSans_400Regular.ttf', 'sans.ttf', TEXT),
    ('noto-sans', '600SemiBold/NotoSans_600SemiBold.ttf', 'sans-semibold.ttf', TEXT),
    ('eb-garamond', '500Medium/EBGaramond_500Medium.ttf', 'serif.ttf', TEXT),
    ('eb-garamond', '400Regular_Italic/EBGaramond_400Regular_Italic.ttf', 'serif-italic.ttf', TEXT),
    ('noto-sans-mono', '400Regular/NotoSansMono_400Regular.ttf', 'mono.ttf', 'U+0020-007E'),
]
LICENSES = {'noto-sans': 'LICENSE-noto.txt', 'eb-garamond': 'LICENSE-eb-garamond.txt'}


def fetch(package: str, folder: pathlib.Path) -> None:
    spec = f'@expo-google-fonts/{package}@{PACKAGES[package]}'
    archive = subprocess.check_output(['npm', 'pack', '--silent', spec], cwd=folder, text=True).strip()
    target = folder / package
    target.mkdir()
    subprocess.check_call(['tar', 'xzf', archive, '-C', target], cwd=folder)


def make(source: pathlib.Path, target: pathlib.Path, characters: str) -> None:
    options = subset.Options(
        layout_features=[], hinting=False, notdef_outline=True, glyph_names=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14]
    )
    options.drop_tables += ['GSUB', 'GPOS', 'GDEF', 'kern', 'STAT']
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(characters))
    subsetter.subset(font)
    font['glyf'].padding = 2
    subset.save_font(font, target, options)


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    for package in PACKAGES:
        fetch(package, work)
    for package, path, name, characters in FONTS:
        make(work / package / 'package' / path, HERE / name, characters)
    for package, name in LICENSES.items():
        (HERE / name).write_bytes((work / package / 'package' / 'LICENSE_FONT').read_bytes())
