import { readFileSync } from 'node:fs';
import { withLoadTable } from '../../../docs/cost/load.ts';
import { baseLines, costPage, PARTS, requestLines } from '../../../docs/cost/page.ts';
import { JOBS } from '../../../infra/functions.ts';
import { template } from '../infra/template.ts';

const count = (type: string, options: Record<string, string> = {}) =>
  Object.keys(template(options).findResources(type)).length;

describe('the cost page', () => {
  it('is what the script makes of the measured calls and the prices', () => {
    expect(readFileSync('docs/cost.md', 'utf8')).toBe(costPage());
  });

  it('gives docs/scale.md its table of loads', () => {
    const page = readFileSync('docs/scale.md', 'utf8');
    expect(withLoadTable(page)).toBe(page);
  });

  it('counts the parts that the stack has', () => {
    const prod = template();
    const number = (type: string) => Object.keys(prod.findResources(type)).length;
    const [acl] = Object.values(prod.findResources('AWS::WAFv2::WebACL'));
    expect({
      secrets: number('AWS::SecretsManager::Secret'),
      queuesThatAreRead: number('AWS::Lambda::EventSourceMapping'),
      alarms: number('AWS::CloudWatch::Alarm'),
      firewallRules: acl?.Properties.Rules.length,
    }).toEqual(PARTS);
    expect(number('AWS::CloudWatch::Dashboard')).toBe(1);
    expect(number('AWS::KMS::Key')).toBe(1);
    expect(number('AWS::ElasticLoadBalancingV2::LoadBalancer')).toBe(1);
    expect(number('AWS::EC2::NatGateway')).toBe(0);
  });

  it('takes a stack for trying to have no firewall, alarms or load balancer', () => {
    const types = [
      'AWS::WAFv2::WebACL',
      'AWS::CloudWatch::Alarm',
      'AWS::ElasticLoadBalancingV2::LoadBalancer',
    ];
    expect(types.map((type) => count(type, { stage: 'dev' }))).toEqual([0, 0, 0]);
  });

  it('has a measured run of every scheduled job, and no part of a price that is not a number', () => {
    expect(Object.values(JOBS).filter((job) => 'runs' in job)).toHaveLength(5);
    for (const lines of [baseLines(), requestLines()])
      for (const value of Object.values(lines)) expect(value).toBeGreaterThanOrEqual(0);
  });
});
