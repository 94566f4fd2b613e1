/**
 * The service's limits. Sentences of the contract and the pages take the numbers from here. It imports nothing, so that browsers
 * can load it.
 */
export const LIMITS = {
  signers: 20,
  /** Different addresses that an owner without a subscription can have mailed in test mode. */
  testAddressesPerDay: 20,
  documentBytes: 10_485_760,
  logoBytes: 102_400,
  titleLength: 200,
  messageLength: 5_000,
  nameLength: 200,
  entityIdLength: 100,
  emailLength: 254,
  filenameLength: 200,
  metadataBytes: 16_384,
  reasonLength: 500,
  referenceLength: 200,
  returnUrlLength: 2_048,
  /** A request expires after so many days, unless fewer are asked for. */
  expiryDays: 30,
  webhookDescriptionLength: 200,
  webhookUrlLength: 2_048,
  webhookEndpoints: 20,
  members: 100,
  /** Of an owner, without those that are revoked. */
  apiKeys: 50,
  /** Mails that tell people of their membership, by one organization in 24 hours. */
  memberMails: 100,
  memberMailsToOne: 3,
  idempotencyKeyLength: 255,
  /** Named in the header `Ignored-Fields`. */
  ignoredFields: 20,
  pageSize: 100,
  /** Of a trail in an answer; the list of events has them all. */
  eventsInAnswer: 1_000,
  /** Of a trail, from its end, in which an answer looks for what is about signers. */
  eventsSearched: 20_000,
  defaultPageSize: 25,
  /** Of the attempts of a webhook endpoint, with what was sent and answered. */
  deliveriesWithBodies: 20,
  /** The newest mails of a signer. */
  mailsInAnswer: 20,
  signatureImageBase64Length: 400_000,
} as const;
