import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { mailReturned } from '../../../shared/requests/returned-mails.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { testMailsKey } from '../../../shared/store/keys.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, OWNER } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const ses = mockClient(SESClient);
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('a test reminder that is not mailed, since the signer’s mail came back, takes no place of the day', async () => {
  Object.assign(process.env, {
    TABLE_NAME: 'table',
    MAIL_QUEUE_URL: 'mail',
    MAIL_FROM: 'sign@example.com',
    MAIL_CONFIGURATION_SET: 'set',
    BASE_URL: 'https://sign.example',
  });
  const { handler } = await import('../../../functions/jobs/remind.ts');
  const { state } = await storedRequest(memory.table, 2, { owner: { ...OWNER, mode: 'test' } });
  const mail = { id: 'mail-1', kind: 'invitation', sentAt: NOON.toISOString(), outcome: 'bounced' } as const;
  await changed(memory.table, state.id, (request, now) =>
    mailReturned(request, { signerId: request.signers[0]?.id ?? '', ...mail }, now),
  );
  ses.resolves({ MessageId: 'mail-2' });
  captureLog();
  skipPauses(at(3 * DAY));
  await handler({}, { getRemainingTimeInMillis: () => 600_000 } as Context);
  const mailed = ses.commandCalls(SendEmailCommand).map(({ args: [{ input }] }) => input.Destination);
  expect(mailed).toEqual([{ ToAddresses: ['signer1@example.com'] }]);
  expect(memory.item(testMailsKey(OWNER.id, '2026-11-24'))?.addresses).toHaveLength(1);
});
