import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISABLED_RULES } from '../../../infra/checks.ts';
import { resources, template } from './template.ts';

const RULES = 'node_modules/@cdklabs/cdk-validator-cfnguard/rules/control-tower/cfn-guard';

/** The types of resources that a rule reports on, as the head of its file lists them. */
function typesOf(rule: string): string[] {
  const [file = ''] = globSync(`*/${rule}.guard`, { cwd: RULES });
  const [, types = ''] =
    /# Reports on:\n((?:# +AWS::.+\n)+)/.exec(readFileSync(join(RULES, file), 'utf8')) ?? [];
  return types.match(/AWS::\w+::\w+/g) ?? [];
}

it('every disabled rule of the Control Tower set reports on resources that the stack has', () => {
  const present = new Set(Object.values(resources(template())).map(({ Type }) => Type));
  const unneeded = Object.keys(DISABLED_RULES).filter(
    (rule) => !typesOf(rule).some((type) => present.has(type)),
  );
  expect(unneeded).toEqual([]);
});
