"""Makes `scripts/`: one font or a set of slices for every script that `sans.ttf` lacks, and their index.

Chinese, Japanese and Korean come from fontsource's npm packages, in the slices that Google cut by how often characters
are used together, and so do emoji and the newest scripts; the others from Debian's `fonts-noto-core`. Needs npm, apt and `pip install fonttools`.
Layout tables stay, since HarfBuzz shapes with them; hinting goes.

`faces.json` says which characters the faces of typed signatures have, for the signing page.

The index lists families in the order of preference, each with its files and the characters in each file, less those
of `sans.ttf`: alternately how many code points to skip and how many to take, in base 36.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).parent
TARGET = HERE / 'scripts'
BASE = set(TTFont(HERE / 'sans.ttf').getBestCmap())
# Kept in each file beside its own characters: the space, and the circle that carries a mark without a letter.
COMMON = {0x20, 0x25CC}
CONTROLS = set(range(0x20)) | set(range(0x7F, 0xA0))
DEBIAN = '20201225-1'
# Where two families have all of a text, the first is taken: names in kanji alone are set in Japanese forms.
SLICED = [('han-japanese', 'noto-sans-jp'), ('han-traditional', 'noto-sans-hk'), ('han-simplified', 'noto-sans-sc'), ('korean', 'noto-sans-kr')]
FONTSOURCE = {'noto-sans-jp': '5.3.0', 'noto-sans-hk': '5.3.0', 'noto-sans-sc': '5.3.0', 'noto-sans-kr': '5.3.0', 'noto-emoji': '5.3.2'}
# Families that are newer than Debian's package.
NEWER = {
    'kawi': 'noto-sans-kawi',
    'khitan-small-script': 'noto-serif-khitan-small-script',
    'makasar': 'noto-serif-makasar',
    'old-uyghur': 'noto-serif-old-uyghur',
    'sunuwar': 'noto-sans-sunuwar',
    'tangsa': 'noto-sans-tangsa',
    'todhri': 'noto-serif-todhri',
    'toto': 'noto-serif-toto',
}
# Other designs of scripts that are listed already.
VARIANTS = re.compile(r'NotoSans(Display|AdlamUnjoined|Tifinagh.+)?-')
# No sans design exists.
SERIF = ['Ahom', 'Dogra', 'NyiakengPuachueHmong', 'Tangut', 'Tibetan', 'Yezidi']
COPYRIGHT = [
    'Copyright 2013, 2015-2022 Google LLC and The Noto Project Authors (https://github.com/notofonts)',
    "Copyright 2014-2021 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source' (han-*, korean-*)",
]
FACES = ['sans', 'serif', 'serif-italic']
LAST = ['symbols', 'symbols2', 'math', 'music']


def fetch(work):
    for package, version in (FONTSOURCE | dict.fromkeys(NEWER.values(), '5.3.0')).items():
        archive = subprocess.check_output(['npm', 'pack', '--silent', f'@fontsource/{package}@{version}'], cwd=work, text=True)
        (work / package).mkdir()
        subprocess.check_call(['tar', 'xzf', archive.strip(), '-C', work / package, '--strip-components=2', 'package/files'], cwd=work)
    subprocess.check_call(['apt-get', 'download', '-q', f'fonts-noto-core={DEBIAN}'], cwd=work)
    [debian] = work.glob('fonts-noto-core*.deb')
    subprocess.check_call(['dpkg-deb', '-x', debian, work / 'debian'])


def make(source, target, without=BASE):
    """Writes the font without some characters and returns those it has."""
    options = subset.Options(
        hinting=False, notdef_outline=True, glyph_names=False, name_IDs=[0, 5, 6, 13, 14], flavor='woff', recommended_glyphs=False
    )
    options.drop_tables += ['STAT', 'vhea', 'vmtx', 'gasp', 'MVAR', 'HVAR']
    font = subset.load_font(source, options)
    characters = set(font.getBestCmap()) - without - CONTROLS
    if not characters - COMMON:
        return []
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters | COMMON)
    subsetter.subset(font)
    subset.save_font(font, target, options)
    return sorted(characters - COMMON)


DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'


def base36(number):
    digits = ''
    while number:
        number, digit = divmod(number, 36)
        digits = DIGITS[digit] + digits
    return digits or '0'


def ranges(characters):
    steps, end = [], 0
    for first in characters:
        if steps and first == end:
            steps[-1] += 1
        else:
            steps += [first - end, 1]
        end = first + 1
    return ' '.join(map(base36, steps))


def family(name, sources, files):
    made = []
    for number, source in enumerate(sources):
        file = f'{name}.woff' if len(sources) == 1 else f'{name}-{number}.woff'
        characters = make(source, TARGET / file)
        if characters:
            made.append({'file': file, 'characters': ranges(characters)})
    if made:
        files.append({'name': name, 'files': made})


def accents(source, files):
    """All letters of Noto Sans, those of the faces too, with the tables that place marks on them."""
    others = {c for c in TTFont(source).getBestCmap() if not unicodedata.category(chr(c)).startswith(('L', 'M'))}
    characters = make(source, TARGET / 'accents.woff', others)
    files.append({'name': 'accents', 'files': [{'file': 'accents.woff', 'characters': ranges(characters)}]})


def kebab(name):
    return re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '-', name).lower()


def main(work):
    if not (work / 'debian').exists():
        fetch(work)
    debian = work / 'debian/usr/share/fonts/truetype/noto'
    sans = [path for path in sorted(debian.glob('NotoSans*-Regular.ttf')) if not VARIANTS.match(path.name)]
    single = {kebab(path.name.removeprefix('NotoSans').removesuffix('-Regular.ttf')): path for path in sans}
    single |= {kebab(name): debian / f'NotoSerif{name}-Regular.ttf' for name in SERIF}
    single |= {name: work / package / f'{package}-{name}-400-normal.woff' for name, package in NEWER.items()}
    single['music'] = debian / 'NotoMusic-Regular.ttf'
    TARGET.mkdir(exist_ok=True)
    for old in TARGET.iterdir():
        old.unlink()
    families = []
    accents(debian / 'NotoSans-Regular.ttf', families)
    for name in sorted(set(single) - set(LAST)):
        family(name, [single[name]], families)
    for name, package in SLICED:
        slices = [path for path in (work / package).glob('*-400-normal.woff') if re.search(r'-\d+-400', path.name)]
        family(name, sorted(slices, key=lambda path: int(path.name.split('-')[-3])), families)
    family('emoji', [work / 'noto-emoji/noto-emoji-emoji-400-normal.woff'], families)
    for name in LAST:
        family(name, [single[name]], families)
    terms = (HERE / 'LICENSE-noto.txt').read_text().splitlines()[1:]
    (TARGET / 'LICENSE.txt').write_text('\n'.join(COPYRIGHT + terms) + '\n')
    faces = {name: ranges(sorted(TTFont(HERE / f'{name}.ttf').getBestCmap())) for name in FACES}
    (HERE / 'faces.json').write_text(json.dumps(faces, indent=2) + '\n')
    (TARGET / 'index.json').write_text(json.dumps(families, separators=(',', ':')) + '\n')


if len(sys.argv) > 1:
    main(pathlib.Path(sys.argv[1]))
else:
    with tempfile.TemporaryDirectory() as folder:
        main(pathlib.Path(folder))
