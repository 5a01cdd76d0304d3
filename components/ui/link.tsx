import NextLink from 'next/link';
import type { ComponentProps } from 'react';

/** A link to a page of Hone. Pages are made for each request, so that nothing of them could be fetched before the link is followed. */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
