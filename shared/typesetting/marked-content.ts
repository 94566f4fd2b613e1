import { endMarkedContent, PDFHexString, PDFName, PDFOperator, PDFOperatorNames } from 'pdf-lib';

/** Makes readers copy, search and speak this text instead of the drawn one (ISO 32000-1, 14.9.4). */
export function readAs(exact: string, operators: readonly PDFOperator[]): PDFOperator[] {
  const properties = `<</ActualText ${PDFHexString.fromText(exact)}>>`;
  return [
    PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of('Span'), properties]),
    ...operators,
    endMarkedContent(),
  ];
}
