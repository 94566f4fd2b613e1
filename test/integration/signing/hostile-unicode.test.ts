/** @behaviour ses.refused-fields */

import fc from 'fast-check';
import { asUri, isAmbiguous } from '../../../shared/runtime/uri.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { AppClient } from '../../support/app-client.ts';
import { hostileText } from '../../support/hostile-text.ts';
import { readPages } from '../../support/pdf-pages.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { first, type Invited, SigningStage } from '../../support/signing-stage.ts';
import { TEXT_FIELDS } from '../../support/text-fields.ts';

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

const api = '/api/v1';
const document = () => ({ filename: 'a.pdf', content_base64: stage.pdf.toString('base64') });

/** Texts that the contract accepts; answers and payloads hold them as they were sent, addresses as URIs. */
const accepted = (units: number) =>
  hostileText(units).map((text) =>
    text
      .toWellFormed()
      .replace(/(?![\t\n\r\u0080-\u009f])\p{Cc}/gu, '')
      .trim(),
  );
const line = accepted(150)
  .map((text) => text.replace(/[\r\n\u2028\u2029/\\]/gu, '').trim())
  .filter((text) => visible(text) !== '');

const SIGNERS = 3;
const life = fc.record({
  title: line,
  message: accepted(2_000),
  filename: line,
  reference: line,
  returnUrl: accepted(100).map(
    (text) => `https://example.com/?${[...text].filter((c) => !isAmbiguous(c)).join('')}`,
  ),
  reason: accepted(400),
  description: hostileText(200).map((text) => text.toWellFormed()),
  metadata: fc.dictionary(hostileText(20), hostileText(40), { maxKeys: 5 }),
  signers: fc.array(
    fc.record({
      invited: line,
      signed: line,
      typed: line,
      entity: line,
      role: line,
      entityId: line.map(short),
    }),
    { minLength: SIGNERS, maxLength: SIGNERS },
  ),
});
const LIVES = fc.sample(life, { numRuns: 2, seed: 14 });

function short(text: string): string {
  const start = text.slice(0, 90).toWellFormed().trim();
  return visible(start) === '' ? 'x' : start;
}

/** Characters that would hide or reorder the text beside them. */
const HARMFUL = /[\u200b\u200e\u200f\u061c\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;
const DISPOSITION = /^(?:inline|attachment); filename="[\x20-\x7e]+"; filename\*=UTF-8''([\w.!~%-]+)$/;

/** The name that a download gets. */
const nameIn = (headers: Headers) =>
  decodeURIComponent(DISPOSITION.exec(headers.get('content-disposition') ?? '')?.[1] ?? '%');

async function expectReadable(pdf: Uint8Array): Promise<void> {
  const pages = await readPages(new Uint8Array(pdf));
  expect(pages.map(({ words }) => words).join('')).not.toMatch(HARMFUL);
}

const auditTrail = (id: string) => stage.client.get(`${api}/signatures/${id}/audit-trail.pdf`);
const isIntact = async (id: string) => (await stage.service.admin('request', 'verify-audit', id)).intact;

async function create(texts: (typeof LIVES)[number], round: number) {
  return stage.send(SIGNERS, {
    title: texts.title,
    message: texts.message,
    reference: texts.reference,
    return_url: texts.returnUrl,
    metadata: texts.metadata,
    document: { ...document(), filename: texts.filename },
    signers: texts.signers.map(({ invited }, index) => ({
      email: `hostile-${round}-${index}@example.com`,
      name: invited,
    })),
  });
}

function expectInvited(person: Invited & { email_sent?: boolean }): void {
  expect(person.email_sent).toBe(true);
  for (const { subject, text, html } of stage.service.mails(person.email))
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(HARMFUL);
      expect(part.isWellFormed()).toBe(true);
    }
}

describe.each(LIVES.map((texts, round) => ({ round, texts })))(
  'hostile texts, batch $round',
  ({ round, texts }) => {
    it('are sent, read, signed, sealed, printed and told as they are', async () => {
      const request = await create(texts, round);
      request.signers.forEach(expectInvited);
      expect(request.signers.map(({ name }) => name)).toEqual(texts.signers.map(({ invited }) => invited));
      for (const [index, person] of request.signers.entries()) {
        const { signed, typed, entity, role, entityId } = texts.signers[index] ?? first(texts.signers);
        const signer = await stage.verified(person);
        const { body: view } = await signer.view();
        expect(view.request).toMatchObject({ title: texts.title, message: texts.message });
        expect(view.document.filename).toBe(texts.filename);
        const { headers } = await signer.call('GET', '/document');
        expect(nameIn(headers)).toBe(visible(texts.filename));
        const png = { type: 'drawn', png_base64: Buffer.from(drawnSignature()).toString('base64') };
        const answer = await signer.sign({
          name: signed,
          signature: index === 0 ? png : { type: 'typed', text: typed },
          representing: { name: entity, role, entity_id: entityId },
        });
        expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      }
      const state = await stage.untilStatus(request.id, 'signed');
      expect(state).toMatchObject({
        title: texts.title,
        message: texts.message,
        reference: texts.reference,
        return_url: asUri(texts.returnUrl),
        metadata: texts.metadata,
      });

      const { body } = await stage.client.get(`${api}/signatures/${request.id}/signers`);
      expect(body.data).toMatchObject(
        texts.signers.map(({ invited, signed, entity, role, entityId }) => ({
          name_as_invited: invited,
          name_as_signed: signed,
          representing_as_signed: entity,
          representing_role: role,
          representing_entity_id: entityId,
        })),
      );
      for (const what of ['document', 'evidence.pdf', 'audit-trail.pdf']) {
        const file = await stage.client.get(`${api}/signatures/${request.id}/${what}`);
        expect([what, file.status]).toEqual([what, 200]);
        expect(nameIn(file.headers)).not.toMatch(HARMFUL);
        await expectReadable(file.bytes);
      }
      const told = await stage.untilTold(request.id, 'signer.signed', SIGNERS);
      expect(told.map((data) => data.signer_name).toSorted()).toEqual(
        texts.signers.map(({ signed }) => signed).toSorted(),
      );
      expect(await isIntact(request.id)).toBe(true);
    }, 120_000);

    it('decline and cancel requests as they are', async () => {
      const [declined, cancelled] = await Promise.all([stage.send(1), stage.send(1)]);
      const signer = await stage.verified(first(declined.signers));
      expect((await signer.decline(texts.reason)).status).toBe(200);
      const { status } = await stage.client.post(`${api}/signatures/${cancelled.id}/cancel`, {
        reason: texts.reason,
      });
      expect(status).toBe(200);
      expect((await stage.get(declined.id)).signers[0].decline_reason).toBe(texts.reason || null);
      for (const { id } of [declined, cancelled]) {
        await expectReadable((await auditTrail(id)).bytes);
        expect(await isIntact(id)).toBe(true);
      }
      const endpoint = await stage.client.post(`${api}/webhook-endpoints`, {
        url: stage.receiver.url,
        description: texts.description,
      });
      expect([endpoint.status, endpoint.body.description]).toEqual([201, texts.description || null]);
      await stage.client.call('DELETE', `${api}/webhook-endpoints/${endpoint.body.id}`);
    });
  },
);

