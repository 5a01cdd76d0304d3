import { styled } from './styled.ts';

/** Style of a segmented control. The pressed, checked or current item is highlighted. */
export const SEGMENTED = [
  'inline-flex w-fit max-w-full flex-none flex-wrap overflow-hidden rounded-2 border border-line-strong bg-surface',
  '*:inline-flex *:h-6.5 *:cursor-pointer *:items-center *:gap-[0.3rem] *:px-2.25 *:glyphs-plain *:text-sm *:leading-none *:font-medium *:whitespace-nowrap *:text-ink-2 pointer-coarse:*:min-h-8',
  'following:border-l following:border-line on:bg-hover on:font-semibold on:text-ink',
].join(' ');

/** Links as a segmented control. Mark the current one with `aria-current`. */
export const SegmentedLinks = styled('nav', 'segmented', SEGMENTED);
