import { globSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModernFakeTimers } from '@jest/fake-timers';
import type {
  CoverageData,
  InstrumenterContext,
  Mutant,
  MutantCoverage,
  StrykerOptions,
} from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { expect } from 'expect';
import circus, { getState, resetState } from 'jest-circus';
import { ModuleMocker } from 'jest-mock';

/**
 * Runs the unit tests of one room in Stryker's process: Node loads the files of the repository once, and each mutant then
 * loads only the test files again that reach it. jest would load everything again for each mutant, which takes seconds.
 * The tests are the same; jest's own parts collect them, compare and mock.
 */

type Block = ReturnType<typeof getState>['rootDescribeBlock'];
type Test = Extract<Block['children'][number], { type: 'test' }>;
type HookKind = Block['hooks'][number]['type'];

interface Loaded {
  file: string;
  root: Block;
  ids: Map<Test, string>;
}

declare global {
  var __stryker__: InstrumenterContext | undefined;
}

// Instrumented code asks this object which mutant is active, and counts there what it runs.
const coverage: MutantCoverage = { static: {}, perTest: {} };
const stryker: InstrumenterContext = { mutantCoverage: coverage };
globalThis.__stryker__ = stryker;

function activate(mutant: string | undefined): void {
  if (mutant === undefined) delete stryker.activeMutant;
  else stryker.activeMutant = mutant;
}

function attributeTo(test: string | undefined): void {
  if (test === undefined) delete stryker.currentTestId;
  else stryker.currentTestId = test;
}

/** Files of one generation are loaded once; the next one has all of them anew. */
let generation = 0;
let imports = 0;

/** The globals of test files. */
function installGlobals(): void {
  const mocker = new ModuleMocker(globalThis);
  // The config is asked for nothing but limits, which have defaults.
  const timers = new ModernFakeTimers({ config: Object.create(null), global: globalThis });
  const jest = {
    fn: mocker.fn.bind(mocker),
    spyOn: mocker.spyOn.bind(mocker),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    clearAllMocks: () => mocker.clearAllMocks(),
    useFakeTimers: (config = {}) => timers.useFakeTimers({ advanceTimers: false, ...config }),
    useRealTimers: () => timers.useRealTimers(),
    setSystemTime: (now?: number | Date) => timers.setSystemTime(now),
    setTimerTickMode: (mode: Parameters<typeof timers.setTimerTickMode>[0]) => timers.setTimerTickMode(mode),
    advanceTimersByTime: (ms: number) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
    setTimeout: () => undefined,
  };
  Object.assign(globalThis, { ...circus, expect, jest });
}

function installHooks(sandbox: string): void {
  const root = pathToFileURL(`${sandbox}/`).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@jest/globals')
        return { url: 'data:text/javascript,export const { jest } = globalThis', shortCircuit: true };
      const resolved = next(specifier, context);
      const isOwn = resolved.url.startsWith(root) && !resolved.url.includes('/node_modules/');
      if (!isOwn || resolved.url.includes('?') || !resolved.url.endsWith('.ts')) return resolved;
      return { ...resolved, url: `${resolved.url}?generation=${generation}` };
    },
  });
}

const childrenOf = (block: Block): Test[] =>
  block.children.flatMap((child) => (child.type === 'test' ? [child] : childrenOf(child)));

/** From the outermost to the innermost. */
const blocksAround = (test: Test): Block[] => {
  const blocks: Block[] = [];
  for (let block: Block | undefined = test.parent; block; block = block.parent) blocks.unshift(block);
  return blocks;
};

/** By place: a name may hold what a test file makes at random. */
const idsOf = (file: string, root: Block): Map<Test, string> =>
  new Map(childrenOf(root).map((test, place) => [test, `${file} ${place}`]));

async function load(file: string): Promise<Loaded> {
  resetState();
  imports += 1;
  await import(`${pathToFileURL(file).href}?generation=${generation}&import=${imports}`);
  const root = getState().rootDescribeBlock;
  const name = relative(process.cwd(), file);
  return { file: name, root, ids: idsOf(name, root) };
}

const hooksOf = (block: Block, kind: HookKind) => block.hooks.filter(({ type }) => type === kind);

