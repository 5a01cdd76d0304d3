import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const buttonVariants = cva('btn', {
  variants: {
    variant: { default: '', primary: 'primary', ghost: 'ghost' },
    size: { default: '', small: 'sm', icon: 'icon', smallIcon: 'icon sm', large: 'lg' },
  },
  defaultVariants: { variant: 'default', size: 'default' },
});

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonVariants> & { asChild?: boolean };

/** A button, or with `asChild` its only child (a link) in the look of one. One `primary` a view. */
export function Button({ className, variant, size, asChild = false, type, ...props }: ButtonProps) {
  const classes = classNames(buttonVariants({ variant, size }), className);
  if (asChild) return <Slot.Root data-slot="button" className={classes} {...props} />;
  return <button data-slot="button" type={type ?? 'button'} className={classes} {...props} />;
}
