import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { exitOf } from '../../../admin/errors.ts';

it('a service that refuses at each of its addresses is told by the code, as the error has no message', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const error = await new Promise((resolve) => {
    connect({
      host: 'dynamodb.example.com',
      port: 9,
      autoSelectFamily: true,
      lookup: (_host, _options, answer) => answer(null, addresses),
    }).once('error', resolve);
  });
  expect(exitOf(error)).toEqual({ code: 1, sentence: 'AggregateError: ECONNREFUSED' });
});

it('a table that does not exist is told as one, with the section of the runbook', () => {
  const error = new ResourceNotFoundException({ message: 'Requested resource not found', $metadata: {} });
  expect(exitOf(error)).toEqual({
    code: 1,
    sentence: 'The stack’s table does not exist: docs/runbook.md#restore-the-table.',
  });
  expect(readFileSync('docs/runbook.md', 'utf8')).toContain('\n## Restore the table\n');
});
