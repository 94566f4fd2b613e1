/** Evaluates the condition block of a policy statement. */
import type { PolicyStatement } from '../../ports.ts';
import { matchesWildcards } from '../../wildcards.ts';

/** The condition keys of a call. An empty list: the key is supported, but this call has no value for it. */
export type Context = Record<string, readonly string[]>;

type ConditionBlock = NonNullable<PolicyStatement['Condition']>;

interface Test {
  negated: boolean;
  matches(actual: string, expected: string): boolean;
}

const equals = (actual: string, expected: string) => actual === expected;
const equalsIgnoringCase = (actual: string, expected: string) =>
  actual.toLowerCase() === expected.toLowerCase();
const like = (actual: string, expected: string) => matchesWildcards(expected, actual);
const less = (actual: string, expected: string) => Number(actual) < Number(expected);

const TESTS: Record<string, Test> = {
  StringEquals: { negated: false, matches: equals },
  StringEqualsIgnoreCase: { negated: false, matches: equalsIgnoringCase },
  StringNotEquals: { negated: true, matches: equals },
  StringLike: { negated: false, matches: like },
  StringNotLike: { negated: true, matches: like },
  ArnEquals: { negated: false, matches: like },
  ArnLike: { negated: false, matches: like },
  Bool: { negated: false, matches: equalsIgnoringCase },
  NumericLessThan: { negated: false, matches: less },
};

interface Operator {
  forAllValues: boolean;
  name: string;
  ifExists: boolean;
}

function readOperator(text: string): Operator {
  const [, forAllValues, name = '', ifExists] = /^(ForAllValues:)?(.*?)(IfExists)?$/.exec(text) ?? [];
  return { forAllValues: forAllValues !== undefined, name, ifExists: ifExists !== undefined };
}

/** The first operator that is not implemented. Such a policy is refused at start, not at the first call. */
export function unknownOperator(condition: ConditionBlock): string | undefined {
  return Object.keys(condition).find((text) => {
    const { name } = readOperator(text);
    return name !== 'Null' && !Object.hasOwn(TESTS, name);
  });
}

export function conditionsHold(
  condition: ConditionBlock,
  context: Context,
  effect: 'Allow' | 'Deny',
): boolean {
  return Object.entries(condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, expected]) =>
      holds(readOperator(operator), valuesOf(key, context), [expected].flat().map(String), effect),
    ),
  );
}

function valuesOf(key: string, context: Context): readonly string[] | undefined {
  const wanted = key.toLowerCase();
  return Object.entries(context).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** An Allow with an unsupported key never matches. */
function holds(
  operator: Operator,
  known: readonly string[] | undefined,
  expected: string[],
  effect: 'Allow' | 'Deny',
): boolean {
  if (known === undefined && effect === 'Allow') return false;
  const actual = known ?? [];
  if (operator.name === 'Null')
    return expected.some((wanted) => (wanted === 'true') === (actual.length === 0));
  const test = TESTS[operator.name];
  if (!test) return false;
  const passes = (value: string) => expected.some((wanted) => test.matches(value, wanted)) !== test.negated;
  if (operator.forAllValues) return actual.every(passes);
  if (actual.length === 0) return operator.ifExists || test.negated;
  return actual.some(passes);
}
