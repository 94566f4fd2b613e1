import { readdirSync } from 'node:fs';
import { ENDPOINTS, functionOf } from '../../../shared/contract/endpoints.ts';

it.each(['api', 'signing', 'app'])(
  'functions/%s has a file for each function of its endpoints, and no other',
  (area) => {
    const entries = readdirSync(new URL(`../../../functions/${area}`, import.meta.url));
    const files = entries.filter((entry) => entry.endsWith('.ts'));
    const functions = ENDPOINTS.filter((endpoint) => endpoint.area === area).map(functionOf);
    expect(files.sort()).toEqual([...new Set(functions)].map((name) => `${name}.ts`).sort());
  },
);
