import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const columnsVariants = cva(
  [
    'grid grid-cols-1 border-b border-line following:border-t following:border-line',
    // The lines between the parts and below them are drawn here.
    '*:data-[slot=pane]:border-b-0 [&_[data-slot=pane]:last-child]:border-b-0',
  ],
  {
    variants: {
      /** From which width the parts stand side by side; give the columns at that width as a class. */
      from: {
        narrow: 'narrow:following:border-t-0 narrow:following:border-l',
        medium: 'medium:following:border-t-0 medium:following:border-l',
        roomy: 'roomy:following:border-t-0 roomy:following:border-l',
      },
    },
    defaultVariants: { from: 'medium' },
  },
);

/** Parts of a page side by side with lines between them; in a narrower window they stand below each other. */
export function Columns({
  className,
  from,
  ...props
}: ComponentProps<'section'> & VariantProps<typeof columnsVariants>) {
  return <section data-slot="columns" className={classNames(columnsVariants({ from }), className)} {...props} />;
}
