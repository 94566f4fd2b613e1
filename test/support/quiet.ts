/** The log lines of product code that runs in the test's own process say nothing there; what they are tested for is captured. */
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((chunk: string | Uint8Array, ...rest: []) =>
  typeof chunk === 'string' && /^\{"(level|_aws)":/.test(chunk)
    ? true
    : write(chunk, ...rest)) as typeof process.stdout.write;
