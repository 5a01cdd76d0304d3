'use client';

import { type ComponentProps, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';

type QueueItemProps = ComponentProps<'section'> & { entry: string | null; 'aria-label': string };

/**
 * Side with the chosen entry. Its decision bar sticks to the bottom. Receives the focus if a change of `entry`, the id of the chosen one,
 * removed the focused element.
 */
export function QueueItem({ entry, className, ...props }: QueueItemProps) {
  const side = useRef<HTMLElement>(null);
  const shown = useRef(entry);
  useEffect(() => {
    const isChanged = shown.current !== null && shown.current !== entry;
    shown.current = entry;
    if (isChanged && document.activeElement === document.body) side.current?.focus({ preventScroll: true });
  }, [entry]);
  return (
    <section
      ref={side}
      tabIndex={-1}
      data-slot="queue-item"
      className={classNames(
        'flex min-w-0 flex-col outline-none max-narrow:group-data-[shows=list]/queue:hidden [&>[data-slot=action-bar]]:mt-auto',
        className,
      )}
      {...props}
    />
  );
}
