import { styled } from './styled.ts';

/** Text that is being streamed. The newest line stays in view. */
export const LiveText = styled(
  'section',
  'live-text',
  'prose wrap-anywhere mt-2 flex max-h-64 max-w-none flex-col-reverse overflow-y-auto whitespace-pre-wrap text-md',
  // Keyboard users must be able to scroll it.
  { tabIndex: 0 },
);

/** Cursor at the position of the next word. */
export function Caret() {
  return (
    <span
      aria-hidden
      className="ml-px inline-block h-[1.05em] w-[0.5em] bg-brand align-[-0.18em] motion-safe:animate-blink"
    />
  );
}
