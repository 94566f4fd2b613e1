/** @behaviour iam.evaluation */

import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { FUNCTIONS } from '../../../infra/functions.ts';
import { pascalCase } from '../../../infra/pascal-case.ts';
import type { PermissionUse, PolicyStatement } from '../../../local/ports.ts';
import { matchesWildcards } from '../../../local/wildcards.ts';
import { SigningStage } from '../../support/signing-stage.ts';
import { runWholeLife } from './whole-life.ts';

/**
 * Runs everything that the functions do while the local cloud records the permissions in use. Grants beyond that are
 * listed here with a reason, as `action of function on resource`.
 */

const STACK = 'signature-requests';

/** Grants that AWS itself uses on behalf of a function, without a call by the function. */
function usedByAws([name, { reads = [], runs }]: [string, FunctionSpec]): [grant: string, reason: string][] {
  const log = `loggroup/Functions${pascalCase(name)}Log<hash>`;
  return [
    [`logs:CreateLogStream of ${name} on ${log}`, 'Lambda writes the log'],
    [`logs:PutLogEvents of ${name} on ${log}`, 'Lambda writes the log'],
    ...reads.flatMap(({ queue }) =>
      ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action): [string, string] => [
        `sqs:${action} of ${name} on ${STACK}-${queue}`,
        'the event source mapping polls the queue',
      ]),
    ),
    ...(runs
      ? [
          [
            `sqs:SendMessage of ${name} on ${STACK}-schedules-dead-letters`,
            'Lambda sends failed scheduled runs there',
          ] satisfies [string, string],
        ]
      : []),
  ];
}

const REASONS: Record<string, string> = {
  ...Object.fromEntries(Object.entries(FUNCTIONS).flatMap(usedByAws)),
  's3:GetObject of ingest on cdk-hnb659fds-assets-000000000000-us-east-1/<hash>.mjs':
    'the copier fetches the code, which the local cloud reads from disk',
};

interface Holder {
  name: string;
  /** Its name in the local cloud. */
  caller: string;
  statements: PolicyStatement[];
}

interface Grant {
  action: string;
  resource: string;
}

const list = <T>(value: T | T[] | undefined): T[] => [value ?? []].flat() as T[];

const grantsOf = (statements: readonly PolicyStatement[]): Grant[] =>
  statements.flatMap(({ Action, Resource }) =>
    list(Action).flatMap((action) => list(Resource).map((resource) => ({ action, resource }))),
  );

/** A resource with several names counts as used under all of them: SES knows a sender by address and by domain. */
const isUsed = ({ action, resource }: Grant, uses: readonly PermissionUse[]) =>
  uses.some(
    (use) => use.action === action && use.resources.some((named) => matchesWildcards(resource, named)),
  );

/** The resource part of an ARN, with hashes masked. */
const shortName = (arn: string) =>
  arn
    .split(':')
    .slice(5)
    .join(':')
    .replace(/[0-9a-f]{64}|(?<=^loggroup\/\w+)[0-9A-F]{8}$/, '<hash>');

function holders({ cloud }: SigningStage['service']): Holder[] {
  const functions = Object.keys(FUNCTIONS).map((name) => {
    const plan = cloud.functions.find(name);
    if (!plan) throw new Error(`There is no function ${name}.`);
    return { name, caller: plan.name, statements: plan.role.statements };
  });
  const containers = [...cloud.containers.values()].map(({ plan: { id, name, role } }) => ({
    name: id,
    caller: name,
    statements: role.statements,
  }));
  return [...functions, ...containers];
}

let unused: string[];

beforeAll(async () => {
  const stage = await SigningStage.openCold();
  try {
    await runWholeLife(stage);
    const uses = stage.service.cloud.services.permissionUses();
    unused = holders(stage.service).flatMap(({ name, caller, statements }) => {
      const own = uses.filter((use) => use.function === caller);
      return grantsOf(statements)
        .filter((grant) => !isUsed(grant, own))
        .map(({ action, resource }) => `${action} of ${name} on ${shortName(resource)}`);
    });
  } finally {
    await stage.close();
  }
}, 400_000);

it('no role has an unused permission without a reason', () => {
  expect(unused.filter((grant) => REASONS[grant] === undefined)).toEqual([]);
});

it('every listed reason belongs to a permission that is granted and unused', () => {
  expect(Object.keys(REASONS).filter((grant) => !unused.includes(grant))).toEqual([]);
});
