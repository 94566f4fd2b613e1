/** Without popovers a menu stays open, in its place on the page. */
export function closeMenu() {
  if ('popover' in HTMLElement.prototype) document.querySelector<HTMLElement>(':popover-open')?.hidePopover();
}