describe('a text that cannot be kept or seen', () => {
  const half = 'a\ud83d';
  const unseen = '\u202e\u200b\u3164';
  /** Calls with a text in one field each, which change nothing if it is refused. */
  const CALLS: Record<string, (text: string) => Promise<{ status: number; body: { message?: unknown } }>> = {
    'create-signature title': (text) => creating({ title: text }),
    'create-signature message': (text) => creating({ message: text }),
    'create-signature signers[].name': (text) =>
      creating({ signers: [{ email: 'a@example.com', name: text }] }),
    'create-signature signer_name': (text) =>
      creating({ signers: undefined, signer_email: 'a@example.com', signer_name: text }),
    'create-signature reference': (reference) => creating({ reference }),
    'create-signature return_url': (text) => creating({ return_url: `https://example.com/${text}` }),
    'create-signature document.filename': (text) => creating({ document: { ...document(), filename: text } }),
    'cancel-signature reason': (reason) =>
      stage.client.post(`${api}/signatures/${open.id}/cancel`, { reason }),
    'correct-signer name': (name) =>
      stage.client.call('PATCH', `${api}/signatures/${open.id}/signers/${first(open.signers).id}`, { name }),
    'create-webhook-endpoint url': (text) =>
      stage.client.post(`${api}/webhook-endpoints`, { url: `${stage.receiver.url}/${text}` }),
    'create-webhook-endpoint description': (description) =>
      stage.client.post(`${api}/webhook-endpoints`, { url: stage.receiver.url, description }),
    'update-webhook-endpoint url': (text) =>
      stage.client.call('PATCH', `${api}/webhook-endpoints/${endpointId}`, {
        url: `${stage.receiver.url}/${text}`,
      }),
    'update-webhook-endpoint description': (description) =>
      stage.client.call('PATCH', `${api}/webhook-endpoints/${endpointId}`, { description }),
    'sign name': (name) => signer.sign({ name }),
    'sign signature.text': (text) => signer.sign({ signature: { type: 'typed', text } }),
    'sign representing.name': (name) => signer.sign({ representing: { name } }),
    'sign representing.role': (role) => signer.sign({ representing: { name: 'Acme', role } }),
    'sign representing.entity_id': (entity_id) => signer.sign({ representing: { name: 'Acme', entity_id } }),
    'decline reason': (reason) => signer.decline(reason),
    'create-api-key name': (name) => office.call('POST', '/api-keys', { name }),
  };
  const creating = (changes: object) =>
    stage.client.post(`${api}/signatures`, {
      title: 'T',
      signers: [{ email: 'a@example.com' }],
      document: document(),
      ...changes,
    });
  let open: Awaited<ReturnType<SigningStage['send']>>;
  let signer: Awaited<ReturnType<SigningStage['verified']>>;
  let endpointId: string;
  let office: AppClient;
  beforeAll(async () => {
    await stage.service.admin('user', 'create', '--email', 'office@example.com');
    office = await AppClient.signedIn(stage.service, 'office@example.com');
    office.owner = 'user';
    open = await stage.send(1);
    signer = await stage.verified(first(open.signers));
    const { body } = await stage.client.get(`${api}/webhook-endpoints`);
    endpointId = body.data[0].id;
  });

  it('is asked of every field that takes one', () => {
    const texts = Object.entries(TEXT_FIELDS).flatMap(([field, kind]) => (kind === 'opaque' ? [] : [field]));
    expect(Object.keys(CALLS)).toEqual(texts);
  });

  it.each(Object.entries(CALLS))('is refused with the name of the field: %s', async (field, call) => {
    const texts = TEXT_FIELDS[field] === 'line' ? [half, unseen] : [half];
    const name = field.replace(/.* /, '').replace('[]', '[0]');
    for (const text of texts) {
      const { status, body } = await call(text);
      expect([status, body.message]).toEqual([400, expect.stringContaining(`${name} must `)]);
    }
    expect((await stage.get(open.id)).status).toBe('opened');
  });
});
