import {
  CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import type { DistributionSettings } from '../../../local/ports.ts';
import { ACCOUNT, allow, type Cloud, failure, startCloud } from './harness.ts';

let cloud: Cloud;
let client: CloudFrontClient;
const Id = 'E1ABC';

const settings = (value: string, more: Partial<DistributionSettings> = {}): DistributionSettings => ({
  id: Id,
  domain: 'd1abc.cloudfront.net',
  aliases: ['sign.example.com'],
  origins: [
    { id: 'files', domain: 'files.s3.amazonaws.com', path: '', headers: {} },
    { id: 'api', domain: 'api.example.com', path: '/live', headers: { 'x-proof': value, 'x-fixed': 'a&b' } },
  ],
  defaultBehaviour: { originId: 'files' },
  behaviours: [{ pattern: '/api/*', originId: 'api' }],
  template: 'first',
  ...more,
});

beforeEach(async () => {
  cloud = await startCloud();
  client = new CloudFrontClient(cloud.operator);
  await cloud.services.createDistribution(settings('old'));
});
afterEach(() => cloud.stop());

const sent = () => cloud.services.originHeaders(Id, 'api')['x-proof'];
const read = () => client.send(new GetDistributionCommand({ Id }));

/** The given configuration with a new value of the header. */
function withProof(config: DistributionConfig | undefined, value: string): DistributionConfig {
  if (!config) throw new Error('There is no configuration.');
  const changed = structuredClone(config);
  const headers = changed.Origins?.Items?.find((origin) => origin.Id === 'api')?.CustomHeaders?.Items ?? [];
  for (const header of headers) if (header.HeaderName === 'x-proof') header.HeaderValue = value;
  return changed;
}

async function update(value: string) {
  const { ETag, Distribution } = await read();
  const DistributionConfig = withProof(Distribution?.DistributionConfig, value);
  return client.send(
    new UpdateDistributionCommand({ Id, ...(ETag && { IfMatch: ETag }), DistributionConfig }),
  );
}

it('a distribution is read with its origins and behaviours', async () => {
  const { Distribution } = await read();
  expect(Distribution).toMatchObject({
    Id,
    ARN: `arn:aws:cloudfront::${ACCOUNT}:distribution/${Id}`,
    Status: 'Deployed',
    DomainName: 'd1abc.cloudfront.net',
    DistributionConfig: {
      Aliases: { Quantity: 1, Items: ['sign.example.com'] },
      Origins: {
        Quantity: 2,
        Items: [
          { Id: 'files', CustomHeaders: { Quantity: 0 } },
          {
            Id: 'api',
            OriginPath: '/live',
            CustomHeaders: {
              Quantity: 2,
              Items: [
                { HeaderName: 'x-proof', HeaderValue: 'old' },
                { HeaderName: 'x-fixed', HeaderValue: 'a&b' },
              ],
            },
          },
        ],
      },
      CacheBehaviors: { Items: [{ PathPattern: '/api/*', TargetOriginId: 'api' }] },
    },
  });
});

/** @behaviour cloudfront.update */
it('an update changes some requests at once, all when it is deployed, and the ETag', async () => {
  const before = await read();
  const { Distribution, ETag } = await update('new');
  expect(Distribution?.Status).toBe('InProgress');
  expect(ETag).not.toBe(before.ETag);
  expect(new Set([sent(), sent(), sent(), sent()])).toEqual(new Set(['old', 'new']));
  cloud.clock.advance(10);
  client = new CloudFrontClient(cloud.operator);
  const after = await read();
  expect(after).toMatchObject({ ETag, Distribution: { Status: 'Deployed' } });
  expect([sent(), sent()]).toEqual(['new', 'new']);
  expect(cloud.services.originHeaders(Id, 'api')['x-fixed']).toBe('a&b');
});

it('an update without the current ETag is refused', async () => {
  const { ETag, Distribution } = await read();
  await update('new');
  const DistributionConfig = withProof(Distribution?.DistributionConfig, 'late');
  const withVersion = (version: { IfMatch?: string }) =>
    failure(client.send(new UpdateDistributionCommand({ Id, ...version, DistributionConfig })));
  expect(await withVersion({ IfMatch: ETag ?? '' })).toMatchObject({
    name: 'PreconditionFailed',
    status: 412,
  });
  expect(await withVersion({})).toMatchObject({ name: 'InvalidIfMatchVersion', status: 400 });
  cloud.clock.advance(10);
  expect(sent()).toBe('new');
});

it('an update that changes or omits anything but headers is refused', async () => {
  const { ETag = '', Distribution } = await read();
  const config = withProof(Distribution?.DistributionConfig, 'new');
  const { Aliases: _, ...lacking } = config;
  for (const DistributionConfig of [lacking, { ...config, Enabled: false }]) {
    const call = client.send(new UpdateDistributionCommand({ Id, IfMatch: ETag, DistributionConfig }));
    expect(await failure(call)).toMatchObject({ name: 'InvalidArgument', status: 400 });
  }
  expect(sent()).toBe('old');
});

it('a header set by a call survives a deployment of the same template, not of a new one', async () => {
  await update('new');
  cloud.clock.advance(10);
  await cloud.services.createDistribution(settings('value of the first template'));
  expect(sent()).toBe('new');
  await cloud.services.createDistribution(settings('newest', { template: 'second' }));
  expect(sent()).toBe('newest');
});

it('IAM statements apply to a distribution by its ARN, and an unknown id is not found', async () => {
  const reader = new CloudFrontClient(
    cloud.caller(
      'reader',
      allow('cloudfront:GetDistribution', `arn:aws:cloudfront::${ACCOUNT}:distribution/${Id}`),
    ),
  );
  const { ETag = '', Distribution } = await reader.send(new GetDistributionCommand({ Id }));
  const DistributionConfig = withProof(Distribution?.DistributionConfig, 'new');
  const change = reader.send(new UpdateDistributionCommand({ Id, IfMatch: ETag, DistributionConfig }));
  expect(await failure(change)).toMatchObject({ name: 'AccessDenied', status: 403 });
  expect(await failure(client.send(new GetDistributionCommand({ Id: 'E2' })))).toMatchObject({
    name: 'NoSuchDistribution',
    status: 404,
  });
});
