/** Where the product's assembly lies while these tests run: each run of jest has its own. */
export const assemblyFolder = (): string => {
  const folder = process.env.TEST_ASSEMBLY;
  if (!folder)
    throw new Error('The stack has not been synthesized for these tests; see test/support/synthesize.ts.');
  return folder;
};