/** A function that takes a parameter calls it when it is done. */
async function call(fn: unknown): Promise<void> {
  if (typeof fn !== 'function') return;
  if (fn.length === 0) return void (await fn());
  await new Promise<void>((resolve, reject) => {
    fn((error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Rejections that nobody handled since a test began: jest fails the test that runs. */
const unhandled: unknown[] = [];

async function failureOf(steps: readonly unknown[]): Promise<string | undefined> {
  unhandled.length = 0;
  try {
    for (const step of steps) await call(step);
  } catch (error) {
    return messageOf(error);
  }
  return unhandled.length > 0 ? messageOf(unhandled[0]) : undefined;
}

class Run {
  readonly results: TestResult[] = [];
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #stopsAtFailure: boolean;

  constructor(wanted: readonly string[] | undefined, stopsAtFailure: boolean) {
    this.#wanted = wanted && new Set(wanted);
    this.#stopsAtFailure = stopsAtFailure;
  }

  get failed(): TestResult | undefined {
    return this.results.find(({ status }) => status === TestStatus.Failed);
  }

  get #isOver(): boolean {
    return this.#stopsAtFailure && this.failed !== undefined;
  }

  async runFile({ root, ids, file }: Loaded): Promise<void> {
    await this.#runBlock(root, ids, file, undefined);
  }

  async #runBlock(block: Block, ids: Loaded['ids'], file: string, broken: string | undefined): Promise<void> {
    const chosen = childrenOf(block).flatMap((test) => {
      const id = ids.get(test);
      return id !== undefined && test.mode !== 'skip' && test.mode !== 'todo' && this.#wants(id) ? [id] : [];
    });
    if (chosen.length === 0 || this.#isOver) return;
    const before = hooksOf(block, 'beforeAll').map(({ fn }) => fn);
    const failure = broken ?? (await coveredBy(chosen, () => failureOf(before)));
    for (const child of block.children) {
      if (this.#isOver) break;
      if (child.type === 'describeBlock') await this.#runBlock(child, ids, file, failure);
      else {
        const id = ids.get(child);
        if (id !== undefined && chosen.includes(id)) await this.#runTest(child, id, file, failure);
      }
    }
    await coveredBy(chosen, () => failureOf(hooksOf(block, 'afterAll').map(({ fn }) => fn)));
  }

  #wants(id: string): boolean {
    return this.#wanted?.has(id) ?? true;
  }

  async #runTest(test: Test, id: string, fileName: string, broken: string | undefined): Promise<void> {
    const blocks = blocksAround(test);
    const before = blocks.flatMap((block) => hooksOf(block, 'beforeEach').map(({ fn }) => fn));
    const after = blocks.toReversed().flatMap((block) => hooksOf(block, 'afterEach').map(({ fn }) => fn));
    const started = performance.now();
    attributeTo(id);
    const failure = broken ?? (await failureOf([...before, test.fn]));
    const failureAfter = await failureOf(after);
    attributeTo(undefined);
    const timeSpentMs = performance.now() - started;
    const failureMessage = failure ?? failureAfter;
    const result = { id, name: id, fileName, timeSpentMs };
    this.results.push(
      failureMessage === undefined
        ? { ...result, status: TestStatus.Success }
        : { ...result, status: TestStatus.Failed, failureMessage },
    );
  }
}

const SHARED = 'shared';

/** Code that a hook or the body of a test file runs counts as covered by each of its tests. */
async function coveredBy<Value>(
  tests: readonly string[] | ((value: Value) => Iterable<string>),
  run: () => Promise<Value>,
): Promise<Value> {
  attributeTo(SHARED);
  const value = await run();
  attributeTo(undefined);
  const covered: CoverageData = coverage.perTest[SHARED] ?? {};
  const all = typeof tests === 'function' ? [...tests(value)] : tests;
  delete coverage.perTest[SHARED];
  for (const test of all) {
    coverage.perTest[test] ??= {};
    add(coverage.perTest[test], covered);
  }
  return value;
}

function add(counts: CoverageData, more: CoverageData): void {
  for (const [mutant, hits] of Object.entries(more)) counts[mutant] = (counts[mutant] ?? 0) + hits;
}

const failedIn = (result: DryRunResult): TestResult | undefined =>
  result.status === DryRunStatus.Complete
    ? result.tests.find(({ status }) => status === TestStatus.Failed)
    : undefined;

class RoomRunner implements TestRunner {
  static inject = tokens(commonTokens.options);
  readonly #room: unknown;
  #files: string[] = [];
  /** Mutants that the bodies of test files run. */
  readonly #bodies: CoverageData = {};
  /** The generation whose modules are all loaded. */
  #loaded: number | undefined;

  constructor(options: StrykerOptions) {
    this.#room = options.room;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const sandbox = process.cwd();
    installGlobals();
    installHooks(sandbox);
    process.on('unhandledRejection', (reason) => unhandled.push(reason));
    const support = (name: string) => import(pathToFileURL(join(sandbox, 'test/support', name)).href);
    (await support('run-folder.ts')).default();
    await support('quiet.ts');
    this.#files = globSync(`test/unit/${this.#room}/**/*.test.ts`)
      .toSorted()
      .map((file) => join(sandbox, file));
  }

  async dispose(): Promise<void> {
    const { default: remove } = await import(
      pathToFileURL(join(process.cwd(), 'test/support/remove-run-folder.ts')).href
    );
    await remove();
  }

  async dryRun(): Promise<DryRunResult> {
    await this.#loadModules();
    // The bodies of the test files run again here, the bodies of modules do not.
    const { results } = await this.#run(undefined, undefined, false);
    const bodies = this.#bodies;
    const ofModules = Object.entries(coverage.static).filter(
      ([mutant, hits]) => hits > (bodies[mutant] ?? 0),
    );
    const mutantCoverage = { static: Object.fromEntries(ofModules), perTest: coverage.perTest };
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage };
  }

  /** Loads all that test files import, so that a mutant that is active later can change no body of a module. */
  async #loadModules(): Promise<void> {
    activate(undefined);
    for (const file of this.#files) {
      await load(file);
      restoreClients();
    }
    this.#loaded = generation;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const isStatic = options.mutantActivation === 'static';
    if (isStatic) this.#startAnew();
    else if (this.#loaded !== generation) await this.#loadModules();
    const first = await this.#try(options);
    const isTriedAgain =
      !isStatic && first.status === DryRunStatus.Complete && !(await this.#isBelievable(first));
    if (isTriedAgain) this.#startAnew();
    const result = isTriedAgain ? await this.#try(options) : first;
    if (isStatic || isTriedAgain || result.status !== DryRunStatus.Complete) this.#startAnew();
    if (isTriedAgain && failedIn(result) && !(await this.#isBelievable(result)))
      throw new Error('This process is of no more use: a test fails in it without a mutant.');
    return toMutantRunResult(result);
  }

  async #try({ testFilter, disableBail, hitLimit, activeMutant }: MutantRunOptions): Promise<DryRunResult> {
    stryker.hitCount = 0;
    if (hitLimit === undefined) delete stryker.hitLimit;
    else stryker.hitLimit = hitLimit;
    const { results } = await this.#run(testFilter, activeMutant, !disableBail);
    const limit = determineHitLimitReached(stryker.hitCount, stryker.hitLimit);
    return limit ?? { status: DryRunStatus.Complete, tests: results };
  }

  /**
   * An earlier mutant may have left its traces in a value that files share, so a test that failed has to pass without the
   * mutant. A value kept since the mutant was not there yet may hide it, so one that survived is tried again from the start.
   */
  async #isBelievable(result: DryRunResult): Promise<boolean> {
    const failed = failedIn(result);
    if (!failed) return false;
    const again = await this.#run([failed.id], undefined, true);
    return again.failed === undefined;
  }

  async #loadTests(file: string): Promise<Loaded> {
    return coveredBy(
      ({ ids }) => {
        add(this.#bodies, coverage.perTest[SHARED] ?? {});
        return ids.values();
      },
      () => load(file),
    );
  }

  #startAnew(): void {
    generation += 1;
  }

  async #run(
    wanted: readonly string[] | undefined,
    mutant: Pick<Mutant, 'id' | 'fileName'> | undefined,
    stopsAtFailure: boolean,
  ): Promise<Run> {
    const run = new Run(wanted, stopsAtFailure);
    const own = mutant && `${basename(mutant.fileName, '.ts')}.test.ts`;
    // The tests of a mutant's own file come first, since they are the likeliest to fail.
    for (const file of this.#files.toSorted(
      (a, b) => Number(basename(b) === own) - Number(basename(a) === own),
    )) {
      const name = relative(process.cwd(), file);
      if (wanted && !wanted.some((id) => id.startsWith(`${name} `))) continue;
      activate(mutant?.id);
      try {
        const loaded = await this.#loadTests(file);
        await run.runFile(loaded);
      } catch (error) {
        // The file itself fails with this mutant.
        const failureMessage = messageOf(error);
        const id = `${name} loads`;
        const result = { id, name: id, fileName: name, timeSpentMs: 0 };
        run.results.push({ ...result, status: TestStatus.Failed, failureMessage });
      } finally {
        activate(undefined);
        restoreClients();
      }
      if (stopsAtFailure && run.failed) break;
    }
    return run;
  }
}

/** Test files share the classes of packages, so the next one would meet the AWS clients that this one replaced. */
const mocks = createRequire(createRequire(import.meta.url).resolve('aws-sdk-client-mock'));
const restoreClients = (): void => mocks('sinon').restore();

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'room', RoomRunner)];

/** Stryker refuses options that no plugin names. */
export const strykerValidationSchema = {
  properties: { room: { type: 'string', description: 'The folder under `test/unit/`.' } },
};
