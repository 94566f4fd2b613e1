/** A browser's form upload (POST policy): checks the signature of the policy, then the form against the policy. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import * as z from 'zod';
import type { Principal } from '../../ports.ts';
import type { Principals } from '../principals.ts';
import { AuthenticationFailure, type RequestHead, ServiceError } from '../service.ts';
import { readCredential, verifyText } from '../signatures.ts';

export interface OpenForm {
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

interface Form {
  fields: Map<string, string>;
  file: Readable;
}

export async function openPostForm(
  request: IncomingMessage,
  head: RequestHead,
  principals: Principals,
  now: number,
): Promise<OpenForm> {
  const { fields, file } = await readForm(request, head);
  const policyText = fields.get('policy');
  if (policyText === undefined) throw new AuthenticationFailure('missing', 'Access Denied');
  const claim = readCredential(fields.get('x-amz-credential') ?? '');
  const { principal, secretAccessKey } = principals.find(claim.accessKeyId);
  const signature = fields.get('x-amz-signature') ?? '';
  verifyText(policyText, { ...claim, signature }, secretAccessKey);
  const policy = readPolicy(policyText);
  if (Date.parse(policy.expiration) <= now) throw denied('Invalid according to Policy: Policy expired.');
  const bucket = decodeURIComponent(head.path.split('/')[1] ?? '');
  assertMatchesPolicy(policy, fields, bucket);
  return {
    head: asPut(head, bucket, fields),
    principal,
    accessKeyId: claim.accessKeyId,
    body: await readFile(file, sizeRange(policy)),
  };
}

/** Reads up to the file. Like S3, ignores fields after it. */
function readForm(request: IncomingMessage, head: RequestHead): Promise<Form> {
  return new Promise((resolve, reject) => {
    const malformed = (message: string) => reject(new ServiceError('MalformedPOSTRequest', message));
    const contentType = head.headers['content-type'] ?? '';
    const fields = new Map<string, string>();
    const parser = new Busboy({
      headers: { ...head.headers, 'content-type': contentType },
      isPartAFile: (name) => name === 'file',
      limits: { files: 1, fieldSize: 20 * 1024, fields: 100 },
    });
    parser.on('field', (name, value) => fields.set(name.toLowerCase(), value));
    parser.on('file', (_name, file) => resolve({ fields, file }));
    parser.on('error', (error) =>
      malformed(error instanceof Error ? error.message : 'The form is malformed'),
    );
    parser.on('finish', () => malformed('POST requires exactly one file upload per request.'));
    request.pipe(parser);
  });
}

const denied = (message: string) => new ServiceError('AccessDenied', message, 403);

function readPolicy(text: string): Policy {
  try {
    return policySchema.parse(JSON.parse(Buffer.from(text, 'base64').toString()));
  } catch {
    throw new ServiceError('InvalidPolicyDocument', 'Invalid Policy: Invalid JSON.');
  }
}

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

async function readFile(file: Readable, { min, max }: { min: number; max: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > max) {
      throw new ServiceError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
    }
    chunks.push(chunk);
  }
  if (size < min) {
    throw new ServiceError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
  }
  return Buffer.concat(chunks);
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
