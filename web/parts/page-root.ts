/** Removes the static content that is shown until the scripts load, and returns the page's root. */
export function pageRoot(): HTMLElement | null {
  const root = document.getElementById('page');
  root?.replaceChildren();
  return root;
}
