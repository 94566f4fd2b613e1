import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { DynamoDBClient, ListTablesCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
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

it('an answer that is not AWS’s, such as the page of a proxy, is told in one line', async () => {
  const proxy = createServer((_request, response) => response.end('<!doctype html>')).listen(0);
  const client = new DynamoDBClient({
    region: 'eu-west-1',
    endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  const error: unknown = await client.send(new ListTablesCommand({})).catch((one: unknown) => one);
  client.destroy();
  proxy.close();
  expect(exitOf(error).sentence).toMatch(/^SyntaxError: Unexpected token '<'.*is not valid JSON$/);
});
