import { LIMITS } from '../limits.ts';

/** The groups of the document, by resource. */

export const REQUESTS = 'Signature requests';
export const SIGNERS = 'Signers';
export const DOCUMENTS = 'Documents';
export const WEBHOOKS = 'Webhooks';
export const SERVICE = 'Service';
export const SIGNING = 'Signing';
export const SIGN_IN = 'Sign-in';
export const ACCOUNT = 'Account';

export const TAGS: Readonly<Record<string, string>> = {
  [REQUESTS]: `One PDF that 1 to ${LIMITS.signers} people are asked to sign: create it, follow it, cancel it.`,
  [SIGNERS]: 'The people who are asked to sign, and their invitations.',
  [DOCUMENTS]: 'The PDFs of a request: what is uploaded, sealed and deleted.',
  [WEBHOOKS]: 'Calls to your system when a request changes, and where they go.',
  [SERVICE]: 'The service itself.',
  [SIGNING]: 'The calls of the signing page.',
  [ACCOUNT]: 'Members, API keys, brand and notices of an organization or a user.',
  [SIGN_IN]: 'Signing in to the dashboard with a mailed code, and sessions.',
};
