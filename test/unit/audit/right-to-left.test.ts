import { makeAuditTrailPdf } from '../../../shared/audit/audit-trail.ts';
import { makeSignaturePage } from '../../../shared/stamping/signature-page.ts';
import { auditInput, auditSigner } from '../../support/audit-input.ts';
import { readPages } from '../../support/pdf-pages.ts';
import { pageInput, signer } from '../../support/signature-input.ts';

/** Begins in Hebrew, so it is read from its right end, wherever it stands. */
const NAME = 'שלום ABC נעים';

/** Each line that holds more than the name, as it looks from left to right, with … for the name in its own order. */
async function besideName(pdf: Uint8Array): Promise<string[]> {
  const texts = (await readPages(pdf)).flatMap((page) => page.texts);
  const lineAt = (baseline: number) =>
    texts.filter((text) => text.baseline === baseline).sort((a, b) => a.left - b.left);
  const baselines = new Set(texts.filter(({ text }) => text === 'ABC').map(({ baseline }) => baseline));
  return [...baselines]
    .map((baseline) => lineAt(baseline).map(({ text }) => text))
    .filter((line) => line.length > 3)
    .map((line) => line.join(' ').replaceAll('נעים ABC שלום', '…'));
}

it('a name of two directions keeps the order of its words in a signature', async () => {
  const representing = { name: NAME, role: NAME, entityId: '12' };
  const page = await makeSignaturePage(pageInput({ signers: [signer('Anna', { representing })] }));
  expect(await besideName(page)).toEqual(['on behalf of … (ID 12)', 'as …']);
});

it('a text of two directions keeps the order of its words in an audit trail', async () => {
  const trail = await makeAuditTrailPdf(
    auditInput({
      state: { ownerName: NAME },
      content: { attachments: { count: 1, listed: [{ filename: NAME, size: 1 }] } },
      signers: [
        auditSigner(0, {
          name: NAME,
          nameAsSigned: 'Anna',
          nameAsInvited: NAME,
          representingAsSigned: NAME,
          representingRole: NAME,
          representingEntityId: NAME,
          declineReason: NAME,
        }),
        auditSigner(1, { name: NAME }),
      ],
      entries: [
        {
          type: 'invitation_sent',
          at: '2026-11-10T08:00:00.000Z',
          actor: 'service',
          signerId: 'signer-1',
          details: { name: NAME },
        },
      ],
    }),
  );
  expect(await besideName(trail)).toEqual([
    'Sender … (organization)',
    'Attached files … , 1 byte',
    'Invited as …',
    'on behalf of …',
    'as …',
    'ID …',
    'Reason: …',
    '2 … Opened 203.0.113.7',
    'Name: … For …',
  ]);
});
