/** The language of CloudFront functions, JavaScript runtime 2.0. */
import { type TransformOptions, transformSync } from 'esbuild';

/** ECMAScript 5.1, and what the CloudFront Developer Guide lists beyond it. */
const RUNTIME: TransformOptions = {
  target: 'es5',
  supported: {
    'const-and-let': true,
    arrow: true,
    'rest-argument': true,
    'template-literal': true,
    'async-await': true,
    'exponent-operator': true,
  },
};

const printed = (code: string, options: TransformOptions): string =>
  transformSync(code, { ...options, format: 'esm', logLevel: 'silent' }).code;

/** Whether the code needs no newer language: a compiler for this runtime leaves it unchanged. */
export function runsOnCloudFront(code: string): boolean {
  try {
    return printed(code, RUNTIME) === printed(code, { target: 'esnext' });
  } catch {
    return false;
  }
}
