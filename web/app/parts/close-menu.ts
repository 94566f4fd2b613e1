/** Null without popovers: there a menu stays open, in its place on the page. */
const openMenu = (selector = '[popover]') =>
  'popover' in HTMLElement.prototype ? document.querySelector<HTMLElement>(`${selector}:popover-open`) : null;

/** Closes the menu of this id, or whichever is open; its button takes the focus from inside. */
export const closeMenu = (id?: string) => openMenu(id && `#${id}`)?.hidePopover();

/** Closes an open menu once the focus has gone on: it would lie over what has the focus now. */
export function closeLeftMenu({ target }: Event) {
  const menu = openMenu();
  if (!menu || !(target instanceof Element)) return;
  if (!target.closest(`#${menu.id}, [popovertarget="${menu.id}"]`)) menu.hidePopover();
}
