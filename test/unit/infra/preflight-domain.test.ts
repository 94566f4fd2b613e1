import { Resolver } from 'node:dns/promises';
import { type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import {
  GetHostedZoneCommand,
  type HostedZone,
  ListResourceRecordSetsCommand,
} from '@aws-sdk/client-route-53';
import { jest } from '@jest/globals';
import { acm, deployed, readyAccount, report, route53 } from './ready-account.ts';
import { OPTIONS } from './template.ts';

beforeEach(readyAccount);

describe('the custom domain', () => {
  const { domain: NAME, certificateArn, hostedZoneId } = OPTIONS;
  const DOMAIN = { domain: NAME, certificateArn, hostedZoneId };
  const certificate = (of: CertificateDetail) =>
    acm
      .on(DescribeCertificateCommand, { CertificateArn: certificateArn })
      .resolves({ Certificate: { Status: 'ISSUED', SubjectAlternativeNames: [NAME], ...of } });
  const zone = (of: Partial<HostedZone>) =>
    route53
      .on(GetHostedZoneCommand, { Id: hostedZoneId })
      .resolves({ HostedZone: { Id: 'Z', CallerReference: 'r', Name: 'example.org.', ...of } });
  const record = (Name: string, Type: 'A' | 'MX' | 'NS') =>
    route53.on(ListResourceRecordSetsCommand).resolves({
      ResourceRecordSets: [{ Name, Type }],
      IsTruncated: false,
      MaxItems: 300,
    });

  const cname = jest.spyOn(Resolver.prototype, 'resolveCname');
  const NO_CNAME = Object.assign(new Error('queryCname ENODATA'), { code: 'ENODATA' });
  afterAll(() => cname.mockRestore());

  beforeEach(() => {
    certificate({});
    zone({});
    record('www.example.org.', 'A');
    cname.mockReset().mockRejectedValue(NO_CNAME);
  });

  it.each([
    [{ SubjectAlternativeNames: ['example.org', NAME] }, 'example.org.'],
    [{ SubjectAlternativeNames: ['*.example.org'] }, `${NAME}.`],
  ])('a certificate %j and the zone %s fit', async (of, Name) => {
    certificate(of);
    zone({ Name });
    const { ready, text } = await report(DOMAIN);
    expect(ready).toBe(true);
    expect(text).toContain(`ok        Domain: The certificate is for ${NAME}.`);
    expect(text).toContain(`ok        Domain: The deployment sets the records of ${NAME}.`);
  });

  const ANOTHER = `aws acm request-certificate --domain-name ${NAME}`;
  it.each<[CertificateDetail, string, string]>([
    [
      { Status: 'PENDING_VALIDATION' },
      'The certificate is PENDING_VALIDATION.',
      `aws acm describe-certificate --certificate-arn ${certificateArn}`,
    ],
    [{ Status: 'EXPIRED' }, 'The certificate is EXPIRED.', ANOTHER],
    [
      { SubjectAlternativeNames: ['example.org', '*.a.example.org'] },
      'The certificate is for example.org, *.a',
      ANOTHER,
    ],
  ])('a certificate that does not serve the domain is stopped: %j', async (of, sentence, command) => {
    certificate(of);
    const { ready, text } = await report(DOMAIN);
    expect(ready).toBe(false);
    expect(text).toContain(`STOP      Domain: ${sentence}`);
    expect(text).toContain(`${command} `);
  });

  it.each<[Partial<HostedZone>, string]>([
    [{ Name: 'ample.org.' }, `The zone is that of ample.org, to which ${NAME} does not belong.`],
    [{ Config: { PrivateZone: true } }, 'The zone of example.org is private.'],
  ])('a zone that is not the domain’s is stopped: %j', async (of, sentence) => {
    zone(of);
    const { ready, text } = await report(DOMAIN);
    expect(ready).toBe(false);
    expect(text).toContain(`STOP      Domain: ${sentence}`);
  });

  it('a zone of another account is stopped, one that the credentials may not read stays unchecked', async () => {
    const refuse = (message: string) =>
      route53
        .on(GetHostedZoneCommand)
        .rejects(
          Object.assign(new Error(`User: arn:me is not authorized to ${message}`), { name: 'AccessDenied' }),
        );
    certificate({});
    refuse('access this resource');
    const { ready, text } = await report(DOMAIN);
    expect(ready).toBe(false);
    expect(text).toContain(`STOP      Domain: The zone ${hostedZoneId} belongs to another account`);
    expect(text).toContain(`ok        Domain: The certificate is for ${NAME}.`);
    refuse('perform: route53:GetHostedZone on resource: arn:zone');
    expect((await report(DOMAIN)).text).toContain('UNCHECKED Domain: AccessDenied');
  });

  it('a certificate and a zone that are not there are stopped', async () => {
    const missing = (name: string) => Object.assign(new Error('There is none.'), { name });
    acm.on(DescribeCertificateCommand).rejects(missing('ResourceNotFoundException'));
    route53.on(GetHostedZoneCommand).rejects(missing('NoSuchHostedZone'));
    const { text } = await report(DOMAIN);
    expect(text).toContain('STOP      Domain: The certificate does not exist.');
    expect(text).toContain('STOP      Domain: The zone Z0123456789 does not exist.');
  });

  it('records of the domain that something else made are stopped, those of the stack are not', async () => {
    record(`${NAME}.`, 'A');
    const other = await report(DOMAIN);
    expect(other.ready).toBe(false);
    expect(other.text).toContain(`STOP      Domain: ${NAME} has records already: A.`);
    deployed({ resources: { 'AWS::Route53::RecordSet': [NAME] } });
    expect((await report(DOMAIN)).ready).toBe(true);
  });

  it('a domain that its zone leaves to another zone is stopped: nobody would ask for its records', async () => {
    record(`${NAME}.`, 'NS');
    const { ready, text } = await report(DOMAIN);
    expect(ready).toBe(false);
    expect(text).toContain(`STOP      Domain: The zone of example.org leaves ${NAME} to a zone of its own`);
    zone({ Name: `${NAME}.` });
    expect((await report(DOMAIN)).ready).toBe(true);
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    [
      'no domain',
      {},
      `STOP      Domain: signature-requests is at ${NAME}, which this deployment would take away`,
    ],
    [
      'another domain',
      { ...DOMAIN, domain: 'other.example.org' },
      `STOP      Domain: signature-requests is at ${NAME}, which this deployment would take away`,
    ],
    [
      'no zone',
      { domain: NAME, certificateArn },
      `STOP      Domain: The stack has the records of ${NAME}, which this deployment would delete.`,
    ],
    ['the same options', DOMAIN, undefined],
  ])(
    'a deployment with %s is stopped if it would take the domain or its records away',
    async (_what, options, line) => {
      deployed({
        outputs: { BaseUrl: `https://${NAME}` },
        resources: { 'AWS::Route53::RecordSet': [NAME] },
      });
      const { ready, text } = await report(options);
      expect(ready).toBe(line === undefined);
      if (line) expect(text).toContain(line);
    },
  );

  it('a stack at the distribution’s own address may get a domain, which takes nothing away', async () => {
    deployed({ outputs: { BaseUrl: 'https://d111111abcdef8.cloudfront.net' } });
    expect((await report(DOMAIN)).ready).toBe(true);
    expect((await report()).ready).toBe(true);
  });

  it('a domain that leads to the distribution of a former stack is stopped: CloudFront refuses it for any other', async () => {
    const { hostedZoneId: _, ...elsewhere } = DOMAIN;
    cname.mockResolvedValue(['D222222abcdef8.cloudfront.net']);
    const { ready, text } = await report(elsewhere);
    expect(cname).toHaveBeenCalledWith(NAME);
    expect(ready).toBe(false);
    expect(text).toContain(`STOP      Domain: ${NAME} leads to d222222abcdef8.cloudfront.net`);
    deployed({ outputs: { BaseUrl: 'https://d111111abcdef8.cloudfront.net' } });
    expect((await report(elsewhere)).ready).toBe(false);
  });

  it.each([
    ['the distribution of the stack, which is to have it', 'https://d222222abcdef8.cloudfront.net'],
    ['the distribution of the stack, which has it already', `https://${NAME}`],
  ])('a domain may lead to %s', async (_what, BaseUrl) => {
    cname.mockResolvedValue(['d222222abcdef8.cloudfront.net']);
    deployed({ outputs: { BaseUrl } });
    expect((await report(DOMAIN)).ready).toBe(true);
  });

  it('a domain may lead to another host than CloudFront’s', async () => {
    cname.mockResolvedValue(['old.example.org']);
    expect((await report(DOMAIN)).ready).toBe(true);
  });

  it('mail records of the custom domain are ignored', async () => {
    record(`${NAME}.`, 'MX');
    expect((await report(DOMAIN)).ready).toBe(true);
  });

  it('without a zone, neither zone nor records are looked at', async () => {
    zone({ Name: 'elsewhere.org.' });
    const { hostedZoneId: _, ...rest } = DOMAIN;
    const { ready, text } = await report(rest);
    expect(ready).toBe(true);
    expect(text).toContain(`ok        Domain: Point ${NAME} at the distribution yourself.`);
  });
});
