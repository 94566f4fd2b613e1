import { builtinModules } from 'node:module';
import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser';

/**
 * Allowed imports between folders, types included. `npm run lint` enforces it without exceptions, docs/architecture.md draws it.
 */

/** The rooms of shared/, top floor first. An import goes down or stays in its room: never up, never across. */
export const FLOORS = [
  ['http'],
  ['creation', 'stamping', 'work'],
  ['verification', 'webhooks', 'audit', 'notices', 'accounts', 'views'],
  ['mail', 'store'],
  ['requests'],
  ['contract'],
  ['sealing', 'typesetting', 'texts'],
  // Below all others, which may use it.
  ['runtime'],
];

/** Folders, rooms or files that each folder may import besides itself. */
export const HOUSE: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  // One function answers the document.
  functions: ['shared', 'docs/openapi.json'],
  admin: ['shared'],
  // Alarms name the metrics that functions write; the table has the indexes that the store queries; the operator's command
  // asks for jobs, queues and outputs by name.
  infra: [
    'shared/contract',
    'shared/runtime/metrics.ts',
    'shared/store/indexes.ts',
    'shared/store/stack-names.ts',
  ],
  // The command says what the verify page says.
  client: [
    'shared/contract',
    'shared/sealing',
    'shared/texts/en',
    // The chain of events is computed again from what it was computed from.
    'shared/runtime/canonical-json.ts',
    'shared/runtime/value-paths.ts',
    'shared/runtime/columns.ts',
    'shared/runtime/shown-json.ts',
  ],
  // The client as tools of an assistant, which checks by the contract before it asks a person.
  mcp: ['client', 'shared/contract'],
  // Typed signatures look as they will in the PDF: the same fonts, chosen by the same code.
  web: [
    'shared/contract',
    'shared/texts',
    'shared/runtime/is-url.ts',
    'shared/runtime/visible.ts',
    'shared/typesetting/scripts.ts',
    'shared/typesetting/fonts',
    'client',
  ],
  // Runs any stack, so it knows nothing of this one.
  local: [],
  // Generates pages from errors, endpoints, notices, function sizes, personal data and these floors. Its site looks like the others.
  docs: [
    'web/parts',
    'shared/contract',
    'shared/notices',
    'shared/requests',
    'shared/store/personal-data.ts',
    'infra',
    'floors.config.ts',
  ],
  // May import everything, and no other row names it.
  test: ['.*'],
};

/** They take types from the contract, which a bundler erases, and the limits: a schema would bring all of zod along. */
const TYPES_ONLY = ['client', 'web'];
const LIMITS = 'shared/contract/limits.ts';

const within = (paths: readonly string[]) => `^(${paths.join('|')})(/|$)`;
const inShared = (rooms: readonly string[]) => rooms.map((room) => `shared/${room}`);
const row = (from: string, to: readonly string[]): IForbiddenRuleType => ({
  severity: 'error',
  name: `${from} may import ${to.join(', ') || 'nothing else'}`,
  from: { path: within([from]) },
  to: { dependencyTypes: ['local'], pathNot: within([from, ...to]) },
});

const downwards = FLOORS.flatMap((floor, index) => {
  const below = inShared(FLOORS.slice(index + 1).flat());
  return inShared(floor).map((room) => row(room, below));
});
const ROOMS = inShared(FLOORS.flat());

export default {
  forbidden: [
    ...downwards,
    ...Object.entries(HOUSE).map(([folder, others]) => row(folder, others)),
    // Both pages use the parts, so the parts know neither page.
    row('web/parts', ['shared/texts']),
    row(LIMITS, []),
    {
      severity: 'error',
      name: 'browser code takes only types and limits from the contract',
      from: { path: within(TYPES_ONLY) },
      to: {
        path: within(['shared/contract']),
        pathNot: within([LIMITS]),
        dependencyTypesNot: ['type-only', 'type-import'],
      },
    },
    {
      severity: 'error',
      name: 'client and verifier run in a browser, so nothing that they import leads to Node',
      from: { path: within(['client/verifier', 'client/src']), pathNot: '^client/src/node\\.ts$' },
      to: { reachable: true, path: `^(node:)?(${builtinModules.join('|')})$` },
    },
    {
      severity: 'error',
      name: 'every folder has a row in HOUSE, every room in shared/ a floor',
      from: {
        path: '/',
        pathNot: within([...Object.keys(HOUSE).filter((folder) => folder !== 'shared'), ...ROOMS]),
      },
      to: { dependencyTypes: ['local'] },
    },
    { severity: 'error', name: 'no circles', from: {}, to: { circular: true } },
    {
      severity: 'error',
      name: 'imports that resolve to nothing escape the rules above',
      from: {},
      to: { path: '^\\.', couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    exclude: {
      path: '^(node_modules|build|client/dist|mcp/dist|test/conformance/generated|cdk\\.out|artifacts|coverage|\\.(git|local|cache))/',
    },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
} satisfies IConfiguration;
