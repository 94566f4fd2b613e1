import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { due } from '../../../shared/store/keys.ts';
import { type Item, Table } from '../../../shared/store/table.ts';

/** The index of what is due, in memory: pages of the size that is asked for, in order, by range. */
export class FakeIndex {
  readonly entries = new Map<string, Item>();
  readonly table: Table;
  readonly put: Item[] = [];
  queries = 0;

  constructor() {
    const client = new DynamoDBClient({ region: 'eu-north-1' });
    const mock = mockClient(client);
    mock.on(QueryCommand).callsFake((input) => this.#page(input));
    mock.on(PutItemCommand).callsFake(({ Item: item }) => {
      this.put.push(unmarshall(item));
      return {};
    });
    this.table = new Table(client, 'table');
  }

  add(time: string, id: string): void {
    this.entries.set(id, { pk: `REQ#${id}`, sk: 'R#META', id, ...due('EXPIRE', time, id) });
  }

  #page(input: QueryCommand['input']) {
    this.queries += 1;
    const {
      ':pk': pk,
      ':from': from = '',
      ':to': to = '~',
    } = unmarshall(input.ExpressionAttributeValues ?? {});
    const start = input.ExclusiveStartKey ? String(unmarshall(input.ExclusiveStartKey).due_sk) : '';
    const all = [...this.entries.values()]
      .filter((entry) => entry.due_pk === pk)
      .filter(({ due_sk: key }) => String(key) >= from && String(key) <= to && String(key) > start)
      .sort((a, b) => (String(a.due_sk) < String(b.due_sk) ? -1 : 1));
    const page = all.slice(0, input.Limit);
    const last = page.at(-1);
    return {
      Items: page.map((entry) => marshall(entry)),
      ...(all.length > page.length && last && { LastEvaluatedKey: marshall(last) }),
    };
  }
}
