/** @behaviour sdk.time-outs iam.evaluation ses.sandbox sns.publish-permission cloudfront.vpc-origin */

import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Change,
  assemblyWith as changedAssembly,
  copyOfAssembly,
} from '../../support/changed-assembly.ts';
import { assemblyFolder } from '../../support/run-folder.ts';
import { Service } from '../../support/service.ts';
import { someOf } from '../../support/thorough.ts';

/**
 * Faults that CloudFormation deploys without a word, each put back into the template. Either the local cloud refuses to
 * start, or the smoke test fails; both have to say which part it is.
 */

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const kept = (folder: string): string => {
  folders.push(folder);
  return folder;
};
const assemblyWith = (change: Change, folder = copyOfAssembly()): string =>
  kept(changedAssembly(change, folder));

/** The same stack, whose functions have other text in their code. */
function assemblyWithCode(from: string, to: string): string {
  const folder = kept(copyOfAssembly());
  const files = globSync('asset.*/index.mjs', { cwd: folder }).map((name) => join(folder, name));
  const changed = files.filter((file) => {
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replaceAll(from, to));
    return before.includes(from);
  });
  expect(changed.length).toBeGreaterThan(0);
  return folder;
}

/** Replaces text in the properties of resources of this type. */
const replacing =
  (type: string, from: string | RegExp, to: string): Change =>
  (resource) => {
    const before = JSON.stringify(resource.Properties ?? {});
    const after = before.replaceAll(from, to);
    if (resource.Type !== type || after === before) return false;
    resource.Properties = JSON.parse(after);
    return true;
  };

/** Gives a function so many seconds for a call. */
const withTimeLimit =
  (idPart: string, seconds: number): Change =>
  ({ Type, Properties }, id) => {
    if (Type !== 'AWS::Lambda::Function' || !id.includes(idPart)) return false;
    Properties.Timeout = seconds;
    return true;
  };

/** Removes the statements with this text from policies of this type. */
const withoutStatement =
  (type: string, text: string, idPart = ''): Change =>
  (resource, id) => {
    if (resource.Type !== type || !id.includes(idPart)) return false;
    let removed = false;
    const lists = JSON.stringify(resource.Properties, (name, value) => {
      if (name !== 'Statement' || !Array.isArray(value)) return value;
      const kept = value.filter((statement) => !JSON.stringify(statement).includes(text));
      removed ||= kept.length < value.length;
      return kept;
    });
    if (removed) resource.Properties = JSON.parse(lists);
    return removed;
  };

/** The lines of the smoke test, run as `npm run smoke` does. */
const smoke = ({ baseUrl }: Service, key: string): Promise<string[]> =>
  new Promise((resolve) => {
    const args = ['test/smoke/main.ts', '--base-url', baseUrl, '--signer', 'smoke@example.com'];
    execFile(
      process.execPath,
      args,
      { env: { ...process.env, SMOKE_API_KEY: key } },
      (error, stdout, stderr) =>
        resolve([...stdout.split('\n').slice(0, -1), ...(stderr ? [stderr] : []), `exit ${error ? 1 : 0}`]),
    );
  });

describe('a fault of the network or of the alarms', () => {
  it.each<[string, Change, RegExp]>([
    [
      'a load balancer that does not let in CloudFront',
      replacing(
        'AWS::EC2::SecurityGroupIngress',
        /"SourcePrefixListId":\{[^}]*\}/g,
        '"CidrIp":"10.0.0.0/16"',
      ),
      /CloudFront cannot reach .*no security group of it lets in the prefix list/,
    ],
    [
      'a topic that does not let CloudWatch publish',
      withoutStatement('AWS::SNS::TopicPolicy', 'cloudwatch.amazonaws.com'),
      /The alarm .* reaches nobody: the policy of .* does not let cloudwatch\.amazonaws\.com publish/,
    ],
  ])('%s stops the start', async (_what, change, sentence) => {
    await expect(Service.start({ assembly: assemblyWith(change) })).rejects.toThrow(sentence);
  });
});

describe('a fault of a part that serves calls', () => {
  const FAULTS: [string, Change, RegExp][] = [
    [
      'an SES grant for the sender’s identity alone, in the sandbox',
      replacing('AWS::IAM::Role', ':identity/*', ':identity/no-reply@example.com'),
      /^FAILED Its invitation is accepted by SES: .*check the option mailFrom, its identity in SES, and whether/,
    ],
    [
      'a distribution that sends another origin secret',
      replacing('AWS::CloudFront::Distribution', '{{resolve:secretsmanager:', 'another'),
      /^FAILED The service and its database respond: .*403/,
    ],
    [
      'an ingest that may not call the function',
      withoutStatement('AWS::IAM::Policy', 'lambda:InvokeFunction', 'Ingest'),
      /^FAILED A document of 5 MB is accepted inline .*check the ingest/,
    ],
    [
      'uploads that may not be stored',
      withoutStatement('AWS::IAM::Role', 's3:PutObject', 'CreateUpload'),
      /^FAILED A document of 5 MB is accepted as an upload: .*check .*the staging bucket/,
    ],
    [
      'a page that the distribution may not read',
      withoutStatement('AWS::S3::BucketPolicy', 'cloudfront.amazonaws.com', 'Page'),
      /^FAILED The page has the security headers: .*check the deployment of the page/,
    ],
    [
      'a list that may not query its index',
      withoutStatement('AWS::IAM::Role', '/index/byOwner', 'ListSignatures'),
      /^FAILED The key is accepted: .*500/,
    ],
  ];

  it.each(someOf(FAULTS, 3))(
    '%s turns the smoke test red, which says where to look',
    async (_what, change, line) => {
      const service = await Service.start({ assembly: assemblyWith(change) });
      try {
        const { apiKey } = await service.client();
        const lines = await smoke(service, apiKey);
        expect(lines.at(-1)).toBe('exit 1');
        const failed = lines.filter((each) => each.startsWith('FAILED'));
        expect(failed.filter((each) => line.test(each))).not.toEqual([]);
      } finally {
        await service.stop();
      }
    },
    120_000,
  );

  it('without the SDK’s time-outs a stalled call to the table is waited for, and the smoke test says which', async () => {
    const failedWith = async (assembly: string) => {
      const service = await Service.start({ assembly });
      try {
        const { apiKey } = await service.client();
        service.fault({
          service: 'dynamodb',
          operation: 'Query',
          function: 'get-signature',
          after: 1,
          effect: 'delay',
          ms: 30_000,
        });
        return (await smoke(service, apiKey)).filter((line) => line.startsWith('FAILED'));
      } finally {
        await service.stop();
      }
    };
    // Both mostly wait: one for the SDK's limit, the other for the function's, which is shortened.
    const withoutTimeOuts = assemblyWith(
      withTimeLimit('GetSignature', 6),
      assemblyWithCode('throwOnRequestTimeout:!0', 'throwOnRequestTimeout:!1'),
    );
    expect(await Promise.all([assemblyFolder(), withoutTimeOuts].map(failedWith))).toEqual([
      [],
      [expect.stringMatching(/^FAILED It can be fetched: .*get-signature/)],
    ]);
  }, 180_000);
});
