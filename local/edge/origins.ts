/** The origins of a distribution: HTTP servers of this machine, containers and buckets. */
import { hash } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { OriginPlan } from '../assembly/plan.ts';
import type { Container } from '../containers/container.ts';
import type { Firewall } from '../firewall/firewall.ts';
import { orUndefined } from '../or-undefined.ts';
import type { BucketSettings, Services } from '../ports.ts';
import { isServiceAllowed } from '../services/iam/authorization.ts';
import {
  type EdgeRequest,
  type EdgeResponse,
  endToEnd,
  type Fields,
  field,
  textResponse,
  without,
} from './messages.ts';

export type Origin = (request: EdgeRequest) => Promise<EdgeResponse>;

/** Thrown when an origin does not answer. */
export class OriginFailure extends Error {
  readonly status: 502 | 504;

  constructor(status: 502 | 504, message: string) {
    super(message);
    this.status = status;
  }
}

export function httpOrigin(plan: OriginPlan, port: number): Origin {
  const agent = new Agent({ keepAlive: true });
  return (request) =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest({
        agent,
        host: '127.0.0.1',
        port,
        method: request.method,
        path: `${plan.path}${request.path}${request.query === '' ? '' : `?${request.query}`}`,
        headers: withHost(request.fields, plan).flat(),
        timeout: plan.readTimeoutMs,
      });
      outgoing.on('response', (incoming: IncomingMessage) => {
        resolve({
          status: incoming.statusCode ?? 502,
          fields: endToEnd(incoming.rawHeaders),
          body: incoming,
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new OriginFailure(504, 'The origin took too long.')));
      outgoing.on('error', (error) => {
        reject(
          error instanceof OriginFailure
            ? error
            : new OriginFailure(502, `The origin cannot be reached: ${error.message}`),
        );
      });
      // If the viewer disconnects, so does the request to the origin.
      request.body.on('error', () => outgoing.destroy());
      if (hasBody(request)) request.body.pipe(outgoing);
      else outgoing.end();
    });
}

/** A container behind a load balancer, which sends requests only to a healthy container. */
export function containerOrigin(
  plan: OriginPlan,
  firewall: Firewall,
  find: () => Container | undefined,
): Origin {
  let origin: Origin | undefined;
  return async (request) => {
    const headers = request.fields.map(([name, value]) => [name.toLowerCase(), value]);
    if (firewall(Object.fromEntries(headers))) return errorPage(403, 'Forbidden');
    const container = find();
    if (container && (await container.becomesHealthy())) {
      origin ??= httpOrigin(plan, container.port);
      return origin(request);
    }
    return errorPage(503, 'Service Temporarily Unavailable');
  };
}

function withHost(fields: Fields, plan: OriginPlan): Fields {
  return field(fields, 'host') === undefined ? [['Host', plan.domain], ...fields] : fields;
}

/** A chunked body has no Content-Length, and Transfer-Encoding is already removed: the method decides. */
function hasBody(request: EdgeRequest): boolean {
  return (
    field(request.fields, 'content-length') !== undefined ||
    !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(request.method)
  );
}

/** A private bucket with origin access control, which the distribution reads. */
export function bucketOrigin(
  plan: OriginPlan,
  bucket: BucketSettings,
  services: Pick<Services, 'readObject'>,
  { account, distributionId }: { account: string; distributionId: string },
): Origin {
  const bucketArn = `arn:aws:s3:::${bucket.name}`;
  const may = (action: string, resource: string) =>
    plan.usesAccessControl &&
    isServiceAllowed(bucket.policy, account, {
      service: 'cloudfront.amazonaws.com',
      sourceArn: `arn:aws:cloudfront::${account}:distribution/${distributionId}`,
      action,
      resource,
    });
  const mayList = may('s3:ListBucket', bucketArn);
  return async (request) => {
    if (!['GET', 'HEAD'].includes(request.method)) return xmlError(405, 'MethodNotAllowed');
    const key = orUndefined(() => decodeURIComponent(`${plan.path}${request.path}`.slice(1)));
    if (key === undefined) return xmlError(400, 'InvalidURI');
    if (!may('s3:GetObject', `${bucketArn}/${key}`)) return xmlError(403, 'AccessDenied');
    const object = await services.readObject(bucket.name, key);
    if (!object) return mayList ? xmlError(404, 'NoSuchKey') : xmlError(403, 'AccessDenied');
    const etag = `"${hash('md5', object.body)}"`;
    const fields: Fields = [
      ['Content-Type', object.contentType],
      ['ETag', etag],
      ['Server', 'AmazonS3'],
    ];
    if (object.cacheControl !== undefined) fields.push(['Cache-Control', object.cacheControl]);
    if (field(request.fields, 'if-none-match')?.replace(/^W\//, '') === etag) {
      return { status: 304, fields: without(fields, 'content-type'), body: Buffer.alloc(0) };
    }
    const body = Buffer.from(object.body);
    return { status: 200, fields: [...fields, ['Content-Length', String(body.length)]], body };
  };
}

const xmlError = (status: number, code: string): EdgeResponse =>
  textResponse(
    status,
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`,
  );

const errorPage = (status: number, message: string): EdgeResponse =>
  textResponse(status, 'text/html', `<html><body><h1>${status} ${message}</h1></body></html>\n`);
