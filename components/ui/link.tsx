import NextLink from 'next/link';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** Link to a page of Hone. Prefetching is disabled, because pages are rendered per request. */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}

/** Underlined link, for example within a sentence. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <Link className={classNames('link', className)} {...props} />;
}
