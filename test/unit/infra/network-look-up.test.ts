import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { listenHere, originOf } from '../../support/loopback.ts';
import { resources, template } from './template.ts';

interface Answer {
  Status: 'SUCCESS' | 'FAILED';
  Reason?: string;
  Data?: Record<string, string>;
  StackId: string;
  PhysicalResourceId: string;
}

const CODE = readFileSync('infra/network-look-up.js', 'utf8');
const zone = (ZoneId: string, letter: string) => ({ ZoneId, ZoneName: `us-east-1${letter}` });

/** CloudFormation keeps each answer here, and says this status to it. */
const got: { method: string | undefined; type: string | undefined; answer: Answer }[] = [];
let status = 200;
const cloudFormation = createServer(async (request, response) => {
  const { method, headers } = request;
  got.push({ method, type: headers['content-type'], answer: (await json(request)) as Answer });
  response.writeHead(status).end();
});
beforeAll(() => listenHere(cloudFormation));
afterAll(() => cloudFormation.close());
afterEach(() => {
  got.length = 0;
  roles.length = 0;
  status = 200;
});

/** The roles that IAM was asked to make. */
const roles: object[] = [];

/**
 * Runs the function as Lambda does, with an EC2 that has these zones and an IAM that answers so, and returns what it tells
 * CloudFormation.
 */
async function lookUp(
  zones: { ZoneId: string; ZoneName: string }[],
  {
    RequestType = 'Create',
    prefixLists = [{ PrefixListId: 'pl-1' }],
    iam = async () => {},
    ...properties
  } = {},
): Promise<Answer> {
  class DescribeManagedPrefixListsCommand {}
  class DescribeAvailabilityZonesCommand {}
  class EC2Client {
    send = async (command: object) =>
      command instanceof DescribeAvailabilityZonesCommand
        ? { AvailabilityZones: zones }
        : { PrefixLists: prefixLists };
  }
  class CreateServiceLinkedRoleCommand {
    constructor(input: object) {
      roles.push(input);
    }
  }
  class IAMClient {
    send = iam;
  }
  const exports: { handler?: (event: object) => Promise<void> } = {};
  runInNewContext(CODE, {
    exports,
    require: () => ({
      EC2Client,
      DescribeAvailabilityZonesCommand,
      DescribeManagedPrefixListsCommand,
      IAMClient,
      CreateServiceLinkedRoleCommand,
    }),
    console: { log: () => {} },
    fetch,
  });
  await exports.handler?.({
    RequestType,
    ResponseURL: `${originOf(cloudFormation)}/answer`,
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Found',
    ResourceProperties: {
      PrefixListName: 'com.amazonaws.global.cloudfront.origin-facing',
      ExcludedZoneIds: ['use1-az3'],
      ...properties,
    },
  });
  const [sent] = got;
  if (!sent) throw new Error('CloudFormation got no answer.');
  return sent.answer;
}

describe('the look-up at deployment', () => {
  it('the look-up leaves out excluded zones, whatever their names in the account, and takes the first two by id', async () => {
    const zones = [
      zone('use1-az6', 'c'),
      zone('use1-az3', 'a'),
      zone('use1-az2', 'd'),
      zone('use1-az1', 'b'),
    ];
    expect(await lookUp(zones)).toMatchObject({
      Status: 'SUCCESS',
      Data: { PrefixListId: 'pl-1', Zone1: 'us-east-1b', Zone2: 'us-east-1d' },
      PhysicalResourceId: 'Found',
      StackId: 'stack',
    });
  });

  it('the look-up fails with advice if fewer than two zones suit', async () => {
    const { Status, Reason } = await lookUp([zone('use1-az3', 'a'), zone('use1-az1', 'b')]);
    expect(Status).toBe('FAILED');
    expect(Reason).toContain('-c availabilityZones');
  });

  it('the look-up needs no zones if the stack names its own', async () => {
    const { Data } = await lookUp([], { ExcludedZoneIds: undefined } as object);
    expect(Data).toEqual({ PrefixListId: 'pl-1' });
  });

  it('the look-up fails if the region lacks the prefix list', async () => {
    const zones = [zone('use1-az1', 'a'), zone('use1-az2', 'b')];
    expect(await lookUp(zones, { prefixLists: [] })).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('com.amazonaws.global.cloudfront.origin-facing'),
    });
  });

  it('the look-up creates the roles of ECS and of its scaling, which the first cluster of an account needs', async () => {
    await lookUp([zone('use1-az1', 'a'), zone('use1-az2', 'b')]);
    expect(roles).toEqual([
      { AWSServiceName: 'ecs.amazonaws.com' },
      { AWSServiceName: 'ecs.application-autoscaling.amazonaws.com' },
    ]);
  });

  it('the look-up succeeds if the roles exist already or may not be created', async () => {
    const answer = await lookUp([zone('use1-az1', 'a'), zone('use1-az2', 'b')], {
      iam: () =>
        Promise.reject(new Error('Service role name AWSServiceRoleForECS has been taken in this account')),
    });
    expect(answer).toMatchObject({ Status: 'SUCCESS', Data: { PrefixListId: 'pl-1', Zone1: 'us-east-1a' } });
  });

  it('deleting the stack succeeds without a look-up', async () => {
    const answer = await lookUp([], { RequestType: 'Delete' });
    expect(answer.Status).toBe('SUCCESS');
    expect(answer.Data).toBeUndefined();
    expect(roles).toEqual([]);
  });

  it('the answer has no content type, which would break the signature of CloudFormation’s URL', async () => {
    await lookUp([], { RequestType: 'Delete' });
    expect(got).toMatchObject([{ method: 'PUT', type: '' }]);
  });

  it('the look-up fails if CloudFormation refuses its answer, so that Lambda retries it', async () => {
    status = 503;
    await expect(lookUp([], { RequestType: 'Delete' })).rejects.toThrow('503');
  });

  it('the function fits into the template', () => {
    expect(CODE.length).toBeLessThanOrEqual(4096);
  });

  // Loading the SDK's client of EC2 takes more than Lambda's default of 128 MB.
  it('the function has memory for the SDK’s client of EC2', () => {
    const [lookUpFunction] = Object.entries(resources(template(), 'AWS::Lambda::Function'))
      .filter(([id]) => id.startsWith('IngestEntranceLookUp'))
      .map(([, { Properties }]) => Properties);
    expect(lookUpFunction?.MemorySize).toBe(512);
  });
});
