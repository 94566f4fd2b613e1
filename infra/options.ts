import type { Node } from 'constructs';
import { SEAL_LEVELS } from '../shared/contract/seal-level.ts';

/** Options of a deployment: `-c name=value`. `docs/deploy.md` explains each. */
export interface Options {
  /** prod protects the data and adds firewall and alarms; dev is cheap. */
  readonly stage: 'dev' | 'prod';
  readonly stackName: string;
  /** The sender of invitations: `sign@example.com` or `Acme <sign@example.com>`. */
  readonly mailFrom: string;
  /** A custom domain instead of the distribution's own. */
  readonly domain?: {
    readonly name: string;
    readonly certificateArn: string;
    readonly hostedZoneId?: string;
  };
  /**
   * Accept inline documents that are too large for the gateway, through the ingest. Off in dev by default, where its load
   * balancer and task would be most of the bill.
   */
  readonly largeUploads: boolean;
  /** The two availability zones of the ingest. Chosen at deployment by default (`network-look-up.js`). */
  readonly availabilityZones?: readonly [string, string];
  /** Allow webhooks to loopback addresses, for the local run only. */
  readonly localWebhooks: boolean;
  /** A table restored from a backup, instead of the stack's own. */
  readonly table?: string;
  /** The kind of seal key: a PKCS#12 file in a secret, or an RSA or elliptic-curve key in KMS. */
  readonly sealKey: 'secret' | 'rsa' | 'ec';
  /** The PAdES level of the seals. */
  readonly sealLevel: (typeof SEAL_LEVELS)[number];
  /** Reserved concurrency of each of these functions. `signing` stands for each function of the signers. */
  readonly reservedConcurrency: Readonly<Partial<Record<Reservable, number>>>;
  /** Number of documents sealed at once. */
  readonly sealConcurrency: number;
  /** The address that alarms are mailed to. */
  readonly alarmMail?: string;
}

export const RESERVABLE = ['create-signature', 'seal', 'signing'] as const;
type Reservable = (typeof RESERVABLE)[number];

export class OptionError extends Error {
  override name = 'OptionError';
}

export const DEFAULT_SEAL_CONCURRENCY = 20;
/** The range that SQS allows for the maximum concurrency of a queue's consumer. */
const CONCURRENCY = { min: 2, max: 1_000 };

export const PLACEHOLDER_SENDER = 'no-reply@example.com';

/** KMS's names of the kinds of seal keys. */
export const SEAL_KEY_SPECS = { rsa: 'RSA_3072', ec: 'ECC_NIST_P256' } as const;

export const OPTION_NAMES = [
  'stage',
  'stackName',
  'mailFrom',
  'domain',
  'certificateArn',
  'hostedZoneId',
  'largeUploads',
  'availabilityZones',
  'localWebhooks',
  'table',
  'sealKey',
  'sealLevel',
  'alarmMail',
  'reservedConcurrency',
  'sealConcurrency',
] as const;
type Name = (typeof OPTION_NAMES)[number];

const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
const HOST = `(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--${LABEL})`;
/** In ASCII, as SES and SNS want it. */
const ADDRESS = `[!#-;=?A-~]+@${HOST}`;
const TWO_ZONES = /^((?:[a-z]+-)+\d+)([a-z]),\1(?!\2)[a-z]$/;

/** `cdk acknowledge` and `cdk cli-telemetry` write these into `cdk.context.json`. */
const CDK_SETTINGS = ['acknowledged-issue-numbers', 'cli-telemetry'];

/** The CDK keeps its own flags, look-ups and settings in the same context. */
const isCdkContext = (name: string) => /[@:]/.test(name) || CDK_SETTINGS.includes(name);

