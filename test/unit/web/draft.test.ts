import { type Draft, firstDraft, missingFields, signBody } from '../../../web/signing/flow/draft.ts';
import { VIEW, viewWith } from './view.ts';

const TYPED = { type: 'typed', text: 'Aino' } as const;
const complete: Draft = { ...firstDraft(VIEW), agreedTo: '3' };

describe('the first draft', () => {
  it('the first draft has the name of the invitation', () => {
    expect(firstDraft(VIEW)).toMatchObject({ name: 'Aino Virtanen', typed: null, forEntity: false });
  });

  it('the first draft has no name if the invitation had only an e-mail address', () => {
    expect(firstDraft(viewWith({ signer: { name: 'aino@example.com' } })).name).toBe('');
  });

  it('the first draft has the organization that the signer was invited to represent', () => {
    const view = viewWith({ signer: { representing_as_invited: 'Kotilinna Oy' } });
    expect(firstDraft(view)).toMatchObject({ forEntity: true, entity: 'Kotilinna Oy' });
  });
});

describe('the incomplete fields', () => {
  it('a first draft lacks only the agreement', () => {
    expect(missingFields(firstDraft(VIEW), VIEW)).toEqual(['agreed']);
    expect(missingFields(complete, VIEW)).toEqual([]);
  });

  it('incomplete fields are listed in the order of the page', () => {
    const draft: Draft = {
      ...complete,
      name: ' ',
      way: 'drawn',
      forEntity: true,
      entity: '',
      agreedTo: null,
    };
    expect(missingFields(draft, VIEW)).toEqual(['name', 'drawing', 'entity', 'agreed']);
  });

  it('a typed signature is incomplete if it was cleared, not if it was never edited', () => {
    expect(missingFields({ ...complete, typed: ' ' }, VIEW)).toEqual(['typed']);
    expect(missingFields({ ...complete, typed: null }, VIEW)).toEqual([]);
  });

  it('a text of invisible characters counts as empty', () => {
    const draft: Draft = { ...complete, name: '\u200b', typed: '\u3164', forEntity: true, entity: '\u2800' };
    expect(missingFields(draft, VIEW)).toEqual(['name', 'typed', 'entity']);
  });

  it('a newer version of the consent text needs a new agreement', () => {
    expect(missingFields(complete, viewWith({ consent: { version: '4' } }))).toEqual(['agreed']);
  });
});

describe('the body of the signing call', () => {
  it('the signing call names the document shown, the consent agreed to and the signature', () => {
    expect(signBody({ ...complete, name: ' Aino Virtanen ' }, VIEW, 'b'.repeat(64), TYPED)).toEqual({
      document_sha256: 'b'.repeat(64),
      consent_version: '3',
      consent_locale: 'fi',
      name: 'Aino Virtanen',
      signature: TYPED,
    });
  });

  it('the signing call names an organization only if the signer signs for one, and omits blank fields', () => {
    const draft: Draft = { ...complete, entity: 'Kotilinna Oy', role: ' ', entityId: '123-4' };
    expect(signBody(draft, VIEW, '', TYPED)).not.toHaveProperty('representing');
    expect(signBody({ ...draft, forEntity: true }, VIEW, '', TYPED).representing).toEqual({
      name: 'Kotilinna Oy',
      entity_id: '123-4',
    });
  });
});
