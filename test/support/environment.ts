import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import { types } from 'node:util';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

type IsOne = (value: unknown) => boolean;

const ERRORS = ['Error', 'TypeError', 'RangeError', 'SyntaxError'];
const TYPES: [name: string, isOne: IsOne][] = [
  ...ERRORS.map((name): [string, IsOne] => [
    name,
    (value) => types.isNativeError(value) && descendsFrom(name, value),
  ]),
  ['Object', (value) => typeof value === 'object' && descendsFrom('Object', value)],
  ['Array', Array.isArray],
  ['Date', types.isDate],
  ['Map', types.isMap],
  ['Set', types.isSet],
  ['RegExp', types.isRegExp],
  ['Promise', types.isPromise],
];

function descendsFrom(name: string, value: object | null): boolean {
  for (let one = value; one; one = Object.getPrototypeOf(one))
    if (Object.hasOwn(one, 'constructor') && one.constructor.name === name) return true;
  return false;
}

/** Each context has types of its own; `instanceof` has to hold for the values of another one too. */
function recognizeForeignValues(context: object): void {
  for (const [name, isOne] of TYPES) {
    const type: object = Reflect.get(context, name);
    Object.defineProperty(type, Symbol.hasInstance, {
      configurable: true,
      value(this: unknown, value: unknown) {
        return Function.prototype[Symbol.hasInstance].call(this, value) || (this === type && isOne(value));
      },
    });
  }
}

// Of Node's own context, in which the packages are that tests pass values to; see packages-by-node.mjs.
recognizeForeignValues(globalThis);

const { compileFunction } = vm;
const compiled = new Map<string, vm.Script>();

/**
 * Jest compiles its own modules again for each test file, which takes longer than many of them. A script is compiled once for
 * all contexts; one that imports dynamically is not, since it would import into the first.
 */
vm.compileFunction = (code, names = [], options = {}) => {
  const { filename, parsingContext } = options;
  if (!parsingContext || !filename?.includes('/node_modules/') || code.includes('import('))
    return compileFunction(code, names, options);
  const script =
    compiled.get(filename) ?? new vm.Script(`(function (${names.join()}) {${code}\n})`, { filename });
  compiled.set(filename, script);
  return script.runInContext(parsingContext);
};

/** As in the bundles (infra/bundles.ts), pdf-lib compresses by Node's zlib, which takes a tenth of the time. */
const PAKO = new URL('../../infra/stand-ins/pako.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'pako' && context.parentURL?.includes('/node_modules/pdf-lib/')
      ? { url: PAKO, shortCircuit: true }
      : next(name, context),
});

const requireByNode = createRequire(import.meta.url);

/** Node's environment, from which tests can load modules by Node itself; see load-once.ts. */
export default class extends TestEnvironment {
  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    const { createContext } = vm;
    // Jest passes a proxy, which every use of a global name would ask: `Math` takes a hundred times as long there.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
    this.global.requireByNode = requireByNode;
    recognizeForeignValues(this.global);
  }

  /** Test files share the classes of packages, so the next one would meet the AWS clients that this one replaced. */
  override async teardown(): Promise<void> {
    const mocks = requireByNode.cache[requireByNode.resolve('aws-sdk-client-mock')];
    mocks?.require('sinon').restore();
    await super.teardown();
    // Jest replaces a grown worker by a signal, at which Node would not write its cache for the next one.
    flushCompileCache();
  }
}
