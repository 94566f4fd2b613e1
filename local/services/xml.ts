import { parseXML, XmlText } from '@aws-sdk/xml-builder';
import * as z from 'zod';
import { orUndefined } from '../or-undefined.ts';
import { type Answer, type AuthenticationFailureKind, type Service, ServiceError } from './service.ts';

export type XmlValue = string | number | boolean | undefined | XmlValue[] | { [tag: string]: XmlValue };

export const escapeXml = (text: string): string => new XmlText(text).toString();

/** Each key is a tag. A list repeats its tag; undefined omits it. */
export function toXml(tree: { [tag: string]: XmlValue }): string {
  return Object.entries(tree)
    .map(([tag, value]) => tagged(tag, value))
    .join('');
}

function tagged(tag: string, value: XmlValue): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => tagged(tag, one)).join('');
  return `<${tag}>${typeof value === 'object' ? toXml(value) : escapeXml(String(value))}</${tag.split(' ')[0]}>`;
}

export const xmlDocument = (tree: { [tag: string]: XmlValue }): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(tree)}`;

const AUTHENTICATION_CODES: Record<AuthenticationFailureKind, string> = {
  missing: 'MissingAuthenticationToken',
  malformed: 'IncompleteSignature',
  'unknown-key': 'InvalidClientTokenId',
  mismatch: 'SignatureDoesNotMatch',
  skewed: 'SignatureDoesNotMatch',
};

/** Errors of the XML services; S3 has its own. */
export const XML_ERRORS = {
  authenticationError: ({ kind, message }) => new ServiceError(AUTHENTICATION_CODES[kind], message, 403),
  accessDenied: (message) => new ServiceError('AccessDenied', message, 403),
  errorAnswer: ({ code, message, status }, requestId): Answer => ({
    status,
    headers: { 'content-type': 'text/xml' },
    body: toXml({
      ErrorResponse: {
        Error: { Type: status < 500 ? 'Sender' : 'Receiver', Code: code, Message: message },
        RequestId: requestId,
      },
    }),
  }),
} satisfies Partial<Service>;

/** The content of the root element. Undefined if the text is not XML or has another root. */
export function fromXml(text: string, root: string): unknown {
  const parsed: unknown = orUndefined(() => parseXML(text));
  return typeof parsed === 'object' && parsed !== null
    ? new Map(Object.entries(parsed)).get(root)
    : undefined;
}

/** A list of one tag: the parser returns a tag that occurs once as a value, not as a list of one. */
export const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item), item.transform((one) => [one])]);
