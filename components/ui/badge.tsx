import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const badgeVariants = cva(
  'inline-flex h-5 items-center gap-[0.3rem] rounded-1 border px-[0.4rem] align-middle text-xs leading-none font-medium whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      tone: {
        default: 'border-line-strong bg-surface text-ink-2',
        better: 'border-better/35 bg-better-bg text-better',
        worse: 'border-worse/35 bg-worse-bg text-worse',
        wait: 'border-wait/40 bg-wait-bg text-wait',
        unscored: 'border-dashed border-line-strong bg-surface text-ink-3',
        plain: 'border-transparent bg-sunken text-ink-2',
        on: 'border-brand bg-brand-tint text-brand',
      },
    },
    defaultVariants: { tone: 'default' },
  },
);

type BadgeProps = ComponentProps<'span'> & VariantProps<typeof badgeVariants> & { asChild?: boolean };

/** Short label with a tone. Always include a glyph or word, because color alone must not carry the meaning. */
export function Badge({ className, tone, asChild = false, ...props }: BadgeProps) {
  const Root = asChild ? Slot.Root : 'span';
  return <Root data-slot="badge" className={classNames(badgeVariants({ tone }), className)} {...props} />;
}
