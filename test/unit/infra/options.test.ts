import { readFileSync } from 'node:fs';
import type * as cdk from 'aws-cdk-lib';
import { readOptions, senderAddress } from '../../../infra/options.ts';
import { loadOnce } from '../../support/load-once.ts';

const { App } = loadOnce<typeof cdk>('aws-cdk-lib');
const read = (context: Record<string, unknown>) => readOptions(new App({ context }).node);

const DOMAIN = {
  domain: 'sign.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1a2b-3c',
};

describe('the options of the stack', () => {
  it('options default to a production stack', () => {
    expect(read({})).toEqual({
      stage: 'prod',
      stackName: 'signature-requests',
      mailFrom: 'no-reply@example.com',
      largeUploads: true,
      localWebhooks: false,
      sealKey: 'secret',
      sealLevel: 'B-T',
      reservedConcurrency: {},
      sealConcurrency: 20,
    });
  });

  it('the stack name depends on the stage, so that both stages fit in one account', () => {
    expect(read({ stage: 'dev' }).stackName).toBe('signature-requests-dev');
    expect(read({ stage: 'dev', stackName: 'acme-sign' }).stackName).toBe('acme-sign');
  });

  it('seals have one of three levels', () => {
    expect(read({ sealLevel: 'B-LTA' }).sealLevel).toBe('B-LTA');
    expect(() => read({ sealLevel: 'LTA' })).toThrow(
      'The option "sealLevel" must be B-T or B-LT or B-LTA, not "LTA".',
    );
  });

  it('the CDK’s own flags are ignored', () => {
    expect(read({ '@aws-cdk/core:anything': true, 'aws:cdk:path': 'x' })).toEqual(read({}));
  });

  it('what the CDK’s own commands write into the context is ignored: a notice acknowledged, telemetry switched off', () => {
    const toolkit = readFileSync('node_modules/aws-cdk/lib/cli/cdk-toolkit.js', 'utf8');
    const written = [...toolkit.matchAll(/\bcontext\.set\('([^']+)'/g)].map(([, name = '']) => name);
    expect(written).toContain('acknowledged-issue-numbers');
    for (const name of written) expect(read({ [name]: [34892] })).toEqual(read({}));
  });

  it('a custom domain may be of an internationalized top-level domain', () => {
    expect(read({ ...DOMAIN, domain: 'sign.xn--p1ai' }).domain).toMatchObject({ name: 'sign.xn--p1ai' });
  });

  it('a custom domain needs a certificate and may have a hosted zone', () => {
    expect(read(DOMAIN).domain).toEqual({ name: 'sign.example.org', certificateArn: DOMAIN.certificateArn });
    expect(read({ ...DOMAIN, hostedZoneId: 'Z0123456789' }).domain).toMatchObject({
      hostedZoneId: 'Z0123456789',
    });
  });

  it('the option reservedConcurrency gives each function a number', () => {
    expect(
      read({ reservedConcurrency: 'create-signature:20,seal:20,signing:10' }).reservedConcurrency,
    ).toEqual({
      'create-signature': 20,
      seal: 20,
      signing: 10,
    });
  });

  it('the option sealConcurrency is a number', () => {
    expect(read({ sealConcurrency: '2' }).sealConcurrency).toBe(2);
    expect(read({ sealConcurrency: '1000' }).sealConcurrency).toBe(1_000);
  });

  it('the domain of the sender is in lower case, as SES names identities, and the rest stays as given', () => {
    expect(read({ mailFrom: 'Sign@Acme.Example' }).mailFrom).toBe('Sign@acme.example');
    expect(read({ mailFrom: 'ACME <Sign@Acme.Example>' }).mailFrom).toBe('ACME <Sign@acme.example>');
  });

  it('the option availabilityZones names two zones', () => {
    expect(read({ availabilityZones: 'eu-west-1a,eu-west-1c' }).availabilityZones).toEqual([
      'eu-west-1a',
      'eu-west-1c',
    ]);
  });

  it.each([
    [{ stge: 'dev' }, 'There is no option "stge". The options are: stage, stackName,'],
    [{ stage: 'test' }, 'The option "stage" must be dev or prod, not "test".'],
    [{ largeUploads: 'no' }, 'The option "largeUploads" must be on or off, not "no".'],
    [{ largeUploads: false }, 'The option "largeUploads" must be text.'],
    [{ table: '' }, 'The option "table" is empty: give it a value, or leave it out.'],
    [{ sealLevel: '' }, 'The option "sealLevel" is empty'],
    [
      { mailFrom: 'nobody' },
      'The option "mailFrom" must be a mail address in ASCII, such as sign@example.com or Acme <sign@example.com>, not "nobody".',
    ],
    [{ mailFrom: 'sign@müller.example' }, 'The option "mailFrom" must be a mail address'],
    [{ mailFrom: 'Acme <sign@acme>' }, 'The option "mailFrom" must be a mail address'],
    [{ alarmMail: 'ops@acme..example' }, 'The option "alarmMail" must be a mail address'],
    [{ alarmMail: 'ops@-acme.example' }, 'The option "alarmMail" must be a mail address'],
    [{ mailFrom: 'A\r\nBcc: x <a@b.c>' }, 'The option "mailFrom" must be a mail address'],
    [
      { stackName: '1st' },
      'The option "stackName" must be a letter followed by up to 39 letters, digits or dashes, but not aws, not "1st".',
    ],
    ...['aws', 'AWS'].map((stackName): [Record<string, string>, string] => [
      { stackName },
      `must be a letter followed by up to 39 letters, digits or dashes, but not aws, not "${stackName}".`,
    ]),
    [
      { reservedConcurrency: '10' },
      'The option "reservedConcurrency" must be a list like "create-signature:20,',
    ],
    [{ reservedConcurrency: 'sweep:1' }, 'of create-signature, seal, signing, not "sweep:1".'],
    [{ reservedConcurrency: 'seal:0' }, 'The option "reservedConcurrency" must be'],
    [{ sealConcurrency: '1' }, 'The option "sealConcurrency" must be a number from 2 to 1000, not "1".'],
    [{ sealConcurrency: '1001' }, 'must be a number from 2 to 1000, not "1001".'],
    [{ sealConcurrency: 'many' }, 'The option "sealConcurrency" must be a number from 2 to 1000'],
    [{ reservedConcurrency: 'seal:5,seal:6' }, 'The option "reservedConcurrency" names a function twice.'],
    [{ reservedConcurrency: 'seal:19' }, 'must give seal at least 20, as many as its queue starts.'],
    [{ reservedConcurrency: 'seal:49', sealConcurrency: '50' }, 'must give seal at least 50'],
    [
      { availabilityZones: 'eu-west-1a,eu-west-1a' },
      'The option "availabilityZones" must be two different availability zones of one region',
    ],
    ...['euw1-az1,euw1-az2', 'eu-west-1a,us-east-1b', 'eu-west-1a, eu-west-1b', 'a,b'].map(
      (availabilityZones): [Record<string, string>, string] => [
        { availabilityZones },
        'must be two different availability zones of one region, such as eu-west-1a,eu-west-1b, not',
      ],
    ),
    ...['-sign.example.org', 'sign-.example.org', `${'x'.repeat(64)}.example.org`, 'sign.example.-org'].map(
      (domain): [Record<string, string>, string] => [
        { ...DOMAIN, domain },
        'The option "domain" must be a host name in lower case',
      ],
    ),
    [{ domain: 'sign.example.org' }, 'The option "domain" needs "certificateArn", a certificate'],
    [
      { certificateArn: DOMAIN.certificateArn },
      'The options "certificateArn" and "hostedZoneId" need "domain"',
    ],
    [
      { ...DOMAIN, certificateArn: DOMAIN.certificateArn.replace('us-east-1', 'eu-north-1') },
      'The option "certificateArn" must be the ARN of a certificate in us-east-1',
    ],
  ])('the options %j are refused with an explanation', (context, sentence) => {
    expect(() => read(context)).toThrow(sentence);
  });

  it('the sender may have a name', () => {
    const { mailFrom } = read({ mailFrom: 'Acme Oy <sign@acme.example>' });
    expect(senderAddress(mailFrom)).toBe('sign@acme.example');
    expect(senderAddress('sign@acme.example')).toBe('sign@acme.example');
  });
});
