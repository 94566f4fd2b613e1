import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { pageInput, signer } from '../support/signature-input.ts';

const NAMES = [
  'Þórður Nguyễn',
  'Q̃ed M̌ara',
  'محمد علي بن أحمد',
  'على إلى لا',
  'مُحَمَّد',
  'علی می‌خواهد',
  'נעים כהן',
  'שָׁלוֹם',
  'क्षत्रिय हिन्दी श्री',
  'বাংলা কর্মকার',
  'ਪੰਜਾਬੀ ਸਿੰਘ',
  'ગુજરાતી ક્ષ',
  'தமிழ் செல்வன்',
  'తెలుగు శ్రీను',
  'ಕನ್ನಡ ಕೃಷ್ಣ',
  'മലയാളം ക്രിസ്തു',
  'සිංහල ශ්‍රී',
  'สมชาย น้ำ ที่',
  'ລາວ ທີ່',
  'ខ្មែរ ស្រី',
  'ဗမာ ကြွေး',
  'བོད་ བསྒྲུབས',
  'አማርኛ',
  'ქართული',
  'ᠮᠣᠩᠭᠣᠯ',
  '山田太郎 さくら',
  '刘德华 陳大文',
  '김철수',
  '👩‍💻 👍🏽 😀 🇫🇮',
  'A\ue000',
];

/** The marks that pdftotext puts around text from right to left. */
const DIRECTIONS = /[\u202a-\u202c]/g;
/** pdftotext puts points of Arabic and Hebrew letters where they stand, not where they are read. */
const POINTS = /(?=[\p{scx=Arab}\p{scx=Hebr}])\p{Mn}/gu;
/** Letters alone: spaces are the reader's guess, and readers fold presentation forms. */
const letters = (text: string) =>
  text.replace(DIRECTIONS, '').normalize('NFKC').replace(POINTS, '').replace(/\s/g, '');

function textOf(pdf: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'text-'));
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf);
    return execFileSync('pdftotext', ['-layout', join(folder, 'in.pdf'), '-'], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each(NAMES)('pdftotext reads %j from a signature page as it was typed', async (name) => {
  const lines = textOf(await makeSignaturePage(pageInput({ signers: [signer(name)] }))).split('\n');
  const read = lines.filter((line) => letters(line).includes(letters(name)));
  // The signature, and the name below it.
  expect(read).toHaveLength(2);
});
