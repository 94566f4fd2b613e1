const OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
  (text: string) => `<</Length ${text.length}>>stream\n${text}\nendstream`,
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
];

/** A minimal valid PDF with one line of ASCII text, small enough to paste inline in a first call. */
export function demoPdf(line: string): Buffer {
  const content = `BT/F 24 Tf 72 720 Td(${line.replace(/[\\()]/g, '\\$&')})Tj ET`;
  let file = '%PDF-1.4\n';
  const offsets = OBJECTS.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${typeof object === 'string' ? object : object(content)}\nendobj\n`;
    return offset;
  });
  const entry = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n \n`;
  const size = OBJECTS.length + 1;
  const xref = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.map(entry).join('')}`;
  return Buffer.from(
    `${file}${xref}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}
