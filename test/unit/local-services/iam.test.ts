import type { PolicyStatement, Principal } from '../../../local/ports.ts';
import { assertReadable, isAllowed, type Permission } from '../../../local/services/iam/authorization.ts';
import { conditionsHold } from '../../../local/services/iam/conditions.ts';
import { matchesWildcards } from '../../../local/wildcards.ts';

const ACCOUNT = '000000000000';
const principal = (...statements: PolicyStatement[]): Principal => ({
  name: 'worker',
  arn: `arn:aws:iam::${ACCOUNT}:role/worker`,
  statements,
});
const ask = (more: Partial<Permission> = {}): Permission => ({
  action: 's3:GetObject',
  resources: ['arn:aws:s3:::docs/a'],
  ...more,
});
const may = (statements: PolicyStatement[], more: Partial<Permission> = {}) =>
  isAllowed(principal(...statements), ACCOUNT, ask(more));
const ALLOW_ALL: PolicyStatement = { Effect: 'Allow', Action: '*', Resource: '*' };

describe('statements', () => {
  it('a principal without a statement may do nothing', () => {
    expect(may([])).toBe(false);
    expect(may([ALLOW_ALL])).toBe(true);
  });

  /** @behaviour iam.evaluation */
  it('a deny wins over an allow in any order', () => {
    const deny: PolicyStatement = { Effect: 'Deny', Action: 's3:Get*', Resource: '*' };
    expect(may([ALLOW_ALL, deny])).toBe(false);
    expect(may([deny, ALLOW_ALL])).toBe(false);
  });

  it('actions are case-insensitive, resources are not', () => {
    expect(may([{ Effect: 'Allow', Action: 'S3:getobject', Resource: '*' }])).toBe(true);
    expect(may([{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::DOCS/*' }])).toBe(false);
  });

  it('a policy with an unsupported condition operator is refused when it is read', () => {
    const condition = { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } };
    expect(() => assertReadable([{ ...ALLOW_ALL, Condition: condition }], 'worker')).toThrow(
      'The policy of worker uses the condition operator IpAddress, which the local cloud does not implement',
    );
    assertReadable([{ ...ALLOW_ALL, Condition: { 'ForAllValues:StringLikeIfExists': {} } }], 'worker');
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
  ])('the pattern %s matches %s: %s', (pattern, text, expected) => {
    expect(matchesWildcards(pattern, text)).toBe(expected);
  });
});

describe('conditions', () => {
  const context = { 'x:One': ['a'], 'x:Many': ['a', 'b'], 'x:None': [], 'x:Number': ['5'] };
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
    ['StringNotLike', 'x:One', '?', false],
    ['StringNotLike', 'x:One', '??', true],
    ['ArnLike', 'x:One', 'b*', false],
    ['Bool', 'x:One', 'A', true],
    ['NumericLessThan', 'x:Number', '6', true],
    ['NumericLessThan', 'x:Number', '5.0', false],
    ['StringEquals', 'x:None', 'a', false],
    ['StringEqualsIfExists', 'x:None', 'a', true],
    ['StringNotEquals', 'x:None', 'a', true],
    ['Null', 'x:None', 'true', true],
    ['Null', 'x:One', 'true', false],
    ['Null', 'x:One', 'false', true],
    ['ForAllValues:StringEquals', 'x:Many', ['a', 'b', 'c'], true],
    ['ForAllValues:StringEquals', 'x:Many', ['a'], false],
    ['ForAllValues:StringEquals', 'x:None', ['a'], true],
  ])('the condition %s of %s with %s holds: %s', (operator, key, expected, result) => {
    expect(holds(operator, key, expected)).toBe(result);
  });

  it('an Allow with an unsupported condition key never matches, even if it would match a missing key', () => {
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

  it('all conditions of a statement must hold', () => {
    const block = { StringEquals: { 'x:One': 'a', 'x:Number': '5' }, Null: { 'x:None': 'true' } };
    expect(conditionsHold(block, context, 'Allow')).toBe(true);
    expect(conditionsHold({ ...block, Bool: { 'x:One': 'b' } }, context, 'Allow')).toBe(false);
  });
});

describe('resource policies', () => {
  const naming = (principal: unknown, effect: 'Allow' | 'Deny' = 'Allow'): PolicyStatement => ({
    Effect: effect,
    Principal: principal,
    Action: 's3:*',
    Resource: '*',
  });
  const role = { AWS: [`arn:aws:iam::${ACCOUNT}:role/worker`] };
  const root = { AWS: `arn:aws:iam::${ACCOUNT}:root` };

  it('a resource policy allows the principals it names; naming the account leaves the decision to IAM', () => {
    expect(may([], { resourcePolicy: [naming(role)] })).toBe(true);
    expect(may([], { resourcePolicy: [naming('*')] })).toBe(true);
    expect(may([], { resourcePolicy: [naming(root)] })).toBe(false);
    expect(may([], { resourcePolicy: [naming({ AWS: 'arn:aws:iam::000000000000:role/other' })] })).toBe(
      false,
    );
    expect(may([], { resourcePolicy: [naming({ Service: 'cloudfront.amazonaws.com' })] })).toBe(false);
  });

  it('a resource policy denies the principals it names, by role or by account', () => {
    for (const one of [role, root, '*', { AWS: ACCOUNT }]) {
      expect(may([ALLOW_ALL], { resourcePolicy: [naming(one, 'Deny')] })).toBe(false);
    }
    expect(
      may([ALLOW_ALL], { resourcePolicy: [naming({ AWS: 'arn:aws:iam::000000000000:role/other' }, 'Deny')] }),
    ).toBe(true);
  });

  it('IAM policies apply to a key only if its key policy names the account', () => {
    const key = (...resourcePolicy: PolicyStatement[]) => ({ resourcePolicy, resourcePolicyMustAllow: true });
    expect(may([ALLOW_ALL], key())).toBe(false);
    expect(may([ALLOW_ALL], key(naming(root)))).toBe(true);
    expect(may([], key(naming(root)))).toBe(false);
    expect(may([], key(naming(role)))).toBe(true);
  });

  it('a call over loopback counts as secure transport', () => {
    const insecure = { ...naming('*', 'Deny'), Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
    expect(may([ALLOW_ALL], { resourcePolicy: [insecure] })).toBe(true);
  });
});
