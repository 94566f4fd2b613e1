import type { RequestView, SignBody } from '../contract.ts';
import { type Drawing, EMPTY_DRAWING } from '../signature/drawing.ts';

/** What the signer has entered. It outlives steps, reloads and sessions, so that nothing is ever typed twice. */
export interface Draft {
  readonly name: string;
  readonly way: 'typed' | 'drawn';
  /** Null until it is edited: it follows the name. */
  readonly typed: string | null;
  readonly drawing: Drawing;
  readonly forEntity: boolean;
  readonly entity: string;
  readonly role: string;
  readonly entityId: string;
  /** The version of the consent text that was agreed to; a newer one has to be agreed to anew. */
  readonly agreedTo: string | null;
  readonly reason: string;
}

export const firstDraft = ({ signer }: RequestView): Draft => ({
  // A signer invited without a name has the address as name; nobody signs with that.
  name: signer.name === signer.email ? '' : signer.name,
  way: 'typed',
  typed: null,
  drawing: EMPTY_DRAWING,
  forEntity: signer.representing_as_invited !== null,
  entity: signer.representing_as_invited ?? '',
  role: '',
  entityId: '',
  agreedTo: null,
  reason: '',
});

export const typedSignature = (draft: Draft) => draft.typed ?? draft.name;

export const FIELDS = ['name', 'typed', 'drawing', 'entity', 'agreed'] as const;
export type Field = (typeof FIELDS)[number];

/** The fields that keep the signer from signing, in the order in which they stand on the page. */
export function missingFields(draft: Draft, view: RequestView): Field[] {
  const missing: Record<Field, boolean> = {
    name: !tidied(draft.name),
    typed: draft.way === 'typed' && !tidied(typedSignature(draft)),
    drawing: draft.way === 'drawn' && draft.drawing.strokes.length === 0,
    entity: draft.forEntity && !tidied(draft.entity),
    agreed: draft.agreedTo !== view.consent.version,
  };
  return FIELDS.filter((field) => missing[field]);
}

/** What was pasted may hold characters that no one sees and the service refuses. */
export const tidied = (text: string) => text.replace(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]/gu, '').trim();

type Signature = SignBody['signature'];

export function signBody(draft: Draft, view: RequestView, sha256: string, signature: Signature): SignBody {
  const role = tidied(draft.role);
  const entityId = tidied(draft.entityId);
  return {
    document_sha256: sha256,
    consent_version: view.consent.version,
    consent_locale: view.consent.locale,
    name: tidied(draft.name),
    signature,
    ...(draft.forEntity && {
      representing: {
        name: tidied(draft.entity),
        ...(role && { role }),
        ...(entityId && { entity_id: entityId }),
      },
    }),
  };
}
