/**
 * Closes the menu of this id, or whichever is open; its button takes the focus from inside. Without popovers a menu stays
 * open, in its place on the page.
 */
export function closeMenu(id?: string) {
  if (!('popover' in HTMLElement.prototype)) return;
  const menu = document.querySelector<HTMLElement>(`${id ? `#${id}` : ''}:popover-open`);
  menu?.hidePopover();
}
