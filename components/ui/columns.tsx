import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const columnsVariants = cva(
  [
    'grid grid-cols-1 border-b border-line following:border-t following:border-line',
    // This component draws the lines between and below the parts.
    '*:data-[slot=pane]:border-b-0 [&_[data-slot=pane]:last-child]:border-b-0',
  ],
  {
    variants: {
      /** Breakpoint from which the parts are side by side. Set the columns for that width with a class. */
      from: {
        narrow: 'narrow:following:border-t-0 narrow:following:border-l',
        medium: 'medium:following:border-t-0 medium:following:border-l',
        roomy: 'roomy:following:border-t-0 roomy:following:border-l',
      },
    },
    defaultVariants: { from: 'medium' },
  },
);

/** Lays out parts of a page side by side with lines between them. They are stacked on narrow screens. */
export function Columns({
  className,
  from,
  ...props
}: ComponentProps<'section'> & VariantProps<typeof columnsVariants>) {
  return <section data-slot="columns" className={classNames(columnsVariants({ from }), className)} {...props} />;
}
