/** A browser's form upload (POST policy): checks the signature of the policy, then the form against the policy. */
import * as z from 'zod';
import type { Principal } from '../../ports.ts';
import type { Principals } from '../principals.ts';
import { AuthenticationFailure, type RequestHead, ServiceError } from '../service.ts';
import { readCredential, verifyText } from '../signatures.ts';
import { notImplemented } from './body.ts';

interface OpenForm {
  head: RequestHead;
  principal: Principal;
  accessKeyId: string;
  /** The file. */
  body: Buffer;
}

const policySchema = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.record(z.string(), z.string()),
      z.tuple([z.literal('eq'), z.templateLiteral(['$', z.string()]), z.string()]),
      z.tuple([z.literal('content-length-range'), z.number(), z.number()]),
    ]),
  ),
});
type Policy = z.infer<typeof policySchema>;

export async function openPostForm(
  form: Buffer,
  head: RequestHead,
  principals: Principals,
  now: number,
): Promise<OpenForm> {
  const { fields, file } = await readForm(form, head);
  const policyText = fields.get('policy');
  if (policyText === undefined) throw new AuthenticationFailure('missing', 'Access Denied');
  const claim = readCredential(fields.get('x-amz-credential') ?? '');
  const { principal, secretAccessKey } = principals.find(
    claim.accessKeyId,
    fields.get('x-amz-security-token'),
  );
  const signature = fields.get('x-amz-signature') ?? '';
  verifyText(policyText, { ...claim, signature }, secretAccessKey);
  const policy = readPolicy(policyText);
  if (Date.parse(policy.expiration) <= now) throw denied('Invalid according to Policy: Policy expired.');
  const bucket = decodeURIComponent(head.path.split('/')[1] ?? '');
  assertMatchesPolicy(policy, fields, bucket);
  assertSize(file, sizeRange(policy));
  const other = [...fields.keys()].find((name) => !FIELDS.includes(name) && !EXEMPT_FIELDS.includes(name));
  if (other !== undefined) throw notImplemented(`the form field ${other}`);
  return { head: asPut(head, bucket, fields), principal, accessKeyId: claim.accessKeyId, body: file };
}

/** Like S3, ignores fields after the file. */
async function readForm(body: Buffer, { headers }: RequestHead) {
  const contentType = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch((error) => {
      throw malformed(String(error));
    });
  const fields = new Map<string, string>();
  for (const [name, value] of form) {
    if (name === 'file') return { fields, file: Buffer.from(await new Response(value).bytes()) };
    fields.set(name.toLowerCase(), String(value));
  }
  throw malformed('POST requires exactly one file upload per request.');
}

const malformed = (message: string) => new ServiceError('MalformedPOSTRequest', message);
const denied = (message: string) => new ServiceError('AccessDenied', message, 403);

function readPolicy(text: string): Policy {
  try {
    return policySchema.parse(JSON.parse(Buffer.from(text, 'base64').toString()));
  } catch {
    throw new ServiceError('InvalidPolicyDocument', 'Invalid Policy: Invalid JSON.');
  }
}

const FIELDS = [
  'bucket',
  'content-type',
  'key',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-security-token',
];
/** Need no condition. */
const EXEMPT_FIELDS = ['x-amz-signature', 'policy'];

/** Every condition must hold, and every field needs a condition. */
function assertMatchesPolicy(policy: Policy, fields: Map<string, string>, bucket: string): void {
  const conditioned = new Set<string>();
  const given = (name: string) => (name === 'bucket' ? bucket : fields.get(name)) ?? '';
  for (const condition of policy.conditions) {
    for (const [name, value] of wantedValues(condition)) {
      conditioned.add(name);
      if (given(name) !== value)
        throw denied(`Invalid according to Policy: Policy Condition failed: ["eq", "$${name}", "${value}"]`);
    }
  }
  for (const name of fields.keys()) {
    if (!conditioned.has(name) && !EXEMPT_FIELDS.includes(name)) {
      throw denied(`Invalid according to Policy: Extra input fields: ${name}`);
    }
  }
}

type Condition = Policy['conditions'][number];

function wantedValues(condition: Condition): [name: string, value: string][] {
  if (!Array.isArray(condition))
    return Object.entries(condition).map(([name, value]) => [name.toLowerCase(), value]);
  return condition[0] === 'eq' ? [[condition[1].slice(1).toLowerCase(), condition[2]]] : [];
}

function sizeRange({ conditions }: Policy): { min: number; max: number } {
  for (const condition of conditions)
    if (Array.isArray(condition) && condition[0] === 'content-length-range')
      return { min: condition[1], max: condition[2] };
  return { min: 0, max: 5 * 1024 ** 3 };
}

function assertSize({ length }: Buffer, { min, max }: { min: number; max: number }): void {
  if (length > max)
    throw new ServiceError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  if (length < min)
    throw new ServiceError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
}

/** The form as a PUT of its file. */
function asPut(head: RequestHead, bucket: string, fields: Map<string, string>): RequestHead {
  const key = fields.get('key');
  if (!key) throw new ServiceError('InvalidArgument', 'Bucket POST must contain a field named "key".');
  return {
    ...head,
    path: `/${encodeURIComponent(bucket)}/${key.split('/').map(encodeURIComponent).join('/')}`,
    headers: { 'content-type': fields.get('content-type') },
  };
}
