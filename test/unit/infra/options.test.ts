import { App } from 'aws-cdk-lib';
import { readOptions, senderAddress } from '../../../infra/options.ts';

const read = (context: Record<string, unknown>) => readOptions(new App({ context }).node);

const DOMAIN = {
  domain: 'sign.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1a2b-3c',
};

describe('options of the stack', () => {
  it('are those of a production stack where nothing is given', () => {
    expect(read({})).toEqual({
      stage: 'prod',
      stackName: 'signature-requests',
      mailFrom: 'no-reply@example.com',
      largeUploads: true,
      localWebhooks: false,
      sealKey: 'secret',
    });
  });

  it('name a stack by its stage, so that both can stand in one account', () => {
    expect(read({ stage: 'dev' }).stackName).toBe('signature-requests-dev');
    expect(read({ stage: 'dev', stackName: 'acme-sign' }).stackName).toBe('acme-sign');
  });

  it('leave the CDK its own flags', () => {
    expect(() => read({ '@aws-cdk/core:anything': true, 'aws:cdk:path': 'x' })).not.toThrow();
  });

  it('take an own domain with its certificate, and its zone where given', () => {
    expect(read(DOMAIN).domain).toEqual({ name: 'sign.example.org', certificateArn: DOMAIN.certificateArn });
    expect(read({ ...DOMAIN, hostedZoneId: 'Z0123456789' }).domain).toMatchObject({
      hostedZoneId: 'Z0123456789',
    });
  });

  it.each([
    [{ stge: 'dev' }, 'There is no option "stge". The options are: stage, stackName,'],
    [{ stage: 'test' }, 'The option "stage" takes dev or prod, not "test".'],
    [{ largeUploads: 'no' }, 'The option "largeUploads" takes on or off, not "no".'],
    [{ largeUploads: false }, 'The option "largeUploads" takes text.'],
    [{ mailFrom: 'nobody' }, 'The option "mailFrom" takes a mail address, not "nobody".'],
    [{ mailFrom: 'A\r\nBcc: x <a@b.c>' }, 'The option "mailFrom" takes a mail address'],
    [
      { stackName: '1st' },
      'The option "stackName" takes a letter and up to 39 letters, digits and dashes, not "1st".',
    ],
    [{ domain: 'sign.example.org' }, 'The option "domain" needs "certificateArn" beside it'],
    [
      { certificateArn: DOMAIN.certificateArn },
      'The options "certificateArn" and "hostedZoneId" need "domain"',
    ],
    [
      { ...DOMAIN, certificateArn: DOMAIN.certificateArn.replace('us-east-1', 'eu-north-1') },
      'The option "certificateArn" takes the ARN of a certificate in us-east-1',
    ],
  ])('refuse %j with a sentence', (context, sentence) => {
    expect(() => read(context)).toThrow(sentence);
  });

  it('take a sender with or without a name', () => {
    const { mailFrom } = read({ mailFrom: 'Acme Oy <sign@acme.example>' });
    expect(senderAddress(mailFrom)).toBe('sign@acme.example');
    expect(senderAddress('sign@acme.example')).toBe('sign@acme.example');
  });
});
