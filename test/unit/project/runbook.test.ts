import { readFileSync } from 'node:fs';
import * as cloudformation from '@aws-sdk/client-cloudformation';
import * as cloudfront from '@aws-sdk/client-cloudfront';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as kms from '@aws-sdk/client-kms';
import * as lambda from '@aws-sdk/client-lambda';
import * as s3api from '@aws-sdk/client-s3';
import * as secretsmanager from '@aws-sdk/client-secrets-manager';
import * as ses from '@aws-sdk/client-ses';
import { follow, type Step, steps, wordsOf } from '../../support/runbook.ts';

/** Every command of the runbook is run by a test, word for word, or is here with the reason why none can. */

const WALKS = [
  'test/integration/jobs/archive.test.ts',
  'test/integration/jobs/operator.test.ts',
  'test/integration/jobs/runbook.test.ts',
  'test/integration/edge/origin-secret.test.ts',
  'test/conformance/seal-key.test.ts',
];

const ONLY_ON_AWS: Readonly<Record<string, string>> = {
  'npm run --silent admin --': 'the long form of "admin"; test/integration/admin runs it as a process',
  'npm run smoke': 'test/integration/edge/smoke.test.ts runs it',
  'npm run preflight': 'looks at an AWS account; test/conformance/preflight.test.ts runs it over moto',
  'admin --stack NAME status': 'needs a deployed stack; test/unit/accounts/deployed-stack.test.ts reads one',
  'aws logs tail /aws/lambda/NAME-FUNCTION --since 1h': 'the local run has log files instead',
  'aws ecs list-clusters': 'the local cloud runs containers without a cluster',
  'aws ecs list-services --cluster ARN': 'the local cloud runs containers without a cluster',
  'aws ecs describe-services --cluster ARN --services ARN':
    'the local cloud runs containers without a cluster',
  'aws cloudwatch list-metrics --namespace AWS/WAFV2 --metric-name BlockedRequests --recently-active PT3H':
    'the local cloud has no metrics',
  'aws cloudwatch describe-alarms --alarm-name-prefix NAME': 'the local cloud has no metrics',
  'aws cloudwatch set-alarm-state --alarm-name ALARM --state-value ALARM --state-reason trial':
    'the local cloud has no metrics',
  'aws cloudwatch enable-alarm-actions --alarm-names ALARM': 'the local cloud rings no alarms',
  'aws sns list-subscriptions-by-topic --topic-arn arn:aws:sns:REGION:ACCOUNT:NAME-alarms':
    'the local cloud rings no alarms',
  'aws sns subscribe --topic-arn arn:aws:sns:REGION:ACCOUNT:NAME-alarms --protocol email --notification-endpoint ADDRESS':
    'the local cloud rings no alarms',
  'aws acm describe-certificate --certificate-arn ARN --region us-east-1':
    'a local run has no certificates of ACM',
  'aws cloudfront list-functions': 'the local cloud has one distribution and no list of functions',
  "aws cloudformation describe-stacks --stack-name NAME --query 'Stacks[0].Outputs'":
    'the local run has its outputs in run.json',
  'aws lambda list-event-source-mappings --function-name NAME-FUNCTION': 'the local cloud has no switch',
  'aws lambda update-event-source-mapping --uuid UUID --enabled': 'the local cloud has no switch',
  'aws lambda put-runtime-management-config --function-name NAME-FUNCTION --update-runtime-on Manual --runtime-version-arn ARN':
    'the local run has the Node of npm',
  'aws lambda delete-function-concurrency --function-name NAME-FUNCTION':
    'the local run takes reservations from the template',
  'aws sesv2 get-account': 'AWS judges no local account',
  'aws ses update-account-sending-enabled --enabled': 'the local SES has no switch',
  'aws ses update-configuration-set-sending-enabled --configuration-set-name NAME --enabled':
    'the local SES has no switch',
  'aws secretsmanager restore-secret --secret-id ARN': 'the local cloud deletes no secrets',
  'aws secretsmanager put-secret-value --secret-id ARN --secret-string file://root.json':
    'the local cloud starts no function anew',
  'aws lambda update-function-configuration --function-name "$name" --description "renewed $(date -u +%FT%TZ)"':
    'the local cloud starts no function anew',
  'aws kms cancel-key-deletion --key-id ARN': 'the local cloud deletes no keys',
  'aws kms enable-key --key-id ARN': 'the local cloud disables no keys',
  'aws dynamodb restore-table-to-point-in-time --source-table-name OLD --target-table-name NEW --restore-date-time 2026-11-21T10:00:00Z':
    'no local engine has point-in-time recovery',
  'aws dynamodb list-backups --table-name OLD --backup-type SYSTEM': 'no local engine has backups',
  'aws dynamodb restore-table-from-backup --target-table-name OLD --backup-arn ARN':
    'no local engine has backups',
  'aws dynamodb wait table-exists --table-name NEW': 'no local engine has point-in-time recovery',
  'aws dynamodb update-continuous-backups --table-name NEW --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true':
    'no local engine has point-in-time recovery',
  'aws dynamodb update-time-to-live --table-name NEW --time-to-live-specification Enabled=true,AttributeName=ttl':
    'the local cloud takes this from the template',
  'aws dynamodb update-table --table-name NEW --deletion-protection-enabled':
    'the local cloud takes this from the template',
  'aws sesv2 delete-suppressed-destination --email-address ADDRESS': 'the local SES has no suppression list',
  'aws s3 cp s3://BUCKET/KEY -': 'a command of the AWS CLI alone',
  'aws s3 cp s3://BUCKET/requests/ID/ FOLDER --recursive': 'a command of the AWS CLI alone',
};

