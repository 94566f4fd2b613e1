/** Runs CloudFront functions (JavaScript runtime 2.0) on viewer requests. */
import { createContext, Script } from 'node:vm';
import type { DistributionPlan } from '../assembly/plan.ts';
import { type EdgeRequest, type EdgeResponse, type Fields, field, without } from './messages.ts';

interface Value {
  value: string;
  multiValue?: { value: string }[];
}

type Values = Record<string, Value>;

interface FunctionRequest {
  method: string;
  uri: string;
  querystring: Values;
  headers: Values;
  cookies: Values;
}

interface FunctionResponse {
  statusCode: number;
  headers?: Values;
  body?: string;
}

/** The outcome of a viewer-request function: the request and the origin that it selected, if any, or an answer. */
type Decision = { request: EdgeRequest; originId: string | undefined } | { response: EdgeResponse };

export class EdgeFunction {
  readonly #run: (event: object) => Promise<{ result: unknown; originId: string | undefined }>;
  #selectedOrigin: string | undefined;

  constructor(code: string) {
    const cloudfront = {
      selectRequestOriginById: (id: string) => {
        this.#selectedOrigin = id;
      },
    };
    const context = createContext({ console, cloudfront });
    // A script cannot contain imports. No other module is implemented.
    const script = code.replace(/^import (\w+) from 'cloudfront';/m, 'const $1 = cloudfront;');
    new Script(script).runInContext(context);
    // No time limit: `vm` starts a thread for one, which takes longer than the function.
    const handler: (event: object) => unknown = new Script('handler').runInContext(context);
    this.#run = async (event) => {
      this.#selectedOrigin = undefined;
      const result = handler(event);
      // Read before the await: another request may run during it.
      const originId = this.#selectedOrigin;
      return { result: await result, originId };
    };
  }

  async onRequest(
    request: EdgeRequest,
    { id: distributionId, domain }: Pick<DistributionPlan, 'id' | 'domain'>,
    requestId: string,
  ): Promise<Decision> {
    const given = requestObject(request);
    const before = JSON.stringify(given.querystring);
    const event = {
      version: '1.0',
      context: {
        distributionDomainName: domain,
        distributionId,
        eventType: 'viewer-request',
        requestId,
        endpoint: domain,
      },
      viewer: { ip: request.viewerIp },
      request: given,
    };
    const { result: outcome, originId } = await this.#run(event);
    const result = outcome as FunctionRequest | FunctionResponse;
    if ('statusCode' in result) return { response: readResponse(result) };
    const query =
      JSON.stringify(result.querystring) === before ? request.query : writeQuery(result.querystring);
    const fields = writeFields(result.headers, request.fields);
    const cookies = writeCookies(result.cookies);
    return {
      originId,
      request: {
        ...request,
        path: result.uri,
        query,
        fields: cookies ? [...fields, ['Cookie', cookies]] : fields,
      },
    };
  }
}

function requestObject(request: EdgeRequest): FunctionRequest {
  const cookies = (field(request.fields, 'cookie') ?? '').split(/;\s*/).filter(Boolean);
  return {
    method: request.method,
    uri: request.path,
    querystring: collect(request.query.split('&').filter(Boolean).map(splitPair)),
    headers: collect(without(request.fields, 'cookie').map(([name, value]) => [name.toLowerCase(), value])),
    cookies: collect(cookies.map(splitPair)),
  };
}

function collect(pairs: [string, string][]): Values {
  // Without a prototype, so that `__proto__` is an ordinary name.
  const values: Values = Object.create(null);
  for (const [name, value] of pairs) {
    const known = values[name];
    if (!known) values[name] = { value };
    else known.multiValue = [...(known.multiValue ?? [{ value: known.value }]), { value }];
  }
  return values;
}

function spread(values: Values): [string, string][] {
  return Object.entries(values).flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((one): [string, string] => [name, one.value]),
  );
}

/** Turns values back into fields, with the original spelling of the names. */
function writeFields(values: Values, original: Fields): Fields {
  const spelling = new Map(original.map(([name]) => [name.toLowerCase(), name]));
  return spread(values).map(([name, value]) => [spelling.get(name.toLowerCase()) ?? name, value]);
}

function writeQuery(values: Values): string {
  return spread(values)
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .join('&');
}

function writeCookies(values: Values): string {
  return spread(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

function splitPair(pair: string): [string, string] {
  const [name = '', ...rest] = pair.split('=');
  return [name, rest.join('=')];
}

const readResponse = ({ statusCode, headers = {}, body = '' }: FunctionResponse): EdgeResponse => ({
  status: statusCode,
  fields: spread(headers),
  body: Buffer.from(body),
});
