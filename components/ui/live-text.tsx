import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** A text that is being written; its newest line is kept in sight. */
export function LiveText({ className, children, ...props }: ComponentProps<'section'>) {
  return (
    <section
      data-slot="live-text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
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

/** Where the next word will come. */
export function Caret() {
  return (
    <span
      aria-hidden
      className="ml-px inline-block h-[1.05em] w-[0.5em] bg-brand align-[-0.18em] motion-safe:animate-blink"
    />
  );
}
