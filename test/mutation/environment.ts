import Environment from '../support/environment.ts';
import { loadOnce } from '../support/load-once.ts';

/** What `require` finds: an import would find Stryker's plug-in. */
const { mixinJestEnvironment } = loadOnce<{ mixinJestEnvironment: <Type>(environment: Type) => Type }>(
  '@stryker-mutator/jest-runner',
);

/** The unit tests' environment, with Stryker's record of which test runs which mutant. */
export default mixinJestEnvironment(Environment);
