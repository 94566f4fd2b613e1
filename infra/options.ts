import type { Node } from 'constructs';

/** What a deployer chooses with `-c name=value`. `docs/deploy.md` explains each. */
export interface Options {
  /** prod keeps data and guards the edge; dev is cheap and leaves nothing behind but its data. */
  readonly stage: 'dev' | 'prod';
  readonly stackName: string;
  /** Whom invitations come from, as a mail header has it: `sign@example.com` or `Acme <sign@example.com>`. */
  readonly mailFrom: string;
  /** An address of one's own instead of the distribution's. */
  readonly domain?: {
    readonly name: string;
    readonly certificateArn: string;
    readonly hostedZoneId?: string;
  };
  /**
   * Accept inline documents too large for the gateway, through the ingest. Off in dev, where its load balancer and task
   * would be most of the bill.
   */
  readonly largeUploads: boolean;
  /** Let webhooks go to this machine's own loopback: for the local run alone. */
  readonly localWebhooks: boolean;
  /** Where the key for seals is: in a secret (a PKCS#12 file), or in KMS as RSA or elliptic curve. */
  readonly sealKey: 'secret' | 'rsa' | 'ec';
  /** Where alarms are mailed to. */
  readonly alarmMail?: string;
}

export class OptionError extends Error {
  override name = 'OptionError';
}

export const PLACEHOLDER_SENDER = 'no-reply@example.com';

const NAMES = [
  'stage',
  'stackName',
  'mailFrom',
  'domain',
  'certificateArn',
  'hostedZoneId',
  'largeUploads',
  'localWebhooks',
  'sealKey',
  'alarmMail',
] as const;
type Name = (typeof NAMES)[number];

/** The CDK keeps its own flags and look-ups in the same place; their names hold one of these. */
const isOfTheCdk = (name: string) => /[@:]/.test(name);

export function readOptions(node: Node): Options {
  const context: Record<string, unknown> = node.getAllContext();
  for (const name of Object.keys(context)) {
    if (!isOfTheCdk(name) && !NAMES.some((known) => known === name))
      throw new OptionError(`There is no option "${name}". The options are: ${NAMES.join(', ')}.`);
  }

  const given = (name: Name): string | undefined => {
    const value = context[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw new OptionError(`The option "${name}" takes text.`);
    return value;
  };
  const matching = (name: Name, pattern: RegExp, what: string): string | undefined => {
    const value = given(name);
    if (value !== undefined && !pattern.test(value))
      throw new OptionError(`The option "${name}" takes ${what}, not "${value}".`);
    return value;
  };
  const choice = <const C extends string>(name: Name, choices: readonly C[], standard: C): C => {
    const value = given(name) ?? standard;
    const chosen = choices.find((candidate) => candidate === value);
    if (chosen === undefined)
      throw new OptionError(`The option "${name}" takes ${choices.join(' or ')}, not "${value}".`);
    return chosen;
  };

  const stage = choice('stage', ['dev', 'prod'], 'prod');
  const domain = readDomain(matching);
  const alarmMail = matching('alarmMail', /^[^\s@<>]+@[^\s@<>]+$/, 'a mail address');
  return {
    stage,
    stackName:
      matching(
        'stackName',
        /^[A-Za-z][A-Za-z0-9-]{0,39}$/,
        'a letter and up to 39 letters, digits and dashes',
      ) ?? (stage === 'prod' ? 'signature-requests' : 'signature-requests-dev'),
    mailFrom:
      matching('mailFrom', /^([^\s@<>]+@[^\s@<>]+|[^@<>"\r\n]+ <[^\s@<>]+@[^\s@<>]+>)$/, 'a mail address') ??
      PLACEHOLDER_SENDER,
    ...(domain && { domain }),
    largeUploads: choice('largeUploads', ['on', 'off'], stage === 'prod' ? 'on' : 'off') === 'on',
    localWebhooks: choice('localWebhooks', ['on', 'off'], 'off') === 'on',
    sealKey: choice('sealKey', ['secret', 'rsa', 'ec'], 'secret'),
    ...(alarmMail && { alarmMail }),
  };
}

type Matching = (name: Name, pattern: RegExp, what: string) => string | undefined;

function readDomain(matching: Matching): Options['domain'] {
  const name = matching('domain', /^([a-z0-9-]+\.)+[a-z]{2,}$/, 'a host name in lower case');
  const certificateArn = matching(
    'certificateArn',
    /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
    'the ARN of a certificate in us-east-1, where CloudFront looks for them',
  );
  const hostedZoneId = matching('hostedZoneId', /^Z[A-Z0-9]{5,31}$/, 'the id of a Route 53 hosted zone');
  if (!name && (certificateArn || hostedZoneId))
    throw new OptionError('The options "certificateArn" and "hostedZoneId" need "domain" beside them.');
  if (!name) return undefined;
  if (!certificateArn)
    throw new OptionError(
      'The option "domain" needs "certificateArn" beside it: a certificate for that name in us-east-1.',
    );
  return { name, certificateArn, ...(hostedZoneId && { hostedZoneId }) };
}

/** The bare address in `Name <address>`. */
export const senderAddress = (mailFrom: string): string => mailFrom.match(/<(.+)>$/)?.[1] ?? mailFrom;
