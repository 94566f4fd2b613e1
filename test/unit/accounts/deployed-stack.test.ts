import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { connect } from '../../../admin/operator.ts';

const cloudFormation = mockClient(CloudFormationClient);
const TARGET = { dir: '.local', stack: 'signatures', region: 'eu-north-1' };
const outputs = (values: Record<string, string>) =>
  cloudFormation.on(DescribeStacksCommand, { StackName: 'signatures' }).resolves({
    Stacks: [
      {
        StackName: 'signatures',
        CreationTime: new Date(0),
        StackStatus: 'UPDATE_COMPLETE',
        Outputs: Object.entries(values).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      },
    ],
  });

beforeEach(() => cloudFormation.reset());

describe('connect', () => {
  it('the admin command reads the resources of a deployed stack from its outputs', async () => {
    outputs({ TableName: 'table-1', WebhookKeyArn: 'arn:key' });
    const operator = await connect(TARGET);
    expect(operator.output('WebhookKeyArn')).toBe('arn:key');
    expect(operator.localFolder).toBeUndefined();
    expect(operator.clients.region).toBe('eu-north-1');
  });

  it('the AWS clients of an admin command share their connections, and a call that is not answered fails', async () => {
    outputs({ TableName: 'table-1' });
    const { clients } = await connect(TARGET);
    const [one, other] = [new S3Client(clients), new SQSClient(clients)];
    expect(one.config.requestHandler).toBe(other.config.requestHandler);
    await expect(Reflect.get(one.config.requestHandler, 'configProvider')).resolves.toMatchObject({
      requestTimeout: 20_000,
      throwOnRequestTimeout: true,
    });
  });

  it('the admin command names an output that the stack lacks', async () => {
    outputs({});
    await expect(connect(TARGET)).rejects.toThrow(
      'The stack "signatures" has no output TableName. Is it an up-to-date stack of this service?',
    );
  });

  it('the admin command reports a stack that does not exist, with the region that it looked in', async () => {
    const error = Object.assign(new Error('Stack with id signatures does not exist'), {
      name: 'ValidationError',
    });
    cloudFormation.on(DescribeStacksCommand).rejects(error);
    await expect(connect(TARGET)).rejects.toThrow('There is no stack "signatures" in eu-north-1.');
  });
});
