import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** Entry of a timeline: a dot, or a diamond for an action by a person, and a line to the next entry. */
export function TimelineItem({ isPerson, className, ...props }: ComponentProps<'li'> & { isPerson: boolean }) {
  return (
    <li
      data-slot="timeline-item"
      className={classNames(
        'relative pb-3 pl-[1.4rem] text-sm',
        "before:absolute before:top-[0.35rem] before:left-[0.28rem] before:size-2 before:border-[1.5px] before:content-['']",
        isPerson
          ? 'before:rotate-45 before:rounded-[1px] before:border-ink before:bg-ink'
          : 'before:rounded-full before:border-ink-3 before:bg-bg',
        "after:absolute after:top-[1.05rem] after:-bottom-[0.2rem] after:left-2 after:border-line-strong after:border-l after:content-[''] last:after:hidden",
        className,
      )}
      {...props}
    />
  );
}
