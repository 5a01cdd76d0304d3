import NextLink from 'next/link';
import type { ComponentProps } from 'react';

/** Link to a page of Hone. Prefetching is disabled, because pages are rendered per request. */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
