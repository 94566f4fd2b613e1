import { type Answer, type Call, type RequestHead, type Service, ServiceError } from '../service.ts';
import type { AuthenticationFailureKind } from '../signatures.ts';
import { toXml, type XmlValue } from '../xml.ts';
import { configTree, headersOf } from './config.ts';
import type { Distribution, Distributions } from './distributions.ts';

/** CloudFront: a distribution is read, and its configuration replaced. */

const distributionPath = /^\/2020-05-31\/distribution\/([^/]+)(\/config)?$/;
const namespace = 'xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"';

const operations: Record<string, string> = {
  'GET ': 'GetDistribution',
  'GET /config': 'GetDistributionConfig',
  'PUT /config': 'UpdateDistribution',
};

const authenticationCodes: Record<AuthenticationFailureKind, string> = {
  missing: 'MissingAuthenticationToken',
  malformed: 'IncompleteSignature',
  'unknown-key': 'InvalidClientTokenId',
  mismatch: 'SignatureDoesNotMatch',
  skewed: 'SignatureDoesNotMatch',
  expired: 'SignatureDoesNotMatch',
};

export function cloudFrontService(distributions: Distributions, { account }: { account: string }): Service {
  const run: Record<string, (id: string, call: Call) => Answer> = {
    GetDistribution: (id) => whole(distributions.find(id), account),
    GetDistributionConfig: (id) => {
      const { settings, headers, etag } = distributions.find(id);
      return xmlAnswer('DistributionConfig', configTree(settings, headers), etag);
    },
    UpdateDistribution: (id, { head, body }) => {
      const headers = headersOf(body.toString('utf8'), distributions.find(id).settings);
      return whole(distributions.update(id, head.headers['if-match'], headers), account);
    },
  };

  return {
    name: 'cloudfront',
    streams: false,
    operationOf,
    prepare: (call) => {
      const id = decodeURIComponent(distributionPath.exec(call.head.path)?.[1] ?? '');
      const permission = {
        action: `cloudfront:${call.operation}`,
        resources: [arnOf(id, account)],
        context: { values: {} },
      };
      return {
        permissions: [permission],
        run: async () => {
          const answer = run[call.operation]?.(id, call);
          if (!answer) throw unknownOperation(`The local cloud does not implement ${call.operation}`);
          return answer;
        },
      };
    },
    authenticationError: ({ kind, message }) => new ServiceError(authenticationCodes[kind], message, 403),
    accessDenied: (message) => new ServiceError('AccessDenied', message, 403),
    unknownOperation,
    errorAnswer,
  };
}

const unknownOperation = (message: string) => new ServiceError('UnknownOperationException', message, 404);

const arnOf = (id: string, account: string) => `arn:aws:cloudfront::${account}:distribution/${id}`;

function operationOf({ method, path }: RequestHead): string | undefined {
  const found = distributionPath.exec(path);
  return found ? operations[`${method} ${found[2] ?? ''}`] : undefined;
}

function whole({ settings, etag, status, headers, changedMs }: Distribution, account: string): Answer {
  const tree = {
    Id: settings.id,
    ARN: arnOf(settings.id, account),
    Status: status,
    LastModifiedTime: new Date(changedMs).toISOString(),
    InProgressInvalidationBatches: 0,
    DomainName: settings.domain,
    DistributionConfig: configTree(settings, headers),
  };
  return xmlAnswer('Distribution', tree, etag);
}

const document = (tree: { [tag: string]: XmlValue }) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(tree)}`;

const xmlAnswer = (root: string, tree: { [tag: string]: XmlValue }, etag: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/xml', etag },
  body: document({ [`${root} ${namespace}`]: tree }),
});

const errorAnswer = (error: ServiceError, requestId: string): Answer => ({
  status: error.status,
  headers: { 'content-type': 'text/xml' },
  body: document({
    [`ErrorResponse ${namespace}`]: {
      Error: {
        Type: error.status < 500 ? 'Sender' : 'Receiver',
        Code: error.code,
        Message: error.message,
      },
      RequestId: requestId,
    },
  }),
});
