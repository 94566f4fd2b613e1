import type { INDEXES } from '../shared/store/indexes.ts';
import type { QueueName } from '../shared/store/stack-names.ts';
import type { Options } from './options.ts';
import type { SecretName } from './secrets.ts';

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';
type IndexName = (typeof INDEXES)[number]['name'];
type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObjectVersion';

/** Allowed actions, each with patterns of object names. */
type BucketUse = Readonly<Partial<Record<ObjectAction, readonly string[]>>> & {
  /** Only a role that may list gets 404 instead of 403 for a missing object. Nothing is actually listed. */
  readonly ListBucket?: true;
  readonly ListBucketVersions?: true;
};

interface Reads {
  readonly queue: QueueName;
  readonly batch: number;
  /** Maximum number of concurrent batches, or the option that holds it. */
  readonly concurrency: number | 'sealConcurrency';
}

export const concurrencyOf = ({ concurrency }: Reads, options: Pick<Options, 'sealConcurrency'>): number =>
  typeof concurrency === 'number' ? concurrency : options[concurrency];

/** Size and permissions of a function. `functions.ts` has one for each function. */
export interface FunctionSpec {
  /** In megabytes. CPU grows with memory: 1769 MB is one vCPU. */
  readonly memory: number;
  readonly seconds: number;
  readonly table?: readonly TableAction[];
  /** May write API keys, owners, members, users, sessions and attempts to sign in. */
  readonly changesAccounts?: true;
  /** Is called with API keys, whose use it records. */
  readonly recordsKeyUse?: true;
  /** Indexes that it may query. */
  readonly indexes?: readonly IndexName[];
  readonly documents?: BucketUse;
  readonly staging?: BucketUse;
  readonly secrets?: readonly SecretName[];
  readonly webhookKey?: readonly ('Encrypt' | 'Decrypt')[];
  /** Signs with the KMS seal key, if the stack has one. */
  readonly sealKey?: true;
  readonly sends?: readonly QueueName[];
  /** Queues on which it may extend the visibility timeout of a message. */
  readonly delays?: readonly QueueName[];
  readonly mails?: true;
  /** Creates links to the service. */
  readonly linksToItself?: true;
  /** Gets the custom domain in its environment, if the stack has one. */
  readonly looksAtDomain?: true;
  /** Gets the seal level in its environment. */
  readonly sealLevel?: true;
  /** Accepts or calls addresses that others chose, such as webhooks. */
  readonly webhookAddresses?: true;
  readonly reads?: readonly Reads[];
  /** Schedule expression. */
  readonly runs?: string;
  /** Invokes itself again if its time limit ends before its work is done. */
  readonly reinvokesItself?: true;
}
