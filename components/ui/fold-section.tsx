'use client';

import { cva, type VariantProps } from 'class-variance-authority';
import { ChevronRight } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { styled } from './styled.ts';

// On phones, the summary is below the title.
const BELOW =
  'max-narrow:grid-cols-[1rem_minmax(0,1fr)_max-content] max-narrow:[&>:nth-child(3)]:col-span-2 max-narrow:[&>:nth-child(3)]:col-start-2 max-narrow:[&>:nth-child(3)]:row-start-2';

const summaryVariants = cva('grid cursor-pointer list-none gap-3 [&::-webkit-details-marker]:hidden', {
  variants: {
    size: {
      section: [
        BELOW,
        'grid-cols-[1rem_9.5rem_minmax(0,1fr)_max-content] items-baseline px-6 py-[0.7rem] hover:bg-hover max-narrow:px-4 [&>svg]:self-center [&>svg]:text-ink-3',
      ],
      row: [
        BELOW,
        'grid-cols-[1rem_minmax(5.5rem,12rem)_minmax(0,1fr)_max-content] items-center gap-y-2 px-6 py-[0.55rem] hover:bg-hover max-narrow:px-4',
      ],
      inner: 'grid-cols-[1rem_5rem_minmax(0,1fr)_max-content] items-center py-[0.45rem]',
      wide: 'grid-cols-[1rem_8.5rem_minmax(0,1fr)_max-content] items-center py-[0.45rem]',
    },
  },
  defaultVariants: { size: 'section' },
});

type FoldProps = Omit<ComponentProps<'details'>, 'title'> &
  VariantProps<typeof summaryVariants> & { title: ReactNode; summary: ReactNode; mark?: ReactNode };

/** Collapsible section with a title, a summary and a mark at the end. Its content goes into a `FoldBody`. */
export function Fold({ size, title, summary, mark, className, children, ...props }: FoldProps) {
  const isInner = size === 'inner' || size === 'wide';
  return (
    <details
      data-slot="fold"
      className={classNames('border-line border-b [&[open]>summary>svg]:rotate-90', className)}
      {...props}
    >
      <summary className={summaryVariants({ size })}>
        <ChevronRight />
        {title}
        <span
          className={classNames(
            'min-w-0 truncate text-ink-2',
            size === 'row' || isInner ? 'text-sm' : null,
            !isInner && 'max-narrow:line-clamp-2 max-narrow:text-balance max-narrow:whitespace-normal',
          )}
        >
          {summary}
        </span>
        {isInner ? mark : <span>{mark}</span>}
      </summary>
      {children}
    </details>
  );
}

/** Content of a fold, aligned with its title. */
export const FoldBody = styled('div', 'fold-body', 'pt-1 pr-6 pb-6 pl-13 *:max-w-240 max-narrow:px-4');

type FoldSectionProps = {
  title: string;
  summary: ReactNode;
  mark?: ReactNode;
  open: boolean;
  forceOpen: boolean;
  children: ReactNode;
};

/** Collapsible part of a form with a summary of its content. `forceOpen` opens it if it contains an error. */
export function FoldSection({ title, summary, mark, open, forceOpen, children }: FoldSectionProps) {
  const [isOpen, setOpen] = useState(open);
  useEffect(() => {
    if (forceOpen) setOpen(true);
  }, [forceOpen]);
  return (
    <Fold
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      title={<span className="font-semibold">{title}</span>}
      summary={summary}
      mark={mark}
    >
      <FoldBody>{children}</FoldBody>
    </Fold>
  );
}

type OpeningDetailsProps = { isOpen: boolean; title: ReactNode; className?: string; children: ReactNode };

/** Opens when `isOpen` becomes true. Never closes automatically, so that clearing a field does not hide it. */
export function OpeningDetails({ isOpen, title, className, children }: OpeningDetailsProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpenAtFirst] = useState(isOpen);
  useEffect(() => {
    if (isOpen && details.current !== null) details.current.open = true;
  }, [isOpen]);
  return (
    <details ref={details} open={isOpenAtFirst} className={className}>
      <summary className="cursor-pointer text-ink-2 text-sm">{title}</summary>
      {children}
    </details>
  );
}
