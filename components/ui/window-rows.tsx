'use client';

import {
  defaultRangeExtractor,
  type PartialKeys,
  useWindowVirtualizer,
  type VirtualItem,
  type Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { memo, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useIsHydrating } from './hydration.ts';

/** Row of a list with its distance from the top of the page in pixels. */
export type RowPosition = Pick<VirtualItem, 'key' | 'index' | 'start' | 'end'>;
export type RowKey = RowPosition['key'];

/** Rows to render, and where the list begins and ends. */
export type ShownRows = {
  rows: readonly RowPosition[];
  top: number;
  end: number;
  /** Called with the element of each rendered row. */
  measure: (element: Element | null) => void;
};

type RowWindowProps = {
  body: RefObject<Element | null>;
  focusedKey: RefObject<RowKey | null>;
  count: number;
  rowHeight: number;
  keyOf: (index: number) => RowKey;
  indexOf: ReadonlyMap<RowKey, number>;
  onChange: (shown: ShownRows) => void;
};

/**
 * Reports the rows in the window and the focused one. Renders nothing, so that a list keeps its elements when this code is loaded. Skips
 * the render that a report causes, which would report again.
 */
export const RowWindow = memo(function RowWindow(props: RowWindowProps) {
  const { body, focusedKey, count, rowHeight, keyOf, indexOf, onChange } = props;
  const { virtual, top } = useWindowRows(body, {
    count,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: 12,
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      // Found by its key, because new rows can be above it.
      const focused = focusedKey.current === null ? undefined : indexOf.get(focusedKey.current);
      return focused === undefined || drawn.includes(focused) ? drawn : [...drawn, focused].toSorted((a, b) => a - b);
    },
  });
  const rows = virtual.getVirtualItems();
  const end = top + virtual.getTotalSize();
  useLayoutEffect(() => {
    onChange({ rows, top, end, measure: virtual.measureElement });
  }, [onChange, virtual, rows, top, end]);
  return null;
});

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
  const [top, setTop] = useState(() => topOf(list));
  const drawn = useRef<Rows>(null);
  const isHydrating = useIsHydrating();
  // Must run before the effect of the virtualizer, which scrolls the page to its stored offset.
  useLayoutEffect(() => {
    if (isHydrating && drawn.current) drawn.current.scrollOffset = window.scrollY;
    setTop(topOf(list));
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

function topOf({ current: list }: RefObject<Element | null>): number {
  return list === null ? 0 : list.getBoundingClientRect().top + window.scrollY;
}
