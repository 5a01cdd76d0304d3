import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const fillVariants = cva('absolute inset-y-0 left-0 rounded-[1px]', {
  variants: {
    tone: {
      default: 'bg-ink-3',
      better: 'bg-better',
      worse:
        'bg-[repeating-linear-gradient(135deg,var(--worse)_0_3px,color-mix(in_srgb,var(--worse)_45%,var(--surface))_3px_5px)]',
      wait: 'bg-wait-line',
    },
  },
  defaultVariants: { tone: 'default' },
});

type BarProps = ComponentProps<'span'> & VariantProps<typeof fillVariants> & { percent: number; isBare?: boolean };

/** Bar for a share, purely visual because the number is shown next to it. `isBare` omits the background of the remainder. */
export function Bar({ percent, tone, isBare = false, className, children, ...props }: BarProps) {
  return (
    <span
      data-slot="bar"
      aria-hidden
      className={classNames('relative block h-1.5 min-w-16 rounded-[1px]', !isBare && 'bg-hover', className)}
      {...props}
    >
      <i className={fillVariants({ tone })} style={{ width: `${percent}%` }} />
      {children}
    </span>
  );
}
