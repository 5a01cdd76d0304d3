/** Returns the link that a click follows in this window. Null for downloads, for links of other windows and for any other click. */
export function followedLink(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || link.href === '' || link.hasAttribute('download')) return null;
  return link.target === '' || link.target === '_self' ? link : null;
}
