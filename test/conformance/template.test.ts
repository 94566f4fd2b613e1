import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../../local/assembly/template.ts';
import { template } from '../unit/infra/template.ts';
import { CHECKOV_EXCEPTIONS } from './checkov-exceptions.ts';
import { inScratch, pythonTool, requirePythonTools, run, runPython } from './judges.ts';
import { policiesOf } from './policies.ts';

/** The templates of all kinds of stacks before judges of CloudFormation, of policies and of security. */

const REGIONS = ['us-east-1', 'eu-west-1'];
/** The CDK names dependencies that follow from references as well; that is more than needed and not wrong. */
const TOO_MANY_DEPENDENCIES = 'W3005';

const STACKS: Record<string, Record<string, string>> = {
  production: { mailFrom: 'Acme <sign@example.com>', alarmMail: 'ops@example.com' },
  trial: { stage: 'dev' },
  'custom-domain-key-in-kms-no-ingest': {
    domain: 'sign.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-1111-1111-1111-111111111111',
    hostedZoneId: 'Z0123456789ABCDEFGHIJ',
    sealKey: 'ec',
    largeUploads: 'off',
  },
};
/** The CDK's own policy allows `s3:List*` on a bucket, which includes actions on other resources. */
const CDK_OWN = /^CustomCDKBucketDeployment\S+\tRESOURCE_MISMATCH\t/;
/** It can have just the roles of ECS and its scaling made, whose permissions AWS sets. */
const ROLES_OF_ECS =
  /^IngestEntranceLookUpRole\w+\tPERMISSIONS_MANAGEMENT_ACTIONS\t.*\["iam:createservicelinkedrole"\]/;
const MINUTES = 60_000;

interface CheckovReport {
  results: { failed_checks: { check_id: string; check_name: string; resource: string; file_path: string }[] };
  summary: { resource_count: number; parsing_errors: number };
}

const templateOf = (kind: string): Template => template(STACKS[kind]).toJSON() as Template;

/** Writes the templates of all kinds of stacks into a folder, and answers their files. */
const writeTemplates = (folder: string): string[] =>
  Object.keys(STACKS).map((kind) => {
    const file = join(folder, `${kind}.template.json`);
    writeFileSync(file, JSON.stringify(templateOf(kind)));
    return file;
  });

beforeAll(() => requirePythonTools('cfn-lint', 'checkov', 'parliament'));

it(
  'the templates are as CloudFormation wants them',
  () =>
    inScratch(async (folder) => {
      const { output } = await run(
        pythonTool('cfn-lint'),
        [
          ...['--regions', ...REGIONS, '--ignore-checks', TOO_MANY_DEPENDENCIES],
          ...['--template', ...writeTemplates(folder)],
        ],
        180,
      );
      expect(output).toBe('');
    }),
  4 * MINUTES,
);

it(
  'the policies of all roles name actions, resources and conditions that go together, and grant no more than they seem to',
  () =>
    inScratch(async (folder) => {
      const policies = Object.assign({}, ...Object.keys(STACKS).map((kind) => policiesOf(templateOf(kind))));
      const file = join(folder, 'policies.json');
      writeFileSync(file, JSON.stringify(policies));
      const { code, output, complaints } = await runPython('parliament_judge.py', file);
      if (code !== 0) throw new Error(`Parliament ended with ${code}.\n${complaints}`);
      const accepted = (line: string) => CDK_OWN.test(line) || ROLES_OF_ECS.test(line);
      expect(output.split('\n').filter((line) => line !== '' && !accepted(line))).toEqual([]);
    }),
  2 * MINUTES,
);

it(
  'checkov finds nothing but what we accept with a reason, and every exception is still needed',
  () =>
    inScratch(async (folder) => {
      const flags = [
        '--framework',
        'cloudformation',
        '--skip-download',
        '--compact',
        '--quiet',
        '-o',
        'json',
      ];
      const { output, complaints } = await run(
        pythonTool('checkov'),
        [...flags, '-f', ...writeTemplates(folder)],
        240,
      );
      if (output === '') throw new Error(`Checkov said nothing.\n${complaints}`);
      const { results, summary }: CheckovReport = JSON.parse(output);
      const isAccepted = (check: string, resource: string) =>
        CHECKOV_EXCEPTIONS[check]?.[0].test(resource) ?? false;
      expect({
        unreadable: summary.parsing_errors,
        found: results.failed_checks
          .filter(({ check_id, resource }) => !isAccepted(check_id, resource))
          .map(({ check_id, check_name, resource, file_path }) =>
            [check_id, check_name, resource, file_path].join(' '),
          ),
        unneeded: Object.keys(CHECKOV_EXCEPTIONS).filter(
          (check) => !results.failed_checks.some(({ check_id }) => check_id === check),
        ),
      }).toEqual({ unreadable: 0, found: [], unneeded: [] });
      expect(summary.resource_count).toBeGreaterThan(900);
    }),
  5 * MINUTES,
);
