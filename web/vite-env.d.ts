/// <reference types="vite/client" />

/** The URL of the files that pdf.js fetches by name. The build replaces this with a string. */
declare const PDFJS_FILES: string;
