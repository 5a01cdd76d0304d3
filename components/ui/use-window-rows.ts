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
 * The rows of a long list that are in sight while the page scrolls, and where the list begins on the page, in pixels.
 * First they are those the server drew, at the top of the list: a person may have scrolled before the page's scripts ran.
 */
export function useWindowRows(list: RefObject<Element | null>, options: Options): { virtual: Rows; top: number } {
  const [top, setTop] = useState(0);
  const drawn = useRef<Rows>(null);
  const isHydrating = useIsHydrating();
  // Before the virtualizer's own effect, which scrolls the page to the offset it believes in.
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
