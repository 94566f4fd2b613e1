/** CloudFront: GetDistribution and UpdateDistribution. */
import { type Answer, type Call, type RequestHead, type Service, ServiceError } from '../service.ts';
import { XML_ERRORS, xmlDocument } from '../xml.ts';
import { configTree, headersOf } from './config.ts';
import type { Distribution, Distributions } from './distributions.ts';

const DISTRIBUTION_PATH = /^\/2020-05-31\/distribution\/([^/]+)(\/config)?$/;
const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/';

const OPERATIONS: Record<string, string> = {
  'GET ': 'GetDistribution',
  'PUT /config': 'UpdateDistribution',
};

export function cloudFrontService(distributions: Distributions, { account }: { account: string }): Service {
  const update = (id: string, { head, body }: Call): Distribution => {
    const headers = headersOf(body.toString('utf8'), distributions.find(id).settings);
    return distributions.update(id, head.headers['if-match'], headers);
  };

  return {
    name: 'cloudfront',
    operations: Object.values(OPERATIONS),
    operationOf,
    prepare: (call) => {
      const id = decodeURIComponent(DISTRIBUTION_PATH.exec(call.head.path)?.[1] ?? '');
      const permission = {
        action: `cloudfront:${call.operation}`,
        resources: [arnOf(id, account)],
      };
      return {
        permissions: [permission],
        run: async () => {
          const isUpdate = call.operation === 'UpdateDistribution';
          return distributionAnswer(isUpdate ? update(id, call) : distributions.find(id), account);
        },
      };
    },
    ...XML_ERRORS,
    unknownOperation: (message) => new ServiceError('UnknownOperationException', message, 404),
  };
}

const arnOf = (id: string, account: string) => `arn:aws:cloudfront::${account}:distribution/${id}`;

function operationOf({ method, path }: RequestHead): string | undefined {
  const found = DISTRIBUTION_PATH.exec(path);
  return found ? OPERATIONS[`${method} ${found[2] ?? ''}`] : undefined;
}

function distributionAnswer({ settings, headers }: Distribution, account: string): Answer {
  const tree = {
    Id: settings.id,
    ARN: arnOf(settings.id, account),
    Status: headers.isUnderWay ? 'InProgress' : 'Deployed',
    LastModifiedTime: new Date(headers.changedMs).toISOString(),
    InProgressInvalidationBatches: 0,
    DomainName: settings.domain,
    DistributionConfig: configTree(settings, headers.value),
  };
  return {
    status: 200,
    headers: { 'content-type': 'text/xml', etag: headers.version },
    body: xmlDocument({ [`Distribution xmlns="${NAMESPACE}"`]: tree }),
  };
}
