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

/** The role of a part of a page for screen readers. */
export type Role = 'H1' | 'H2' | 'P' | 'Figure';

/** The elements that hold parts: a table with its rows, heads of columns and other cells; a list with its items and their bodies. */
export type GroupRole = 'Table' | 'TR' | 'TH' | 'TD' | 'L' | 'LI' | 'LBody';

/** An element that holds others. */
interface Group {
  readonly ref: PDFRef;
  readonly kids: PDFRef[];
}

/**
 * The structure tree of a document, in drawing order (ISO 32000-1, 14.7 and 14.8). Without it screen readers guess, and find
 * nothing in pages that join a document with structure.
 */
export class Structure {
  readonly #document: PDFDocument;
  readonly #whole: Group;
  /** The element in which parts are drawn now. */
  #group: Group;
  readonly #parts = new Map<PDFPage, PDFRef[]>();

  constructor(document: PDFDocument) {
    this.#document = document;
    this.#whole = { ref: document.context.nextRef(), kids: [] };
    this.#group = this.#whole;
  }

  /** Groups everything that `draw` draws into one element. */
  within(role: GroupRole, draw: () => void): void {
    const { context } = this.#document;
    const around = this.#group;
    const group: Group = { ref: context.nextRef(), kids: [] };
    around.kids.push(group.ref);
    this.#group = group;
    draw();
    this.#group = around;
    const scope = role === 'TH' && { A: { O: 'Table', Scope: 'Column' } };
    context.assign(group.ref, context.obj({ S: role, P: around.ref, K: group.kids, ...scope }));
  }

  /** Marks what these operators draw as one part; `alt` is the text of a picture. */
  part(page: PDFPage, role: Role, operators: readonly PDFOperator[], alt?: string): PDFOperator[] {
    const { context } = this.#document;
    const parts = this.#parts.get(page) ?? [];
    this.#parts.set(page, parts);
    const number = parts.length;
    const part = context.register(
      context.obj({
        S: role,
        P: this.#group.ref,
        Pg: page.ref,
        K: number,
        ...(alt !== undefined && { Alt: PDFHexString.fromText(alt) }),
      }),
    );
    parts.push(part);
    this.#group.kids.push(part);
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
        K: this.#whole.ref,
        ParentTree: {
          Nums: pages.flatMap(([, parts], number) => [number, context.register(context.obj(parts))]),
        },
        ParentTreeNextKey: pages.length,
      }),
    );
    context.assign(
      this.#whole.ref,
      context.obj({
        S: 'Document',
        P: root,
        Lang: PDFHexString.fromText(language),
        K: this.#whole.kids,
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

/** Begins a part that screen readers skip: a rule, head or foot of a page, or a watermark. */
export const beginFurniture = (): PDFOperator =>
  PDFOperator.of(PDFOperatorNames.BeginMarkedContent, [PDFName.of('Artifact')]);
