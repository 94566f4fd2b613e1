import { PDFDocument } from 'pdf-lib';
import { readEvidence } from '../../../shared/stamping/verify-evidence.ts';

async function withAttachment(name: string, content: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  await document.attach(Buffer.from(content), name, { mimeType: 'application/json' });
  return document.save();
}

describe('the record in an evidence file', () => {
  it('the record is read from the attachment of an evidence file', async () => {
    expect(readEvidence(await withAttachment('evidence.json', '{"name":"Größe"}'))).toEqual({
      name: 'Größe',
    });
  });

  it.each<[string, () => Promise<Uint8Array>]>([
    ['another attachment', () => withAttachment('invoice.json', '{}')],
    ['an attachment that is no JSON', () => withAttachment('evidence.json', '{')],
    ['no PDF', async () => Buffer.from('{}')],
  ])('there is no record in %s', async (_, make) => {
    expect(readEvidence(await make())).toBeUndefined();
  });
});
