import { ROWS } from '../../../infra/functions.ts';
import type { Row } from '../../../infra/permissions.ts';
import { pascal } from '../../../infra/queues.ts';
import type { PermissionUse, PolicyStatement } from '../../../local/ports.ts';
import { matchesWildcards } from '../../../local/wildcards.ts';
import { SigningStage } from '../../support/signing-stage.ts';
import { live } from './whole-life.ts';

/**
 * Every function does all that it is for, and the local cloud sees what it needed to be allowed. What a role allows
 * beyond that stands here with the reason: as `action of function on resource`, one by one.
 */

const STACK = 'signature-requests';

/** What AWS itself does in a function's name, so that no call of the function's is seen. */
function doneByAws([name, { reads, runs }]: [string, Row]): [grant: string, reason: string][] {
  const log = `loggroup/Functions${pascal(name)}Log<hash>`;
  const queue = `${STACK}-${reads?.queue}`;
  return [
    [`logs:CreateLogStream of ${name} on ${log}`, 'Lambda writes the log'],
    [`logs:PutLogEvents of ${name} on ${log}`, 'Lambda writes the log'],
    ...(reads
      ? ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action): [string, string] => [
          `sqs:${action} of ${name} on ${queue}`,
          'the event source mapping polls the queue',
        ])
      : []),
    ...(runs
      ? [
          [
            `sqs:SendMessage of ${name} on ${STACK}-schedules-dead-letters`,
            'Lambda puts there what a schedule started in vain',
          ] satisfies [string, string],
        ]
      : []),
  ];
}

const REASONS: Record<string, string> = {
  ...Object.fromEntries(Object.entries(ROWS).flatMap(doneByAws)),
  's3:GetObject of ingest on cdk-hnb659fds-assets-000000000000-us-east-1/<hash>.mjs':
    'a container beside it fetches the code, which the local cloud has at hand',
};

interface Holder {
  name: string;
  /** As the local cloud knows it. */
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

/** Where a thing has several names (who mails is known to SES by address and by domain), a use is of all of them. */
const isUsed = ({ action, resource }: Grant, uses: readonly PermissionUse[]) =>
  uses.some(
    (use) => use.action === action && use.resources.some((named) => matchesWildcards(resource, named)),
  );

/** What comes behind partition, service, region and account, without what is derived from contents and places. */
const shortName = (arn: string) =>
  arn
    .split(':')
    .slice(5)
    .join(':')
    .replace(/[0-9a-f]{64}|(?<=^loggroup\/\w+)[0-9A-F]{8}$/, '<hash>');

function holders({ cloud }: SigningStage['service']): Holder[] {
  const functions = Object.keys(ROWS).map((name) => {
    const plan = cloud.functions.find(name);
    if (!plan) throw new Error(`There is no function ${name}.`);
    return { name, caller: plan.name, statements: plan.role.statements };
  });
  const containers = [...cloud.containers.values()].map(({ id, name, role }) => ({
    name: id,
    caller: name,
    statements: role.statements,
  }));
  return [...functions, ...containers];
}

let unused: string[];

beforeAll(async () => {
  const stage = await SigningStage.open();
  try {
    await live(stage);
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
}, 180_000);

it('every role allows what was used in its name, and nothing else without a reason', () => {
  expect(unused.filter((grant) => REASONS[grant] === undefined)).toEqual([]);
});

it('no reason stands for what is used after all, or is not allowed', () => {
  expect(Object.keys(REASONS).filter((grant) => !unused.includes(grant))).toEqual([]);
});
