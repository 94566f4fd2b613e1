import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Elsewhere, elsewhere } from '../../../local/services/elsewhere.ts';
import { ciphertextOf, encryptedPart, keyOf } from '../../../local/services/kms/ciphertext.ts';
import { openKeys } from '../../../local/services/kms/keys.ts';
import { vaultElsewhere } from '../../../local/services/kms/vault.ts';
import { type Call, ServiceError } from '../../../local/services/service.ts';
import { openMails } from '../../../local/services/ses/mails.ts';
import { openReturnedMails } from '../../../local/services/ses/returned-mails.ts';
import { sesService } from '../../../local/services/ses/service.ts';
import { listenHere, originOf } from '../../support/loopback.ts';

/** KMS_ENDPOINT and SES_ENDPOINT: calls that the local cloud passes on. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'elsewhere-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Another KMS, which encrypts by writing the id of its key before the plaintext. */
function otherKms() {
  const calls: string[] = [];
  let made = 0;
  const json: Elsewhere['json'] = async (target, input) => {
    const { KeyId, Plaintext, CiphertextBlob } = input as Record<string, string>;
    calls.push(target.replace('TrentService.', ''));
    if (target.endsWith('CreateKey')) {
      made += 1;
      return { KeyMetadata: { KeyId: `other-${made}` } };
    }
    if (Plaintext !== undefined)
      return { CiphertextBlob: Buffer.from(`${KeyId}:${Plaintext}`).toString('base64') };
    const [id, plaintext] = Buffer.from(CiphertextBlob ?? '', 'base64')
      .toString()
      .split(':');
    if (id !== KeyId) throw new Error(`${id} is not ${KeyId}`);
    return { Plaintext: plaintext };
  };
  return { calls, other: { json, form: async () => '' } satisfies Elsewhere };
}

function keys(...ids: string[]) {
  const opened = openKeys(folder);
  for (const id of ids) {
    const arn = `arn:aws:kms:eu-north-1:1:key/${id}`;
    opened.create({ id, arn, spec: 'SYMMETRIC_DEFAULT', usage: 'ENCRYPT_DECRYPT', policy: [] });
  }
  return opened;
}

describe('a vault elsewhere', () => {
  it('each key of the stack has one key in another KMS, also when used twice at once and after a restart', async () => {
    const { calls, other } = otherKms();
    const [first, second] = ['one', 'two'].map((id) => keys('one', 'two').find(id));
    if (!first || !second) throw new Error('There are two keys.');
    const vault = vaultElsewhere(other, folder);
    const encrypt = (key: typeof first) => vault.encrypt(key, Buffer.from('secret'), {});
    const [encrypted] = await Promise.all([encrypt(first), encrypt(first), encrypt(second)]);
    expect(calls.filter((name) => name === 'CreateKey')).toHaveLength(2);
    const restarted = vaultElsewhere(other, folder);
    expect((await restarted.decrypt(first, encrypted, {})).toString()).toBe('secret');
    await expect(restarted.decrypt(second, encrypted, {})).rejects.toThrow('is not other-2');
    expect(calls.filter((name) => name === 'CreateKey')).toHaveLength(2);
  });

  it('a key that another KMS could not make is asked for again', async () => {
    const { other } = otherKms();
    const key = keys('one').find('one');
    let isUp = false;
    const json: Elsewhere['json'] = async (...call) => {
      if (!isUp) throw new Error('It is not there yet.');
      return other.json(...call);
    };
    const vault = vaultElsewhere({ ...other, json }, folder);
    await expect(vault.encrypt(key, Buffer.from('x'), {})).rejects.toThrow('not there yet');
    isUp = true;
    expect((await vault.encrypt(key, Buffer.from('x'), {})).toString()).toMatch(/^other-1:/);
  });

  it('a ciphertext of another KMS names the stack’s key, whose policy decides who may decrypt it', async () => {
    const { other } = otherKms();
    const known = keys('one');
    const key = known.find('one');
    const blob = ciphertextOf(key, await vaultElsewhere(other, folder).encrypt(key, Buffer.from('x'), {}));
    expect(keyOf(known, blob)).toBe(key);
    expect(encryptedPart(blob).toString()).toBe(`other-1:${Buffer.from('x').toString('base64')}`);
  });
});

it('a sender that another SES could not verify is verified with the next mail', async () => {
  const now = () => 0;
  const location = { region: 'eu-north-1', account: '1' };
  const mails = openMails(folder, now);
  const returned = openReturnedMails({ mails, nowMs: now, publish: () => {}, ...location });
  const asked: (string | null)[] = [];
  const form: Elsewhere['form'] = async (fields) => {
    asked.push(fields.get('Action'));
    if (asked.length === 1) throw new ServiceError('InternalFailure', 'It is not there yet.', 500);
    return '';
  };
  const ses = sesService(mails, returned, { json: async () => ({}), form }, location);
  const mail = new URLSearchParams({
    Action: 'SendEmail',
    Source: 'sign@example.com',
    'Destination.ToAddresses.member.1': 'anna@example.com',
    'Message.Subject.Data': 'Sign',
    'Message.Body.Text.Data': 'Please sign.',
  });
  const send = () => ses.prepare({ body: Buffer.from(mail.toString()), requestId: 'r' } as Call).run();
  await expect(send()).rejects.toThrow('not there yet');
  await send();
  expect(asked).toEqual(['VerifyEmailIdentity', 'VerifyEmailIdentity', 'SendEmail']);
  expect(mails.inbox()).toHaveLength(1);
  mails.close();
});

describe('the other service', () => {
  let server: Server;
  let answer: [status: number, body: string];
  const received: { target: string | undefined; body: string }[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      received.push({ target: request.headers['x-amz-target']?.toString(), body: await text(request) });
      response.writeHead(answer[0]).end(answer[1]);
    });
    await listenHere(server);
  });
  afterAll(() => server.close());
  const at = (service: 'kms' | 'ses') => {
    const url = originOf(server);
    const found = elsewhere(service, { KMS_ENDPOINT: url, SES_ENDPOINT: url });
    if (!found) throw new Error('It is named.');
    return found;
  };

  it('the local cloud answers itself unless the environment names another service', () => {
    expect(elsewhere('kms', { SES_ENDPOINT: 'http://127.0.0.1:1' })).toBeUndefined();
  });

  it('another service gets calls in the JSON and in the query protocol', async () => {
    answer = [200, '{"KeyId":"k"}'];
    expect(await at('kms').json('TrentService.Encrypt', { KeyId: 'k' })).toEqual({ KeyId: 'k' });
    expect(received.at(-1)).toEqual({ target: 'TrentService.Encrypt', body: '{"KeyId":"k"}' });
    answer = [200, '<SendEmailResponse/>'];
    expect(await at('ses').form(new URLSearchParams({ Action: 'SendEmail' }))).toBe('<SendEmailResponse/>');
  });

  it('an error of another service keeps its code and message', async () => {
    answer = [400, '{"__type":"com.amazonaws#InvalidCiphertextException","message":"no"}'];
    await expect(at('kms').json('TrentService.Decrypt', {})).rejects.toMatchObject({
      code: 'InvalidCiphertextException',
      message: 'no',
    });
    answer = [400, '<Error><Code>MessageRejected</Code><Message>not verified</Message></Error>'];
    await expect(at('ses').form(new URLSearchParams())).rejects.toMatchObject({ code: 'MessageRejected' });
  });
});
