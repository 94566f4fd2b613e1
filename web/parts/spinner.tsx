/** Hidden from screen readers: the text beside it tells them that something is in progress. */
export const Spinner = () => <span class="spinner" aria-hidden="true" />;
