import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { styled } from './styled.ts';

/** Section of a page with a line below it. With `asChild`, its only child is styled as one. */
export const Pane = styled('section', 'pane', 'min-w-0 border-line border-b px-6 py-4 max-narrow:px-4');

type PaneHeaderProps = Omit<ComponentProps<'div'>, 'title'> & {
  title?: ReactNode;
  /** ID of the heading, for `aria-labelledby` or a link to it. */
  titleId?: string;
  /** Short text after the heading. */
  note?: ReactNode;
};

/** First line of a pane: its heading, a note and its actions. */
export function PaneHeader({ title, titleId, note, className, children, ...props }: PaneHeaderProps) {
  return (
    <div
      data-slot="pane-header"
      className={classNames('mb-2 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-2', className)}
      {...props}
    >
      {title === undefined ? null : <h2 id={titleId}>{title}</h2>}
      {note == null ? null : <span className="text-ink-3 text-sm">{note}</span>}
      {children}
    </div>
  );
}

/** Last section of a pane with a sentence, for example for an empty list. */
export function PaneNote({ className, ...props }: ComponentProps<'p'>) {
  return (
    <Pane asChild className={classNames('border-b-0 text-ink-2', className)}>
      <p {...props} />
    </Pane>
  );
}
