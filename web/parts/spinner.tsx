/** Says only to the eye that something is under way; the words beside it say it to all. */
export const Spinner = () => <span class="spinner" aria-hidden="true" />;
