/** The shape of `measured.json`, which `npm run bench:api` writes. */

/** AWS calls by operation, with DynamoDB's capacity units. */
export interface Tally {
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** `service.Operation` → count. */
  operations: Record<string, number>;
}

interface FunctionShare {
  invocations: number;
  cost: Tally;
}

export interface Life {
  signers: number;
  documentBytes: number;
  sealedBytes: number;
  /** Bytes of the items that stay in the table, without indexes. */
  storedBytes: number;
  events: number;
  mails: number;
  functions: Record<string, FunctionShare>;
}

export interface Measured {
  measured_at: string;
  life: Life;
  /** For each scheduled job, a run without anything due. */
  idle: Record<string, Tally>;
}
