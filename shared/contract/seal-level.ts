/** The PAdES levels that a deployment may choose for its seals. */
export const SEAL_LEVELS = ['B-T', 'B-LT', 'B-LTA'] as const;
