import { readdirSync } from 'node:fs';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';

it.each(['api', 'signing'])(
  'every file in functions/%s serves an endpoint of shared/contract/endpoints.ts',
  (area) => {
    const files = readdirSync(new URL(`../../../functions/${area}`, import.meta.url));
    const endpoints = ENDPOINTS.filter((endpoint) => endpoint.area === area);
    expect(files.sort()).toEqual(endpoints.map(({ name }) => `${name}.ts`).sort());
  },
);
