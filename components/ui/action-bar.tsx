import { styled } from './styled.ts';

/** Sticky bar with the pending decision at the bottom of a page. */
export const ActionBar = styled('section', 'action-bar', [
  'sticky bottom-0 z-5 border-line-strong border-t bg-surface shadow-bar print:hidden',
  // Note on why the user may not decide.
  '[&>[data-slot=not-allowed]]:m-0 [&>[data-slot=not-allowed]]:px-6 [&>[data-slot=not-allowed]]:pt-[0.45rem] max-narrow:[&>[data-slot=not-allowed]]:px-4',
]);

/** Line of an action bar that describes the decision. */
export const ActionBarLine = styled('div', 'action-bar-line', [
  'flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-6 py-[0.45rem] text-ink-2 text-sm',
  'max-narrow:flex-nowrap max-narrow:px-4 max-narrow:[&>span:first-child]:flex-1',
  '[&>span:first-child]:min-w-0',
]);

/** Buttons of an action bar. On phones: four per row, with the primary button first and twice as wide. */
export const ActionBarButtons = styled('div', 'action-bar-buttons', [
  'flex flex-wrap items-center gap-2 px-6 py-[0.55rem] [&_[data-slot=button]:has(kbd)]:pr-2',
  'max-narrow:grid max-narrow:grid-cols-4 max-narrow:gap-1 max-narrow:px-4 max-narrow:[&>p]:col-span-full max-narrow:[&_kbd]:hidden',
  'max-narrow:[&_[data-slot=button]]:h-9 max-narrow:[&_[data-slot=button]]:px-1 max-narrow:[&_[data-slot=button]]:text-sm',
  'max-narrow:[&_[data-variant=primary]]:-order-1 max-narrow:[&_[data-variant=primary]]:col-span-2',
]);