export function readOptions(node: Node): Options {
  const context: Record<string, unknown> = node.getAllContext();
  for (const name of Object.keys(context)) {
    if (!isCdkContext(name) && !OPTION_NAMES.some((known) => known === name))
      throw new OptionError(`There is no option "${name}". The options are: ${OPTION_NAMES.join(', ')}.`);
  }

  const given = (name: Name): string | undefined => {
    const value = context[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new OptionError(`The option "${name}" must be text.`);
    // Probably an unset shell variable. The default could replace what is deployed.
    if (value === '')
      throw new OptionError(`The option "${name}" is empty: give it a value, or leave it out.`);
    return value;
  };
  const matching = (name: Name, pattern: RegExp, what: string): string | undefined => {
    const value = given(name);
    if (value !== undefined && !pattern.test(value))
      throw new OptionError(`The option "${name}" must be ${what}, not "${value}".`);
    return value;
  };
  const choice = <const C extends string>(name: Name, choices: readonly C[], fallback: C): C => {
    const value = given(name) ?? fallback;
    const chosen = choices.find((candidate) => candidate === value);
    if (chosen === undefined)
      throw new OptionError(`The option "${name}" must be ${choices.join(' or ')}, not "${value}".`);
    return chosen;
  };

  const stage = choice('stage', ['dev', 'prod'], 'prod');
  const domain = readDomain(matching);
  const [firstZone, secondZone] =
    matching(
      'availabilityZones',
      TWO_ZONES,
      'two different availability zones of one region, such as eu-west-1a,eu-west-1b',
    )?.split(',') ?? [];
  const sealConcurrency = readSealConcurrency(matching);
  const table = matching('table', /^[\w.-]{3,255}$/, 'the name of a table');
  const mailFrom = matching(
    'mailFrom',
    new RegExp(`^(?:${ADDRESS}|[^@<>"\\r\\n]+ <${ADDRESS}>)$`, 'i'),
    'a mail address in ASCII, such as sign@example.com or Acme <sign@example.com>',
  );
  const alarmMail = matching(
    'alarmMail',
    new RegExp(`^${ADDRESS}$`, 'i'),
    'a mail address in ASCII, such as ops@example.com',
  );
  return {
    stage,
    stackName:
      matching(
        'stackName',
        // KMS keeps the aliases that begin so for AWS.
        /^(?!aws$)[a-z][a-z0-9-]{0,39}$/i,
        'a letter followed by up to 39 letters, digits or dashes, but not aws',
      ) ?? (stage === 'prod' ? 'signature-requests' : 'signature-requests-dev'),
    // As SES names identities.
    mailFrom: mailFrom?.replace(/@.+/, (host) => host.toLowerCase()) ?? PLACEHOLDER_SENDER,
    ...(domain && { domain }),
    largeUploads: choice('largeUploads', ['on', 'off'], stage === 'prod' ? 'on' : 'off') === 'on',
    ...(firstZone && secondZone && { availabilityZones: [firstZone, secondZone] }),
    localWebhooks: choice('localWebhooks', ['on', 'off'], 'off') === 'on',
    ...(table && { table }),
    sealKey: choice('sealKey', ['secret', 'rsa', 'ec'], 'secret'),
    sealLevel: choice('sealLevel', SEAL_LEVELS, 'B-T'),
    reservedConcurrency: readReservations(matching, sealConcurrency),
    sealConcurrency,
    ...(alarmMail && { alarmMail }),
  };
}

type Matching = (name: Name, pattern: RegExp, what: string) => string | undefined;

function readDomain(matching: Matching): Options['domain'] {
  const name = matching('domain', new RegExp(`^${HOST}$`), 'a host name in lower case');
  const certificateArn = matching(
    'certificateArn',
    /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
    'the ARN of a certificate in us-east-1, as CloudFront requires',
  );
  const hostedZoneId = matching('hostedZoneId', /^Z[A-Z0-9]{5,31}$/, 'the id of a Route 53 hosted zone');
  if (!name && (certificateArn || hostedZoneId))
    throw new OptionError('The options "certificateArn" and "hostedZoneId" need "domain".');
  if (!name) return undefined;
  if (!certificateArn)
    throw new OptionError(
      'The option "domain" needs "certificateArn", a certificate for that name in us-east-1.',
    );
  return { name, certificateArn, ...(hostedZoneId && { hostedZoneId }) };
}

function readReservations(matching: Matching, sealConcurrency: number): Options['reservedConcurrency'] {
  const one = `(?:${RESERVABLE.join('|')}):[1-9]\\d{0,3}`;
  const given = matching(
    'reservedConcurrency',
    new RegExp(`^${one}(?:,${one})*$`),
    `a list like "create-signature:20,seal:20,signing:10" of ${RESERVABLE.join(', ')}`,
  );
  const pairs = (given?.split(',') ?? []).map((text) => text.split(':'));
  const reservations: Options['reservedConcurrency'] = Object.fromEntries(
    pairs.map(([name = '', count]) => [name, Number(count)]),
  );
  if (Object.keys(reservations).length < pairs.length)
    throw new OptionError('The option "reservedConcurrency" names a function twice.');
  // Otherwise the queue starts more functions than may run, and throttled messages become dead letters.
  if (reservations.seal !== undefined && reservations.seal < sealConcurrency)
    throw new OptionError(
      `The option "reservedConcurrency" must give seal at least ${sealConcurrency}, as many as its queue starts.`,
    );
  return reservations;
}

function readSealConcurrency(matching: Matching): number {
  const { min, max } = CONCURRENCY;
  const what = `a number from ${min} to ${max}`;
  const count = Number(matching('sealConcurrency', /^\d{1,4}$/, what) ?? DEFAULT_SEAL_CONCURRENCY);
  if (count < min || count > max)
    throw new OptionError(`The option "sealConcurrency" must be ${what}, not "${count}".`);
  return count;
}

/** The address in `Name <address>`. */
export const senderAddress = (mailFrom: string): string => mailFrom.match(/<(.+)>$/)?.[1] ?? mailFrom;
