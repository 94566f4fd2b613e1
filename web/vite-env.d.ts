/// <reference types="vite/client" />

/** Where pdf.js finds its character maps, fonts and decoders; written in by the build. */
declare const PDFJS_FILES: string;
