import {
  type PartialKeys,
  useWindowVirtualizer,
  type Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useIsHydrating } from './use-is-hydrating.ts';

type Rows = Virtualizer<Window, Element>;
type Options = Pick<
  PartialKeys<VirtualizerOptions<Window, Element>, 'rangeExtractor'>,
  'count' | 'estimateSize' | 'getItemKey' | 'overscan' | 'rangeExtractor'
>;

/**
 * Returns the visible rows of a long list that scrolls with the page, and the top of the list in pixels. Starts with the server-rendered
 * rows at the top of the list, because the user may have scrolled before hydration.
 */
export function useWindowRows(list: RefObject<Element | null>, options: Options): { virtual: Rows; top: number } {
  const [top, setTop] = useState(0);
  const drawn = useRef<Rows>(null);
  const isHydrating = useIsHydrating();
  // Must run before the effect of the virtualizer, which scrolls the page to its stored offset.
  useLayoutEffect(() => {
    if (isHydrating && drawn.current) drawn.current.scrollOffset = window.scrollY;
    setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, [list, isHydrating]);
  const virtual = useWindowVirtualizer<Element>({
    ...options,
    initialOffset: () => (isHydrating ? 0 : window.scrollY),
    initialRect: { width: 1280, height: 1200 },
    scrollMargin: top,
  });
  drawn.current = virtual;
  return { virtual, top };
}
