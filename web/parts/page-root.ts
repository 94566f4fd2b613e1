/** Takes away what the document says until its scripts have come, and returns the place for the page. */
export function pageRoot(): HTMLElement | null {
  const root = document.getElementById('page');
  root?.replaceChildren();
  return root;
}
