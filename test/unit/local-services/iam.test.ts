import type { PolicyStatement, Principal } from '../../../local/ports.ts';
import { assertReadable, isAllowed, type Permission } from '../../../local/services/iam/authorization.ts';
import { conditionsHold, matchesPattern } from '../../../local/services/iam/conditions.ts';

const account = '000000000000';
const principal = (...statements: PolicyStatement[]): Principal => ({
  name: 'worker',
  arn: `arn:aws:iam::${account}:role/worker`,
  statements,
});
const ask = (more: Partial<Permission> = {}): Permission => ({
  action: 's3:GetObject',
  resources: ['arn:aws:s3:::docs/a'],
  context: { values: {} },
  ...more,
});
const may = (statements: PolicyStatement[], more: Partial<Permission> = {}) =>
  isAllowed(principal(...statements), account, ask(more));
const allowAll: PolicyStatement = { Effect: 'Allow', Action: '*', Resource: '*' };

describe('statements', () => {
  it('allow nothing by themselves', () => {
    expect(may([])).toBe(false);
    expect(may([allowAll])).toBe(true);
  });

  it('deny before they allow, whatever their order', () => {
    const deny: PolicyStatement = { Effect: 'Deny', Action: 's3:Get*', Resource: '*' };
    expect(may([allowAll, deny])).toBe(false);
    expect(may([deny, allowAll])).toBe(false);
  });

  it('take actions in any case, resources only in theirs', () => {
    expect(may([{ Effect: 'Allow', Action: 'S3:getobject', Resource: '*' }])).toBe(true);
    expect(may([{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::DOCS/*' }])).toBe(false);
  });

  it('may name what they are not about', () => {
    expect(may([{ Effect: 'Allow', NotAction: 's3:Put*', Resource: '*' }])).toBe(true);
    expect(may([{ Effect: 'Allow', NotAction: ['s3:Get*'], Resource: '*' }])).toBe(false);
    expect(may([{ Effect: 'Allow', Action: '*', NotResource: 'arn:aws:s3:::docs/*' }])).toBe(false);
  });

  it('with an operator that nobody here can judge are refused when they are read', () => {
    const condition = { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } };
    expect(() => assertReadable([{ ...allowAll, Condition: condition }], 'worker')).toThrow(
      'The policy of worker uses the condition operator IpAddress, which the local cloud does not implement',
    );
    assertReadable([{ ...allowAll, Condition: { 'ForAnyValue:StringLikeIfExists': {} } }], 'worker');
  });
});

describe('wildcards', () => {
  it.each([
    ['*', 'anything', true],
    ['a*c', 'abbbc', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['arn:aws:s3:::docs/*', 'arn:aws:s3:::docs/a/b', true],
    ['arn:aws:s3:::docs', 'arn:aws:s3:::docs/a', false],
    ['a(b)[c]', 'a(b)[c]', true],
  ])('%s matches %s: %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });
});

describe('conditions', () => {
  const context = {
    values: { 'x:One': ['a'], 'x:Many': ['a', 'b'], 'x:None': [], 'x:Number': ['5'] },
    families: ['x:Family:'],
  };
  const holds = (
    operator: string,
    key: string,
    expected: string | string[],
    effect: 'Allow' | 'Deny' = 'Allow',
  ) => conditionsHold({ [operator]: { [key]: expected } }, context, effect);

  it.each<[string, string, string | string[], boolean]>([
    ['StringEquals', 'x:One', 'a', true],
    ['StringEquals', 'X:ONE', ['z', 'a'], true],
    ['StringEquals', 'x:One', 'A', false],
    ['StringEqualsIgnoreCase', 'x:One', 'A', true],
    ['StringNotEquals', 'x:One', 'b', true],
    ['StringNotEquals', 'x:One', ['a', 'b'], false],
    ['StringLike', 'x:One', '?', true],
    ['ArnLike', 'x:One', 'b*', false],
    ['Bool', 'x:One', 'A', true],
    ['NumericLessThan', 'x:Number', '6', true],
    ['NumericGreaterThanEquals', 'x:Number', '6', false],
    ['NumericNotEquals', 'x:Number', '5.0', false],
    ['StringEquals', 'x:None', 'a', false],
    ['StringEqualsIfExists', 'x:None', 'a', true],
    ['StringNotEquals', 'x:None', 'a', true],
    ['Null', 'x:None', 'true', true],
    ['Null', 'x:One', 'true', false],
    ['Null', 'x:One', 'false', true],
    ['ForAllValues:StringEquals', 'x:Many', ['a', 'b', 'c'], true],
    ['ForAllValues:StringEquals', 'x:Many', ['a'], false],
    ['ForAllValues:StringEquals', 'x:None', ['a'], true],
    ['ForAnyValue:StringEquals', 'x:Many', ['b'], true],
    ['ForAnyValue:StringEquals', 'x:None', ['b'], false],
    ['StringEquals', 'x:Family:anything', 'a', false],
    ['Null', 'x:Family:anything', 'true', true],
  ])('%s of %s with %s holds: %s', (operator, key, expected, result) => {
    expect(holds(operator, key, expected)).toBe(result);
  });

  it('on a key that nobody here knows open nothing, not even where a missing key would', () => {
    for (const operator of [
      'StringEquals',
      'StringNotEquals',
      'StringEqualsIfExists',
      'ForAllValues:StringEquals',
      'Null',
    ]) {
      expect(holds(operator, 'aws:PrincipalOrgID', 'true')).toBe(false);
    }
    expect(holds('StringNotEquals', 'aws:PrincipalOrgID', 'o-1', 'Deny')).toBe(true);
    expect(holds('StringEquals', 'aws:PrincipalOrgID', 'o-1', 'Deny')).toBe(false);
  });

  it('must all hold', () => {
    const block = { StringEquals: { 'x:One': 'a', 'x:Number': '5' }, Null: { 'x:None': 'true' } };
    expect(conditionsHold(block, context, 'Allow')).toBe(true);
    expect(conditionsHold({ ...block, Bool: { 'x:One': 'b' } }, context, 'Allow')).toBe(false);
  });
});

describe('policies of resources', () => {
  const named = (who: unknown, effect: 'Allow' | 'Deny' = 'Allow'): PolicyStatement => ({
    Effect: effect,
    Principal: who,
    Action: 's3:*',
    Resource: '*',
  });
  const role = { AWS: [`arn:aws:iam::${account}:role/worker`] };
  const root = { AWS: `arn:aws:iam::${account}:root` };

  it('allow those whom they name, and leave the account to its own policies', () => {
    expect(may([], { resourcePolicy: [named(role)] })).toBe(true);
    expect(may([], { resourcePolicy: [named('*')] })).toBe(true);
    expect(may([], { resourcePolicy: [named(root)] })).toBe(false);
    expect(may([], { resourcePolicy: [named({ AWS: 'arn:aws:iam::000000000000:role/other' })] })).toBe(false);
    expect(may([], { resourcePolicy: [named({ Service: 'cloudfront.amazonaws.com' })] })).toBe(false);
  });

  it('deny those whom they name, by role or by account', () => {
    for (const who of [role, root, '*', { AWS: account }]) {
      expect(may([allowAll], { resourcePolicy: [named(who, 'Deny')] })).toBe(false);
    }
    expect(
      may([allowAll], { resourcePolicy: [named({ AWS: 'arn:aws:iam::000000000000:role/other' }, 'Deny')] }),
    ).toBe(true);
  });

  it('of a key decide whether IAM counts at all', () => {
    const key = (...resourcePolicy: PolicyStatement[]) => ({ resourcePolicy, resourcePolicyMustAllow: true });
    expect(may([allowAll], key())).toBe(false);
    expect(may([allowAll], key(named(root)))).toBe(true);
    expect(may([], key(named(root)))).toBe(false);
    expect(may([], key(named(role)))).toBe(true);
  });

  it('hold by secure transport, which loopback counts as', () => {
    const insecure = { ...named('*', 'Deny'), Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
    expect(may([allowAll], { resourcePolicy: [insecure] })).toBe(true);
  });
});
