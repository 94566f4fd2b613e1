import { shownView } from '../../../web/signing/flow/shown.ts';
import { VIEW, viewWith } from './view.ts';

describe('the view as it is shown', () => {
  it('texts that others wrote lose invisible characters', () => {
    const view = viewWith({
      request: { title: 'invoice\u202Efdp.exe', message: 'one\n\u200btwo', sender_name: 'Koti\u2066linna' },
      signer: { name: 'Ai\u00adno', representing_as_invited: 'Oy\u200f' },
    });
    const attachments = { count: 2, listed: [{ filename: 'fac\u202etur\u0000\u200b.xml', size: 7 }] };
    const shown = shownView({
      ...view,
      document: { ...view.document, filename: 'a\u202eb.pdf', attachments },
    });
    expect(shown.request).toMatchObject({
      title: 'invoicefdp.exe',
      message: 'one\ntwo',
      sender_name: 'Kotilinna',
    });
    expect(shown.signer).toMatchObject({ name: 'Aino', representing_as_invited: 'Oy' });
    expect(shown.document).toMatchObject({
      filename: 'ab.pdf',
      attachments: { count: 2, listed: [{ filename: 'factur.xml', size: 7 }] },
    });
  });

  it('the long name of an attached file keeps its start and its end', () => {
    const shownName = (filename: string) =>
      shownView({
        ...VIEW,
        document: { ...VIEW.document, attachments: { count: 1, listed: [{ filename, size: 1 }] } },
      }).document.attachments?.listed[0]?.filename;
    expect(shownName(`${'😀'.repeat(76)}.exe`)).toBe(`${'😀'.repeat(76)}.exe`);
    expect(shownName(`${'😀'.repeat(90)}.exe`)).toBe(`${'😀'.repeat(60)}…${'😀'.repeat(16)}.exe`);
  });

  it('everything else stays', () => {
    expect(shownView(VIEW)).toEqual(VIEW);
  });
});
