/**
 * The reason that a seal states names its request, so that it is no other request's. The verifier tells by it what was sealed: with
 * another sentence it would no longer know earlier files.
 */
export const documentReason = (requestId: string) => `All signers of request ${requestId} have signed`;
export const evidenceReason = (requestId: string) => `Evidence of request ${requestId}`;
