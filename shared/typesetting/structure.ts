import {
  endMarkedContent,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  type PDFRef,
} from 'pdf-lib';

/** The meaning of a part of a page to a screen reader. */
export type Role = 'H1' | 'H2' | 'P' | 'Figure';

/**
 * The structure of a document, in the order in which it is drawn (ISO 32000-1, 14.7 and 14.8). Without it a screen reader
 * guesses, and in pages that join a document with structure it finds nothing.
 */
export class Structure {
  readonly #document: PDFDocument;
  readonly #whole: PDFRef;
  readonly #parts = new Map<PDFPage, PDFRef[]>();

  constructor(document: PDFDocument) {
    this.#document = document;
    this.#whole = document.context.nextRef();
  }

  /** Marks what these operators draw as one part; `alt` is said for a picture. */
  part(page: PDFPage, role: Role, operators: readonly PDFOperator[], alt?: string): PDFOperator[] {
    const { context } = this.#document;
    const parts = this.#parts.get(page) ?? [];
    this.#parts.set(page, parts);
    const number = parts.length;
    parts.push(
      context.register(
        context.obj({
          S: role,
          P: this.#whole,
          Pg: page.ref,
          K: number,
          ...(alt !== undefined && { Alt: PDFHexString.fromText(alt) }),
        }),
      ),
    );
    return [
      PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of(role), `<</MCID ${number}>>`]),
      ...operators,
      endMarkedContent(),
    ];
  }

  /** Writes the tree: each page knows its parts by its number in /ParentTree. */
  finish(language: string): void {
    const { context, catalog } = this.#document;
    const pages = [...this.#parts];
    const root = context.nextRef();
    context.assign(
      root,
      context.obj({
        Type: 'StructTreeRoot',
        K: this.#whole,
        ParentTree: {
          Nums: pages.flatMap(([, parts], number) => [number, context.register(context.obj(parts))]),
        },
        ParentTreeNextKey: pages.length,
      }),
    );
    context.assign(
      this.#whole,
      context.obj({
        S: 'Document',
        P: root,
        Lang: PDFHexString.fromText(language),
        K: pages.flatMap(([, parts]) => parts),
      }),
    );
    pages.forEach(([page], number) => {
      page.node.set(PDFName.of('StructParents'), context.obj(number));
      page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
    });
    catalog.set(PDFName.of('StructTreeRoot'), root);
    catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
  }
}

/** Begins a part that screen readers pass over: a rule, head or foot of a page, or a watermark. */
export const beginFurniture = (): PDFOperator =>
  PDFOperator.of(PDFOperatorNames.BeginMarkedContent, [PDFName.of('Artifact')]);
