/** The part of a distribution's XML configuration that the local cloud knows. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { DistributionSettings } from '../../ports.ts';
import { ServiceError } from '../service.ts';
import { fromXml, oneOrMore, toXml, type XmlValue } from '../xml.ts';
import type { OriginHeaders } from './distributions.ts';

type Tree = { [tag: string]: XmlValue };

/** CloudFront's lists carry their length. */
const list = (tag: string, items: XmlValue[]): Tree => ({
  Quantity: items.length,
  ...(items.length > 0 && { Items: { [tag]: items } }),
});

export function configTree(settings: DistributionSettings, headers: OriginHeaders): Tree {
  const behaviour = (originId: string) => ({ TargetOriginId: originId, ViewerProtocolPolicy: 'allow-all' });
  const headerItems = (originId: string) =>
    Object.entries(headers[originId] ?? {}).map(([HeaderName, HeaderValue]) => ({ HeaderName, HeaderValue }));
  return {
    CallerReference: settings.id,
    Aliases: list('CNAME', settings.aliases),
    DefaultRootObject: '',
    Origins: list(
      'Origin',
      settings.origins.map(({ id, domain, path }) => ({
        Id: id,
        DomainName: domain,
        OriginPath: path,
        CustomHeaders: list('OriginCustomHeader', headerItems(id)),
      })),
    ),
    DefaultCacheBehavior: behaviour(settings.defaultBehaviour.originId),
    CacheBehaviors: list(
      'CacheBehavior',
      settings.behaviours.map(({ pattern, originId }) => ({ PathPattern: pattern, ...behaviour(originId) })),
    ),
    Comment: '',
    Enabled: true,
  };
}

const header = z.object({ HeaderName: z.string().min(1), HeaderValue: z.string().min(1) });
const customHeaders = z.object({ Items: z.object({ OriginCustomHeader: oneOrMore(header) }).optional() });
const origin = z.object({ Id: z.string(), CustomHeaders: customHeaders.optional() });
const config = z.object({ Origins: z.object({ Items: z.object({ Origin: oneOrMore(origin) }) }) });

/** The origins' headers in a new configuration, which must not differ from the current one in anything else. */
export function headersOf(body: string, settings: DistributionSettings): OriginHeaders {
  const given = fromXml(body, 'DistributionConfig');
  const read = config.safeParse(given);
  if (!read.success) throw new ServiceError('MalformedXML', 'The XML document is malformed.');
  const headers = Object.fromEntries(
    read.data.Origins.Items.Origin.map(({ Id, CustomHeaders }) => [
      Id,
      Object.fromEntries(
        (CustomHeaders?.Items?.OriginCustomHeader ?? []).map((one) => [one.HeaderName, one.HeaderValue]),
      ),
    ]),
  );
  const expected = fromXml(
    toXml({ DistributionConfig: configTree(settings, headers) }),
    'DistributionConfig',
  );
  if (!isDeepStrictEqual(withoutNamespace(given), expected))
    throw new ServiceError(
      'InvalidArgument',
      'The local cloud changes only the custom headers of origins; the rest must be complete and unchanged.',
    );
  return headers;
}

const withoutNamespace = (tree: unknown) => {
  const { xmlns: _, ...rest } = tree as Record<string, unknown>;
  return rest;
};
