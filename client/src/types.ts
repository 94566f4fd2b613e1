import type { AnswerOf, BodyOf, QueryOf } from '../../shared/contract/endpoint.ts';
import type * as contractErrors from '../../shared/contract/errors.ts';
import type { EventData, EventType as SubscribableType } from '../../shared/contract/events.ts';
import type * as signatures from '../../shared/contract/signatures.ts';
import type * as endpoints from '../../shared/contract/webhook-endpoints.ts';

/** The contract's types. The build writes them out, so that the package needs nothing else. */

export type ServiceErrorCode = contractErrors.ErrorCode;

type CreateBody = BodyOf<typeof signatures.createSignature>;
export type InvitedSigner = NonNullable<CreateBody['signers']>[number];
export type NewSignatureRequestFields = Omit<
  CreateBody,
  'document' | 'signers' | 'signer_email' | 'signer_name'
>;
export type CreatedSignatureRequest = AnswerOf<typeof signatures.createSignature>;
export type SignatureRequest = AnswerOf<typeof signatures.getSignature>;
export type SignatureRequestSummary = AnswerOf<typeof signatures.listSignatures>['data'][number];
export type SignatureRequestFilter = QueryOf<typeof signatures.listSignatures>;
export type RequestStatus = SignatureRequest['status'];
export type Locale = NonNullable<InvitedSigner['locale']>;
export type CancelledSignatureRequest = AnswerOf<typeof signatures.cancelSignature>;
export type DeletedDocument = AnswerOf<typeof signatures.deleteDocument>;
export type Signer = AnswerOf<typeof signatures.listSigners>['data'][number];
export type SignerCorrection = BodyOf<typeof signatures.correctSigner>;
export type CorrectedSigner = AnswerOf<typeof signatures.correctSigner>;
export type AuditEvent = AnswerOf<typeof signatures.listEvents>['data'][number];
export type ResentInvitation = AnswerOf<typeof signatures.resendInvitation>;
export type UploadForm = AnswerOf<typeof signatures.createUpload>;

export type NewWebhookEndpoint = BodyOf<typeof endpoints.createWebhookEndpoint>;
export type WebhookEndpoint = AnswerOf<typeof endpoints.getWebhookEndpoint>;
export type CreatedWebhookEndpoint = AnswerOf<typeof endpoints.createWebhookEndpoint>;
export type WebhookEndpointChanges = BodyOf<typeof endpoints.updateWebhookEndpoint>;
export type DeletedWebhookEndpoint = AnswerOf<typeof endpoints.deleteWebhookEndpoint>;
export type TestedWebhookEndpoint = AnswerOf<typeof endpoints.testWebhookEndpoint>;
export type WebhookDelivery = AnswerOf<typeof endpoints.listWebhookDeliveries>['data'][number];

export type RedeliveredEvent = AnswerOf<typeof endpoints.redeliverWebhook>;

export type EventType = SubscribableType;
/** The event of a webhook. `type` tells the events apart; new types may be added. */
export type WebhookEvent =
  | {
      [Type in SubscribableType]: { id: string; type: Type; created_at: string; data: EventData<Type> };
    }[SubscribableType]
  | {
      id: string;
      type: 'webhook_endpoint.test';
      created_at: string;
      data: { webhook_endpoint_id: string };
    };
