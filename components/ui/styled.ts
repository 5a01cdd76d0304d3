import type { ClassValue } from 'clsx';
import { Slot } from 'radix-ui';
import { type ComponentProps, createElement, type JSX } from 'react';
import { classNames } from './class-names.ts';

type StyledProps<Tag extends keyof JSX.IntrinsicElements> = ComponentProps<Tag> & {
  className?: string | undefined;
  /** Styles the only child instead of adding an element. */
  asChild?: boolean;
};

/**
 * Returns a component for an element with a slot name and classes. Classes passed to the component win over them. `attributes`: defaults
 * for other attributes.
 */
export function styled<Tag extends keyof JSX.IntrinsicElements>(
  tag: Tag,
  slot: string,
  classes: ClassValue,
  attributes: Omit<ComponentProps<Tag>, 'ref'> | null = null,
) {
  return function Styled({ className, asChild = false, ...props }: StyledProps<Tag>): JSX.Element {
    const shared = { 'data-slot': slot, className: classNames(classes, className) };
    return createElement<object>(asChild ? Slot.Root : tag, { ...shared, ...attributes, ...props });
  };
}
