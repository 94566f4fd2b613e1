import * as app from './app.ts';
import type { Endpoint } from './endpoint.ts';
import { getOpenApi } from './get-openapi.ts';
import { health } from './health.ts';
import * as signatures from './signatures.ts';
import * as signing from './signing.ts';
import * as webhooks from './webhook-endpoints.ts';

const ALL = [
  health,
  getOpenApi,
  signatures.createSignature,
  signatures.listSignatures,
  signatures.getSignature,
  signatures.cancelSignature,
  signatures.getDocument,
  signatures.deleteDocument,
  signatures.getEvidence,
  signatures.getAuditTrail,
  signatures.listEvents,
  signatures.listSigners,
  signatures.resendInvitation,
  signatures.correctSigner,
  signatures.createUpload,
  webhooks.listWebhookEndpoints,
  webhooks.createWebhookEndpoint,
  webhooks.getWebhookEndpoint,
  webhooks.updateWebhookEndpoint,
  webhooks.deleteWebhookEndpoint,
  webhooks.testWebhookEndpoint,
  webhooks.listWebhookDeliveries,
  webhooks.redeliverWebhook,
  signing.openLink,
  signing.sendCode,
  signing.verifyCode,
  signing.getRequest,
  signing.getOriginal,
  signing.sign,
  signing.decline,
  signing.getSealedDocument,
  signing.getSigningEvidence,
  signing.getCopy,
  signing.getLogo,
  app.requestSignIn,
  app.signIn,
  app.signOut,
  app.getMe,
  app.updateMe,
  app.listSessions,
  app.revokeSession,
  app.listMembers,
  app.addMember,
  app.updateMember,
  app.removeMember,
  app.listApiKeys,
  app.createApiKey,
  app.revokeApiKey,
  app.getBrand,
  app.updateBrand,
  app.getNotices,
  app.updateNotices,
] as const satisfies readonly Endpoint[];

export type EndpointName = (typeof ALL)[number]['name'];

/** Every endpoint of the service. Routes, functions and the OpenAPI documents are generated from this list. */
export const ENDPOINTS: readonly Endpoint[] = ALL;

/** The function that serves an endpoint: its own, or one that it shares. */
export const functionOf = ({ name, function: shared }: Endpoint): string => shared ?? name;
