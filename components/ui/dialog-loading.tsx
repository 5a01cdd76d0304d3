/** A dialog whose code is still loading. Single-key shortcuts pause while the page has a dialog, so they pause from its opening on. */
export function DialogLoading() {
  return <div role="dialog" hidden />;
}
