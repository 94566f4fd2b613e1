import { readdirSync } from 'node:fs';
import { ENDPOINTS, functionOf } from '../../../shared/contract/endpoints.ts';

it.each(['api', 'signing', 'app'])(
  'every file in functions/%s serves an endpoint of shared/contract/endpoints.ts',
  (area) => {
    const entries = readdirSync(new URL(`../../../functions/${area}`, import.meta.url));
    const files = entries.filter((entry) => entry.endsWith('.ts'));
    const functions = ENDPOINTS.filter((endpoint) => endpoint.area === area).map(functionOf);
    expect(files.sort()).toEqual([...new Set(functions)].map((name) => `${name}.ts`).sort());
  },
);
