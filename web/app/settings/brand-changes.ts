import { cleaned, withoutUnseen } from '../../../shared/runtime/visible.ts';
import type { BrandChanges } from '../contract.ts';

/** The edits as they are sent. A name may have letters that a character nobody sees shapes, as Mongolian does. */
export const asSent = (edited: BrandChanges): BrandChanges =>
  Object.fromEntries(
    Object.entries(edited).map(([name, text]) => [name, text && (sent(name, text) || null)]),
  );

const sent = (name: string, text: string): string =>
  name === 'display_name' ? cleaned(text) : withoutUnseen(text);
