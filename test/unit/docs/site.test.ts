import { runInNewContext } from 'node:vm';
import { found } from '../../../docs/site/browser/found.ts';
import { callExamples } from '../../../docs/site/examples.ts';
import { CALLS, OPEN_API, slug } from '../../../docs/site/openapi.ts';
import { viewerRequestCode } from '../../../infra/edge.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';
import { EVENT_TYPES } from '../../../shared/contract/events.ts';
import { REQUEST_STATUSES } from '../../../shared/contract/fields.ts';
import { TRANSITIONS } from '../../../shared/requests/transitions.ts';
import { addressOf, anchorsOf, pageAt, SITE } from '../../support/docs-site.ts';

/** Answered by the service itself. */
const ELSEWHERE = ['/verify', '/api/v1/openapi.json', '/docs/assets/docs.css', '/docs/assets/mark.svg'];

const anchors = new Map(SITE.pages.map(({ path, html }) => [addressOf(path), new Set(anchorsOf(html))]));

/** The links of a page that lead nowhere. */
function deadLinks(path: string, html: string): string[] {
  const links = [...html.matchAll(/<(?:a|link)\b[^>]*\shref="([^"]+)"/g)].map(([, href = '']) => href);
  return links.filter((href) => {
    if (/^https:\/\//.test(href) || ELSEWHERE.includes(href)) return false;
    const [address = '', anchor] = href.startsWith('#') ? [addressOf(path), href.slice(1)] : href.split('#');
    const there = anchors.get(address);
    return !there || (anchor !== undefined && !there.has(anchor));
  });
}

describe('the documentation', () => {
  it.each(SITE.pages)('the page /docs/$path has no dead link', ({ path, html }) => {
    expect(deadLinks(path, html)).toEqual([]);
  });

  it.each(SITE.pages)('no anchor of /docs/$path is there twice', ({ html }) => {
    const all = anchorsOf(html);
    expect(all.filter((anchor, place) => all.indexOf(anchor) !== place)).toEqual([]);
  });

  it.each(SITE.pages)('the page /docs/$path holds nothing that its policy forbids', ({ html }) => {
    const markup = [...html.matchAll(/<[^>]+>/g)].map(([tag]) => tag);
    const forbidden = /<style|\sstyle=|\son\w+=|javascript:|<iframe|<form|<base/i;
    expect(markup.filter((tag) => forbidden.test(tag))).toEqual([]);
    const loading = markup.filter((tag) => /^<(script|link|img)\b/.test(tag));
    for (const tag of loading) expect(tag).toMatch(/ (src|href)="\/docs\/assets\//);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it.each(SITE.pages)('the edge finds the page /docs/$path', ({ path }) => {
    const code = viewerRequestCode(
      false,
      SITE.pages.map((page) => addressOf(page.path)),
    ).replace("import cf from 'cloudfront';", '');
    const handler = runInNewContext(`${code}\nhandler`) as (event: object) => { uri: string };
    const request = { uri: addressOf(path), headers: {}, querystring: {} };
    expect(handler({ request }).uri).toBe(`${addressOf(path)}/index.html`);
  });

  it('the edge function, which holds the address of every page, stays within the 10 KB that CloudFront takes', () => {
    const code = viewerRequestCode(
      true,
      SITE.pages.map(({ path }) => addressOf(path)),
    );
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(10_240);
  });

  it('every error has its entry', () => {
    for (const code of Object.keys(ERRORS)) expect(anchors.get('/docs/errors')).toContain(code);
  });

  it('every event has its entry', () => {
    for (const type of EVENT_TYPES) expect(anchors.get('/docs/reference/events')).toContain(type);
  });

  it('every endpoint has its entry, with every field of its body', () => {
    const calls = ENDPOINTS.filter(({ area }) => area === 'api');
    expect(CALLS.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      calls.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    for (const { operationId, tags, parameters } of CALLS) {
      const there = anchors.get(`/docs/reference/${slug(tags[0])}`);
      expect(there).toContain(operationId);
      for (const { name } of parameters) expect(there).toContain(`${operationId}.${name}`);
    }
    for (const field of Object.keys(OPEN_API.components.schemas.CreateSignatureRequest?.properties ?? {}))
      expect(anchors.get('/docs/reference/signature-requests')).toContain(
        `createSignatureRequest.body.${field}`,
      );
  });

  it('a field that may be null tells the limit of its text', () => {
    const told = (page: string, field: string) =>
      new RegExp(`<div class="field" id="${field}">.*?</dt>`, 's').exec(pageAt(`reference/${page}`))?.[0];
    expect(told('signature-requests', 'cancelSignatureRequest.body.reason')).toContain(
      'at most 500 characters',
    );
    expect(told('webhooks', 'createWebhookEndpoint.body.description')).toContain('at most 200 characters');
  });

  it('an error of a call is listed with the status that this call answers it with', () => {
    const [, errors = ''] = pageAt('reference/signature-requests').split(
      'id="cancelSignatureRequest-errors"',
    );
    const [, status] = /(\d{3}) <a href="\/docs\/errors#document_too_large">/.exec(errors) ?? [];
    expect(status).toBe('413');
  });

  it('an object that clients send tells which of its fields are required', () => {
    const [, type = ''] = /id="SignerInput\.email">(.*?)<\/dt>/s.exec(pageAt('reference/objects')) ?? [];
    expect(type).toContain('required');
  });

  it.each(SITE.pages)('no word of /docs/$path runs into the code, link or stress behind it', ({ html }) => {
    expect(html.match(/[\p{L}.,:;]<(?:code|a|strong|em)[ >].{0,40}/gu) ?? []).toEqual([]);
  });

  it('every endpoint has an example', () => {
    expect(CALLS.filter(({ operationId }) => callExamples(operationId).length === 0)).toEqual([]);
  });

  it('every object of the answers has its entry, with every field', () => {
    const there = anchors.get('/docs/reference/objects');
    for (const [name, { properties = {} }] of Object.entries(OPEN_API.components.schemas)) {
      expect(there).toContain(name);
      for (const field of Object.keys(properties)) expect(there).toContain(`${name}.${field}`);
    }
  });

  it('every state and every way between two is told in words', () => {
    const html = pageAt('reference/states');
    for (const status of REQUEST_STATUSES) {
      expect(anchorsOf(html)).toContain(status);
      for (const cause of Object.values(TRANSITIONS[status])) expect(html).toContain(cause);
    }
  });

  it('pages for clients leave out what is for operators', () => {
    expect(pageAt('webhooks')).not.toContain('For operators');
  });
});

describe('the search', () => {
  const first = (words: string) => found(SITE.index, words)[0]?.to;

  it.each([
    ['pdf_encrypted', 'errors#pdf_encrypted'],
    ['cancel request', 'reference/signature-requests#cancelSignatureRequest'],
    ['  Quick  START ', 'quick-start'],
  ])('“%s” leads to %s first', (words, to) => {
    expect(first(words)).toBe(to);
  });

  it('nothing is found where one of the words occurs nowhere', () => {
    expect(found(SITE.index, 'webhooks xyzzy')).toEqual([]);
  });

  it('every entry leads to a place that is there', () => {
    for (const { to } of SITE.index) {
      const [path = '', anchor] = to.split('#');
      const there = anchors.get(addressOf(path));
      expect(there).toBeDefined();
      if (anchor) expect(there).toContain(anchor);
    }
  });
});
