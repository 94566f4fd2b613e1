import { jest } from '@jest/globals';
import { measure } from '../../../shared/runtime/metrics.ts';

describe('measure', () => {
  it('a metric is one log line in CloudWatch’s embedded metric format', () => {
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'stack-deliver-webhook';
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    measure({ Deliveries: 1 }, { Outcome: 'failed' });
    const line = String(write.mock.calls[0]?.[0]);
    write.mockRestore();
    delete process.env.AWS_LAMBDA_FUNCTION_NAME;
    expect(line.endsWith('\n')).toBe(true);
    expect(line.trimEnd()).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'SignatureRequests',
            Dimensions: [['FunctionName', 'Outcome']],
            Metrics: [{ Name: 'Deliveries', Unit: 'Count' }],
          },
        ],
      },
      FunctionName: 'stack-deliver-webhook',
      Outcome: 'failed',
      Deliveries: 1,
    });
  });
});
