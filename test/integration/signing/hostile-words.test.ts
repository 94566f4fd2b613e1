/** @behaviour ses.refused-fields */

import type { StoredMail } from '../../../local/ports.ts';
import { readPages } from '../../support/pdf-pages.ts';
import { first, SigningStage } from '../../support/signing-stage.ts';

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

const script = (where: string) => `${where} <script>alert(1)</script><img src=x onerror=alert(2)>`;

/** The service's mark-up has no script, image or event handler, and only the expected links. */
function expectHarmless({ html }: StoredMail, links: string[]) {
  expect(html).not.toMatch(/<(script|img|iframe|object|svg|form|base|meta http)/i);
  expect(html).not.toMatch(/<[^>]*\son\w+\s*=/i);
  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect([...new Set(hrefs)]).toEqual(links);
}

it('mark-up in user input is shown as text in the mails, the audit trail and the sealed document', async () => {
  const request = await stage.send(1, {
    title: script('Title'),
    message: `${script('Message')}\n[click](javascript:alert(3)) https://evil.example/ "quoted" &amp;`,
    signers: [{ email: 'hostile@example.com', name: script('Invited') }],
    document: {
      filename: 'File <script>alert(1)<∕script> "x" %0d%0a.pdf',
      content_base64: stage.pdf.toString('base64'),
    },
  });
  const person = first(request.signers);
  const [invitation] = stage.service.mails(person.email);
  if (!invitation) throw new Error('There is no invitation.');
  expectHarmless(invitation, [person.sign_url]);
  for (const words of ['Title', 'Message', 'Invited'])
    expect(invitation.html).toContain(`${words} &lt;script&gt;`);
  expect(invitation.subject).toContain('Title <script>');
  // A mail program must not find an address to link in the sender's text.
  for (const content of [invitation.html, invitation.text])
    expect(content).not.toContain('https://evil.example');

  const signer = await stage.verified(person);
  const { body: view } = await signer.view();
  expect(view.request.title).toBe(script('Title'));
  const { headers } = await signer.call('GET', '/document');
  expect(headers.get('content-disposition')).toMatch(
    /^inline; filename="[^"\\]*"; filename\*=UTF-8''[^\s;"]+$/,
  );
  await signer.sign({
    name: script('Signed'),
    signature: { type: 'typed', text: script('Typed') },
    representing: { name: script('Entity'), role: script('Role') },
  });
  await stage.untilStatus(request.id, 'signed');
  const copyUrl = `${stage.service.baseUrl}/sign/copy#${await stage.copyToken(person)}`;
  expectHarmless(await stage.untilMail(person.email, /sealed/), [copyUrl]);

  const words = async (pdf: Uint8Array) =>
    (await readPages(new Uint8Array(pdf))).map((page) => page.words.replaceAll(' ', '')).join('');
  const audit = await stage.client.get(`/api/v1/signatures/${request.id}/audit-trail.pdf`);
  for (const pdf of [audit.bytes, await stage.sealedDocument(request.id)]) {
    const text = await words(pdf);
    for (const part of ['Title', 'Signed']) expect(text).toContain(`${part}<script>alert(1)</script><img`);
    expect(pdf.toString('latin1')).not.toMatch(/\/(JavaScript|JS|Launch|OpenAction|URI)\b/);
  }
});

it('mark-up in a decline reason is shown as text in the audit trail', async () => {
  const request = await stage.send();
  await (await stage.verified(first(request.signers))).decline(script('Reason'));
  expect((await stage.get(request.id)).signers[0].decline_reason).toBe(script('Reason'));
  const audit = await stage.client.get(`/api/v1/signatures/${request.id}/audit-trail.pdf`);
  const pages = await readPages(new Uint8Array(audit.bytes));
  expect(pages.map((page) => page.words.replaceAll(' ', '')).join('')).toContain(
    script('Reason').replaceAll(' ', ''),
  );
});
