/**
 * Placeholder for a dialog whose code is loading. Single-key shortcuts pause while a dialog element exists, so opening pauses them at once.
 */
export function DialogLoading() {
  return <div role="dialog" hidden />;
}
