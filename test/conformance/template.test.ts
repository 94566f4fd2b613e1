import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { inScratch, pythonTool, requirePythonTools, run } from './judges.ts';

/** The templates of all kinds of stacks, held by cfn-lint against the schemas of CloudFormation's resources. */

const REGIONS = ['us-east-1', 'eu-west-1'];
/** The CDK names dependencies that follow from references as well; that is more than needed and not wrong. */
const TOO_MANY_DEPENDENCIES = 'W3005';

const STACKS: [kind: string, context: Record<string, string>][] = [
  ['production', { mailFrom: 'Acme <sign@example.com>', alarmMail: 'ops@example.com' }],
  ['for trying', { stage: 'dev' }],
  [
    'with a domain and a key in KMS, without the ingest',
    {
      domain: 'sign.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-1111-1111-1111-111111111111',
      hostedZoneId: 'Z0123456789ABCDEFGHIJ',
      sealKey: 'ec',
      largeUploads: 'off',
    },
  ],
];

beforeAll(() => requirePythonTools('cfn-lint'));

it.each(STACKS)(
  'a stack %s is as CloudFormation wants it',
  async (_kind, context) => {
    await inScratch(async (folder) => {
      execFileSync(process.execPath, ['infra/app.ts'], {
        env: {
          ...process.env,
          CDK_OUTDIR: folder,
          CDK_VALIDATION: 'false',
          CDK_CONTEXT_JSON: JSON.stringify(context),
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const template = join(folder, 'SignatureRequests.template.json');
      const { output } = await run(pythonTool('cfn-lint'), [
        '--regions',
        ...REGIONS,
        '--ignore-checks',
        TOO_MANY_DEPENDENCIES,
        '--template',
        template,
      ]);
      expect(output).toBe('');
    });
  },
  120_000,
);
