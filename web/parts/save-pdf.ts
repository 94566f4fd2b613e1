import { pdfName } from './format.ts';

export function savePdf(bytes: Uint8Array<ArrayBuffer>, filename: string) {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = pdfName(filename);
  link.click();
  // Some phones read the file only after asking the user.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
