import { type Draft, firstDraft, missingFields, signBody } from '../../../web/flow/draft.ts';
import { VIEW, viewWith } from './view.ts';

const TYPED = { type: 'typed', text: 'Aino' } as const;
const complete: Draft = { ...firstDraft(VIEW), agreedTo: '3' };

describe('the first draft', () => {
  it('takes the name of the invitation', () => {
    expect(firstDraft(VIEW)).toMatchObject({ name: 'Aino Virtanen', typed: null, forEntity: false });
  });

  it('asks for a name where the invitation had only an address', () => {
    expect(firstDraft(viewWith({ signer: { name: 'aino@example.com' } })).name).toBe('');
  });

  it('takes over whom the signer was invited to represent', () => {
    const view = viewWith({ signer: { representing_as_invited: 'Kotilinna Oy' } });
    expect(firstDraft(view)).toMatchObject({ forEntity: true, entity: 'Kotilinna Oy' });
  });
});

describe('what is missing to sign', () => {
  it('is nothing but the agreement in a fresh draft', () => {
    expect(missingFields(firstDraft(VIEW), VIEW)).toEqual(['agreed']);
    expect(missingFields(complete, VIEW)).toEqual([]);
  });

  it('is listed in the order of the page', () => {
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

  it('is the signature when the letters were deleted, not when they were never touched', () => {
    expect(missingFields({ ...complete, typed: ' ' }, VIEW)).toEqual(['typed']);
    expect(missingFields({ ...complete, typed: null }, VIEW)).toEqual([]);
  });

  it('is the agreement again when the text to agree to is a newer one', () => {
    expect(missingFields(complete, viewWith({ consent: { version: '4' } }))).toEqual(['agreed']);
  });
});

describe('what is sent to sign', () => {
  it('names the document shown, the text agreed to and the signature', () => {
    expect(signBody({ ...complete, name: ' Aino Virtanen ' }, VIEW, 'b'.repeat(64), TYPED)).toEqual({
      document_sha256: 'b'.repeat(64),
      consent_version: '3',
      consent_locale: 'fi',
      name: 'Aino Virtanen',
      signature: TYPED,
    });
  });

  it('names the organization only when it is signed for, and leaves out what was left blank', () => {
    const draft: Draft = { ...complete, entity: 'Kotilinna Oy', role: ' ', entityId: '123-4' };
    expect(signBody(draft, VIEW, '', TYPED)).not.toHaveProperty('representing');
    expect(signBody({ ...draft, forEntity: true }, VIEW, '', TYPED).representing).toEqual({
      name: 'Kotilinna Oy',
      entity_id: '123-4',
    });
  });
});
