/** Null in browsers without popovers, where a menu is always open in its place. */
export const openMenu = (selector = '[popover]') =>
  'popover' in HTMLElement.prototype ? document.querySelector<HTMLElement>(`${selector}:popover-open`) : null;

/** Closes the menu with this id, or the open one. The browser returns the focus to its button. */
export const closeMenu = (id?: string) => openMenu(id && `#${id}`)?.hidePopover();

/** Closes an open menu when the focus leaves it, since it would cover what has the focus now. */
export function closeLeftMenu({ target }: Event) {
  const menu = openMenu();
  if (!menu || !(target instanceof Element)) return;
  if (!target.closest(`#${menu.id}, [popovertarget="${menu.id}"]`)) menu.hidePopover();
}
