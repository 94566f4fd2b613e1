/** A part of a mail, rendered as plain text and as HTML with the same content. */
export type Part =
  | { kind: 'paragraph'; text: string }
  | { kind: 'notice'; text: string }
  /** Text that the sender wrote. */
  | { kind: 'quotation'; label: string; text: string }
  | { kind: 'code'; label: string; code: string; notes: string[] }
  /** A button, with its address below for whoever cannot press it. `hint` leads to the address. */
  | { kind: 'link'; label: string; url: string; hint: string }
  | { kind: 'small'; text: string };

export const paragraph = (text: string): Part => ({ kind: 'paragraph', text });
export const small = (text: string): Part => ({ kind: 'small', text });
export const quotation = (label: string, text: string): Part => ({ kind: 'quotation', label, text });
export const button = (label: string, url: string, hint: string): Part => ({
  kind: 'link',
  label,
  url,
  hint,
});

export interface Layout {
  locale: string;
  subject: string;
  /** The language's colon after a label; French has a space before it. */
  colon: string;
  /** The preview that mail programs show beside the subject. */
  preheader: string;
  /** The sender, at the head of the mail. */
  sender: string;
  /** The colour of button and head; null: the service's own. */
  accent: string | null;
  parts: Part[];
  /** The sender's own pages, at the foot. */
  links: { label: string; url: string }[];
}
