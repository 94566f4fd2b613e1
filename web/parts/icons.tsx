const icon = (path: string) => () => (
  <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
);

export const PlusIcon = icon('M12 5v14M5 12h14');
export const MinusIcon = icon('M5 12h14');
export const DownloadIcon = icon('M12 4v11m-5-4.5 5 5 5-5M5 20h14');
export const BackIcon = icon('M19 12H5m6-6-6 6 6 6');
export const CloseIcon = icon('m6 6 12 12M18 6 6 18');
export const SearchIcon = icon('M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m5 11.5 4.5 4.5');
export const UpIcon = icon('m6 15 6-6 6 6');
export const DownIcon = icon('m6 9 6 6 6-6');
export const MoreIcon = icon('M5 12h.01M12 12h.01M19 12h.01');
export const CheckIcon = icon('m5 12.5 4.5 4.5L19 7.5');
export const AlertIcon = icon('M12 8v5m0 3.5v.01M12 3 2.5 20h19z');

/** The logo: a handwritten stroke above a signature line. */
export const Logo = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
    <rect class="mark-ground" width="32" height="32" rx="7" />
    <path class="mark-line" d="M5.5 25h21" />
    <path
      class="mark-pen"
      d="M7 19.5c4.5-1.2 9.5-8.4 8-11.4-1.2-2.3-4.4 3.3-3.6 8.1.7 4.4 3.6 1.5 5.1-1.3.6 2.7 1.6 4.2 3.2 2.3.7-.8 1.2-1.8 1.7-2.7.5 2 1.6 3.4 4.1 2.6"
    />
  </svg>
);
