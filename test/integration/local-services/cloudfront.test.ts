import {
  CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  GetDistributionConfigCommand,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import type { DistributionSettings } from '../../../local/ports.ts';
import { account, allow, type Cloud, failure, startCloud } from './harness.ts';

let cloud: Cloud;
let client: CloudFrontClient;
const Id = 'E1ABC';

const settings = (value: string, more: Partial<DistributionSettings> = {}): DistributionSettings => ({
  id: Id,
  domain: 'd1abc.cloudfront.net',
  aliases: ['sign.example.com'],
  defaultRootObject: '',
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

/** The configuration as it was read, with another value of the header. */
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

it('A distribution is read whole and by its configuration alone, under the same version', async () => {
  const { Distribution, ETag } = await read();
  expect(Distribution).toMatchObject({
    Id,
    ARN: `arn:aws:cloudfront::${account}:distribution/${Id}`,
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
  const config = await client.send(new GetDistributionConfigCommand({ Id }));
  expect(config.ETag).toBe(ETag);
  expect(config.DistributionConfig).toEqual(Distribution?.DistributionConfig);
});

it('An update reaches some requests at once and all when it is deployed, under a new version', async () => {
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

it('An update of another version than the present one, or of none, is refused', async () => {
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

it('A configuration that changes or leaves out anything else is refused', async () => {
  const { ETag = '', Distribution } = await read();
  const config = withProof(Distribution?.DistributionConfig, 'new');
  const { Aliases: _, ...lacking } = config;
  for (const DistributionConfig of [lacking, { ...config, Enabled: false }]) {
    const call = client.send(new UpdateDistributionCommand({ Id, IfMatch: ETag, DistributionConfig }));
    expect(await failure(call)).toMatchObject({ name: 'InvalidArgument', status: 400 });
  }
  expect(sent()).toBe('old');
});

it('A header that was set stays while the template is the same, and gives way to a new template', async () => {
  await update('new');
  cloud.clock.advance(10);
  await cloud.services.createDistribution(settings('what the template gave first'));
  expect(sent()).toBe('new');
  await cloud.services.createDistribution(settings('newest', { template: 'second' }));
  expect(sent()).toBe('newest');
});

it('Only who may read and change the distribution does, and of others there is none', async () => {
  const reader = new CloudFrontClient(
    cloud.caller(
      'reader',
      allow('cloudfront:GetDistribution', `arn:aws:cloudfront::${account}:distribution/${Id}`),
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
