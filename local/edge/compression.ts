/** Compresses like CloudFront: text of 1,000 to 10,000,000 bytes, if the viewer accepts it. */
import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { BehaviourPlan } from '../assembly/plan.ts';
import { type EdgeResponse, type Fields, field, withField, without } from './messages.ts';

const COMPRESSIBLE =
  /^(text\/|application\/(javascript|json|xml|wasm|manifest\+json|x-javascript|xhtml\+xml|rss\+xml|vnd\.ms-fontobject)|image\/svg\+xml|font\/(otf|ttf))/;

export function compress(
  response: EdgeResponse,
  behaviour: BehaviourPlan,
  requestFields: Fields,
): EdgeResponse {
  const encoding = chooseEncoding(behaviour, field(requestFields, 'accept-encoding') ?? '');
  const length = Number(field(response.fields, 'content-length'));
  const isCompressible =
    response.status === 200 &&
    length >= 1000 &&
    length <= 10_000_000 &&
    field(response.fields, 'content-encoding') === undefined &&
    COMPRESSIBLE.test(field(response.fields, 'content-type') ?? '');
  if (!encoding || !isCompressible) return response;
  const source = Buffer.isBuffer(response.body) ? Readable.from([response.body]) : response.body;
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      : createGzip();
  const etag = field(response.fields, 'etag');
  let fields = without(response.fields, 'content-length', 'accept-ranges');
  if (etag) fields = withField(fields, 'ETag', `W/${etag.replace(/^W\//, '')}`);
  fields = withField(withField(fields, 'Content-Encoding', encoding), 'Vary', 'Accept-Encoding');
  return { ...response, fields, body: source.pipe(compressor) };
}

function chooseEncoding({ compress: isEnabled }: BehaviourPlan, accepted: string): 'br' | 'gzip' | undefined {
  if (!isEnabled) return undefined;
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}
