/** The product's log lines say nothing in a unit test; what they are tested for is captured there. */
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((chunk: string | Uint8Array, ...rest: []) =>
  typeof chunk === 'string' && /^\{"(level|_aws)":/.test(chunk)
    ? true
    : write(chunk, ...rest)) as typeof process.stdout.write;
