import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { connect } from '../../../functions/admin/operator.ts';

const cloudFormation = mockClient(CloudFormationClient);
const target = { dir: '.local', stack: 'signatures', region: 'eu-north-1' };
const outputs = (given: Record<string, string>) =>
  cloudFormation.on(DescribeStacksCommand, { StackName: 'signatures' }).resolves({
    Stacks: [
      {
        StackName: 'signatures',
        CreationTime: new Date(0),
        StackStatus: 'UPDATE_COMPLETE',
        Outputs: Object.entries(given).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      },
    ],
  });

beforeEach(() => cloudFormation.reset());

describe('the administrator’s command on a deployed stack', () => {
  it('finds the parts of the stack by its outputs', async () => {
    outputs({ TableName: 'table-1', WebhookKeyArn: 'arn:key' });
    const operator = await connect(target);
    expect(operator.output('WebhookKeyArn')).toBe('arn:key');
    expect(operator.localFolder).toBeUndefined();
    expect(operator.clients).toEqual({ region: 'eu-north-1' });
  });

  it('says which part a stack lacks', async () => {
    outputs({});
    await expect(connect(target)).rejects.toThrow(
      'The stack "signatures" has no output TableName; is it a stack of this service, up to date?',
    );
  });

  it('says that there is no such stack', async () => {
    const error = Object.assign(new Error('Stack with id signatures does not exist'), {
      name: 'ValidationError',
    });
    cloudFormation.on(DescribeStacksCommand).rejects(error);
    await expect(connect(target)).rejects.toThrow('There is no stack "signatures" in this region.');
  });
});
