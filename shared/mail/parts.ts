/** A mail as a row of parts. Each is written once as plain text and once as HTML; both say the same. */
export type Part =
  | { kind: 'paragraph'; text: string }
  | { kind: 'notice'; text: string }
  /** Somebody else's words. */
  | { kind: 'quotation'; label: string; text: string }
  | { kind: 'code'; label: string; code: string; notes: string[] }
  | { kind: 'link'; label: string; url: string }
  | { kind: 'small'; text: string };

export interface Layout {
  locale: string;
  subject: string;
  /** As the language sets it after a label. */
  colon: string;
  parts: Part[];
}