/** The clients whose models are at hand. */
const MODELS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  cloudformation,
  cloudfront,
  dynamodb,
  kms,
  lambda,
  s3api,
  secretsmanager,
  ses,
};

/** Options that the AWS CLI adds to every call. */
const GLOBAL_OPTIONS = ['Query'];

const pascal = (kebab: string) =>
  kebab.replace(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** A structure of the SDK's model: kind, namespace, name, traits, members, their shapes. */
type Structure = [number, string, string, unknown, string[], unknown[]];
const structureOf = (shape: unknown): Structure =>
  (typeof shape === 'function' ? (shape as () => unknown)() : shape) as Structure;

/** The members of an operation's input. */
function membersOf(service: string, operation: string): string[] {
  const model = MODELS[service] ?? {};
  const name = operation === 'WaitTableExists' ? 'DescribeTable' : operation;
  const Command = model[`${name}Command`] as (new (input: object) => { schema: unknown[] }) | undefined;
  if (!Command) throw new Error(`There is no ${service} ${operation}.`);
  return structureOf(new Command({}).schema[4])[4];
}

function operationOf([, service = '', name = '', waiter = '']: string[]) {
  return { service, operation: name === 'wait' ? pascal(`wait-${waiter}`) : pascal(name) };
}

const followed: Step[] = WALKS.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/follow\w*\(\s*'([^']+)',\s*'([^']+)'/g)].map(
    ([, section = '', command = '']) => ({ section, command }),
  ),
);

describe('the runbook', () => {
  it('every command of each entry is followed by a test, or only AWS can run it', () => {
    const all = steps();
    expect(all.length).toBeGreaterThan(60);
    const left = all.filter(
      ({ section, command }) =>
        ONLY_ON_AWS[command] === undefined &&
        !followed.some((step) => step.section === section && step.command === command),
    );
    expect(left).toEqual([]);
  });

  it('every command that only AWS can run is in the runbook', () => {
    const commands = steps().map(({ command }) => command);
    expect(Object.keys(ONLY_ON_AWS).filter((command) => !commands.includes(command))).toEqual([]);
  });

  it('operations and options of AWS commands exist', () => {
    const calls = steps().filter(({ command }) => MODELS[command.split(' ')[1] ?? ''] !== undefined);
    expect(calls.length).toBeGreaterThan(7);
    for (const { command } of calls) {
      const words = wordsOf(command);
      const { service, operation } = operationOf(words);
      const options = words.filter((word) => word.startsWith('--')).map((word) => pascal(word.slice(2)));
      // The SDK's `UUID` is the CLI's `--uuid`.
      const known = [...membersOf(service, operation), ...GLOBAL_OPTIONS].map((name) => name.toLowerCase());
      const unknown = options.filter((option) => !known.includes(option.toLowerCase()));
      expect({ command, unknown }).toEqual({
        command,
        unknown: [],
      });
    }
  });

  it('mail that somebody switched off is switched on where the reason of refused mails leads to', () => {
    const [, section = ''] =
      /`sending_paused`: [^[]*\[([^\]]+)\]/.exec(readFileSync('docs/runbook.md', 'utf8')) ?? [];
    const commands = steps().filter((step) => step.section === section);
    for (const place of ['account', 'configuration-set'])
      expect(commands).toContainEqual({
        section,
        command: expect.stringMatching(`^aws ses update-${place}-sending-enabled .*--enabled$`),
      });
  });

  it('a command that the section does not say, or a missing value, is refused', () => {
    expect(() => follow('Reconcile', 'admin status')).toThrow('does not say');
    expect(() => follow('Cancel a request', 'admin request cancel ID --reason TEXT', { ID: 'x' })).toThrow(
      'needs TEXT',
    );
    expect(
      follow('Cancel a request', 'admin request cancel ID --reason TEXT', { ID: 'x', TEXT: 'two words' }),
    ).toEqual(['admin', 'request', 'cancel', 'x', '--reason', 'two words']);
  });
});
