import { cva, type VariantProps } from 'class-variance-authority';
import type { LucideIcon } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export const buttonVariants = cva(
  [
    'inline-flex cursor-pointer items-center justify-center border glyphs-plain leading-none font-medium whitespace-nowrap',
    'motion-safe:transition-[background-color,border-color]',
    'aria-pressed:border-brand aria-pressed:bg-brand-tint aria-pressed:text-brand',
    'inactive:cursor-not-allowed inactive:border-line-strong inactive:bg-sunken inactive:text-ink-3',
    'inactive:[&_kbd]:border-line-strong inactive:[&_kbd]:text-ink-3 max-narrow:[&_kbd]:hidden pointer-coarse:[&_kbd]:hidden',
  ],
  {
    variants: {
      variant: {
        default: 'border-line-strong bg-surface text-ink hover:bg-hover',
        primary: [
          'border-brand bg-brand text-brand-ink hover:bg-[color-mix(in_srgb,var(--brand)_90%,var(--ink))]',
          '[&_kbd]:border-brand-ink/50 [&_kbd]:bg-transparent [&_kbd]:text-brand-ink',
        ],
        ghost: [
          'border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink',
          'inactive:border-transparent inactive:bg-transparent',
        ],
      },
      size: {
        default: 'h-7.5 gap-1.5 rounded-2 px-2.5 text-md pointer-coarse:min-h-10',
        small: 'h-6 gap-1.5 rounded-1 px-1.75 text-sm pointer-coarse:min-h-8',
        icon: 'h-7.5 w-7.5 gap-1.5 rounded-2 text-md pointer-coarse:min-h-10',
        smallIcon: 'h-6 w-6 gap-1.5 rounded-1 text-sm pointer-coarse:min-h-8',
        large: 'h-9 gap-1.5 rounded-2 px-3.5 text-md pointer-coarse:min-h-10',
      },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
);

/** Class that hides the label of a button on phones, leaving only its icon. */
export const NARROW_ICON = 'max-narrow:sr-only';

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonVariants> & { asChild?: boolean };

/** Button, or with `asChild` its only child (a link) styled as a button. Use one `primary` button per view. */
export function Button({ className, variant, size, asChild = false, type, ...props }: ButtonProps) {
  const shared = {
    'data-slot': 'button',
    'data-variant': variant ?? 'default',
    className: classNames(buttonVariants({ variant, size }), className),
  };
  if (asChild) return <Slot.Root {...shared} {...props} />;
  return <button type={type ?? 'button'} {...shared} {...props} />;
}

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'asChild' | 'children'> & {
  icon: LucideIcon;
  label: string;
};

/** Small button with an icon. `label` is its accessible name. */
export function IconButton({ icon: Icon, label, ...props }: IconButtonProps) {
  return (
    <Button variant="ghost" size="smallIcon" aria-label={label} {...props}>
      <Icon />
    </Button>
  );
}
