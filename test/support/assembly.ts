/** Where the product's assembly lies while the tests run. */
export const ASSEMBLY = 'build/test-assembly';
