import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/** Node's environment, from which tests can load modules by Node itself; see load-once.ts. */
export default class extends TestEnvironment {
  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args);
    this.global.requireByNode = createRequire(import.meta.url);
  }
}
