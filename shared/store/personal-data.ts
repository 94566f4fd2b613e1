import type * as keys from './keys.ts';

/**
 * The personal data in each kind of item, and how `admin person erase` treats it. A new kind of item compiles
 * only once it is here; `npm run docs` writes this into docs/privacy.md.
 */

type ItemKind = Extract<keyof typeof keys, `${string}Key`>;

interface PersonalData {
  item: string;
  holds: string;
  erasing: string;
}

const none = (item: string, holds = 'nothing'): PersonalData => ({ item, holds, erasing: 'stays' });

export const PERSONAL_DATA: Readonly<Record<ItemKind, PersonalData>> = {
  metaKey: none(
    'request: state',
    'nothing of a signer; the title is the sender’s text; the address of the user who made it on the dashboard',
  ),
  contentKey: none(
    'request: what never changes',
    'nothing of its own; message, metadata and file name are the sender’s texts',
  ),
  signerKey: {
    item: 'signer',
    holds:
      'name and address, also those before a correction, IP address, user agent, typed signature, reason, who was represented, which mails were sent and what came of them, and the link’s token',
    erasing: 'neutral values in their place; ids, times and states stay',
  },
  auditKey: {
    item: 'audit event',
    holds: 'the same values as they were when it happened, each with its salt',
    erasing: 'values and salts deleted; commitments and hashes stay',
  },
  tokenKey: {
    item: 'link of an earlier version',
    holds: 'which signer the link is for',
    erasing: 'deleted: the link is dead',
  },
  copyKey: none(
    'link to a sealed document',
    'which signer the link is for, for at most 37 days; erasing ends the link',
  ),
  signerRequestKey: {
    item: 'request of a signer',
    holds: 'the SHA-256 of the address',
    erasing: 'deleted, last of all',
  },
  formerSignerKey: {
    item: 'request of a signer before a correction',
    holds: 'the SHA-256 of the address before it',
    erasing: 'deleted with the signer',
  },
  referenceKey: none('request by reference', 'nothing; the reference, as SHA-256, is the sender’s text'),
  titleKey: none('request by title', 'nothing; the title is the sender’s text'),
  outboxKey: {
    item: 'outbox',
    holds: 'name, address and reason in the body of a webhook event, until it is sent: seconds, as a rule',
    erasing: 'neutral values in their place',
  },
  deliveryKey: {
    item: 'delivery',
    holds:
      'name, address and reason in the body of the webhook event, and what the receiver answered, for 30 days',
    erasing: 'body and answer deleted: the event cannot be delivered again',
  },
  idempotencyKey: none(
    'idempotency key',
    'nothing but the SHA-256 of the body, for 24 hours from the call that creates the request',
  ),
  testMailsKey: none(
    'test mails of a day',
    'a hash of the address with the owner’s id, until midnight (UTC)',
  ),
  uploadKey: none('upload'),
  objectClaimKey: none('claim of an object', 'the signer’s id in the name of a drawing, for an hour'),
  ownerKey: none('owner', 'nothing of a signer; a user’s address, and that of notices to the sender'),
  logoKey: none('logo of a brand'),
  ownersKeyKey: none('an owner’s key'),
  keyUseKey: none('last use of an API key'),
  apiKeyKey: none('API key', 'nothing of a signer; a user’s address'),
  userAddressKey: none('user by address', 'nothing of a signer; the SHA-256 of a user’s address'),
  attemptKey: none(
    'attempt to sign in',
    'nothing of a signer; the SHA-256 of an address, for 10 minutes, or 90 days in a browser in which its user has signed in',
  ),
  askedCodesKey: none(
    'codes asked for to sign in',
    'nothing of a signer; the SHA-256 of an address, with hashes of networks and ids of known browsers, for 24 hours',
  ),
  sessionKey: none('session of a user', 'nothing of a signer; the user’s browser, for 12 hours'),
  memberKey: none('member of an organization', 'nothing of a signer; a user’s address'),
  memberOfKey: none('organization of a user'),
  accountEventKey: none(
    'event of an account',
    'nothing of a signer; a user’s id, IP address and browser, for a year',
  ),
  endpointKey: none('webhook endpoint'),
  endpointCountKey: none('number of endpoints'),
  jobKey: none('state of a job'),
  sealFaultKey: none('why a seal waits', 'nothing of a signer; names of certificates and hosts, for 90 days'),
  proofsKey: none('proofs of a certificate'),
};
