import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** Text that is being streamed. The newest line stays in view. */
export function LiveText({ className, children, ...props }: ComponentProps<'section'>) {
  return (
    <section
      data-slot="live-text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
      tabIndex={0}
      className={classNames(
        'prose wrap-anywhere mt-2 flex max-h-64 max-w-none flex-col-reverse overflow-y-auto whitespace-pre-wrap text-md',
        className,
      )}
      {...props}
    >
      {children}
    </section>
  );
}

/** Cursor at the position of the next word. */
export function Caret() {
  return (
    <span
      aria-hidden
      className="ml-px inline-block h-[1.05em] w-[0.5em] bg-brand align-[-0.18em] motion-safe:animate-blink"
    />
  );
}
