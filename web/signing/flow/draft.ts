import { cleaned } from '../../../shared/runtime/visible.ts';
import type { RequestView, SignBody, TypedStyle } from '../contract.ts';
import { type Drawing, EMPTY_DRAWING } from '../signature/drawing.ts';

/** The signer's input. It survives steps, reloads and sessions, so that nothing is typed twice. */
export interface Draft {
  readonly name: string;
  readonly way: 'typed' | 'drawn' | 'image';
  /** Null until it is edited: until then it equals the name. */
  readonly typed: string | null;
  readonly style: TypedStyle;
  readonly drawing: Drawing;
  /** A PNG in base64. */
  readonly image: string | null;
  readonly forEntity: boolean;
  readonly entity: string;
  readonly role: string;
  readonly entityId: string;
  /** The consent version that was agreed to. A newer version needs a new agreement. */
  readonly agreedTo: string | null;
  readonly reason: string;
  /** The page of the document that was read last. */
  readonly page: number;
}

export const firstDraft = ({ signer }: RequestView): Draft => ({
  // A signer invited without a name has the e-mail address as the name, which is no name to sign with.
  name: signer.name === signer.email ? '' : signer.name,
  way: 'typed',
  typed: null,
  style: 'italic',
  drawing: EMPTY_DRAWING,
  image: null,
  forEntity: signer.representing_as_invited !== null,
  entity: signer.representing_as_invited ?? '',
  role: '',
  entityId: '',
  agreedTo: null,
  reason: '',
  page: 1,
});

export const typedSignature = (draft: Draft) => draft.typed ?? draft.name;

const FIELDS = ['name', 'typed', 'drawing', 'image', 'entity', 'agreed'] as const;
export type Field = (typeof FIELDS)[number];

/** The fields that are incomplete, in the order of the page. */
export function missingFields(draft: Draft, view: RequestView): Field[] {
  const missing: Record<Field, boolean> = {
    name: !cleaned(draft.name),
    typed: draft.way === 'typed' && !cleaned(typedSignature(draft)),
    drawing: draft.way === 'drawn' && draft.drawing.strokes.length === 0,
    image: draft.way === 'image' && !draft.image,
    entity: draft.forEntity && !cleaned(draft.entity),
    agreed: draft.agreedTo !== view.consent.version,
  };
  return FIELDS.filter((field) => missing[field]);
}

type Signature = SignBody['signature'];

export function signBody(draft: Draft, view: RequestView, sha256: string, signature: Signature): SignBody {
  return {
    document_sha256: sha256,
    consent_version: view.consent.version,
    consent_locale: view.consent.locale,
    name: cleaned(draft.name),
    signature,
    ...(draft.forEntity && {
      representing: {
        name: cleaned(draft.entity),
        role: cleaned(draft.role) || undefined,
        entity_id: cleaned(draft.entityId) || undefined,
      },
    }),
  };
}
