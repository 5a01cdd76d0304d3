import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const badgeVariants = cva('chip', {
  variants: {
    tone: {
      default: '',
      better: 'better',
      worse: 'worse',
      wait: 'wait',
      unscored: 'unscored',
      plain: 'plain',
      on: 'on',
    },
  },
  defaultVariants: { tone: 'default' },
});

/** A short word with a meaning. Its colour never stands alone: give it a glyph or a word that says the same. */
export function Badge({ className, tone, ...props }: ComponentProps<'span'> & VariantProps<typeof badgeVariants>) {
  return <span data-slot="badge" className={classNames(badgeVariants({ tone }), className)} {...props} />;
}
