import { GetRegexPatternSetCommand, UpdateRegexPatternSetCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import { ACCOUNT, allow, type Cloud, failure, REGION, startCloud } from './harness.ts';

let cloud: Cloud;
let client: WAFV2Client;
const SET = { Name: 'values', Id: 'id', Scope: 'REGIONAL' } as const;
const arn = `arn:aws:wafv2:${REGION}:${ACCOUNT}:regional/regexpatternset/values/id`;
const create = (template: string, ...patterns: string[]) =>
  cloud.services.createPatternSet({ arn, patterns, template });

beforeEach(async () => {
  cloud = await startCloud();
  client = new WAFV2Client(cloud.operator);
  await create('first', '^old$');
});
afterEach(() => cloud.stop());

const read = () => client.send(new GetRegexPatternSetCommand(SET));
async function update(...patterns: string[]) {
  const { LockToken } = await read();
  const RegularExpressionList = patterns.map((RegexString) => ({ RegexString }));
  return client.send(new UpdateRegexPatternSetCommand({ ...SET, LockToken, RegularExpressionList }));
}

/** @behaviour waf.propagation */
it('a changed set of patterns applies everywhere after a moment, and until then also as it was', async () => {
  await update('^old$', '^new$');
  expect((await read()).RegexPatternSet).toMatchObject({
    ARN: arn,
    RegularExpressionList: [{ RegexString: '^old$' }, { RegexString: '^new$' }],
  });
  const meanwhile = new Set([1, 2].map(() => cloud.services.patterns(arn).length));
  expect(meanwhile).toEqual(new Set([1, 2]));
  cloud.clock.advance(3);
  for (const _ of [1, 2]) expect(cloud.services.patterns(arn)).toEqual(['^old$', '^new$']);
});

it('a set keeps its patterns at the next start unless its template changed', async () => {
  await update('^new$');
  cloud.clock.advance(3);
  await create('first', '^old$');
  expect(cloud.services.patterns(arn)).toEqual(['^new$']);
  await create('second', '^other$');
  expect(cloud.services.patterns(arn)).toEqual(['^other$']);
});

/** @behaviour waf.lock-token */
it('a change with a used lock token is refused', async () => {
  const { LockToken } = await read();
  await update('^new$');
  const late = client.send(
    new UpdateRegexPatternSetCommand({ ...SET, LockToken, RegularExpressionList: [{ RegexString: 'x' }] }),
  );
  expect(await failure(late)).toMatchObject({ name: 'WAFOptimisticLockException', status: 400 });
});

it('a call needs its permission, and an existing set', async () => {
  const reader = new WAFV2Client(cloud.caller('reader', allow('wafv2:GetRegexPatternSet', arn)));
  expect((await reader.send(new GetRegexPatternSetCommand(SET))).LockToken).toBeDefined();
  const change = new UpdateRegexPatternSetCommand({ ...SET, LockToken: 'x', RegularExpressionList: [] });
  expect(await failure(reader.send(change))).toMatchObject({ name: 'AccessDeniedException' });
  const other = client.send(new GetRegexPatternSetCommand({ ...SET, Id: 'other' }));
  expect(await failure(other)).toMatchObject({ name: 'WAFNonexistentItemException' });
});
