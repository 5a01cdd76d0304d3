'use client';

import {
  defaultRangeExtractor,
  type PartialKeys,
  useWindowVirtualizer,
  type Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { Fragment, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useIsHydrating } from './hydration.ts';
import { IndexedRow, RowGap } from './table.tsx';

export type VirtualRowsProps = {
  count: number;
  /** Estimated height of a row in pixels. Each is measured after rendering. */
  rowHeight: number;
  keyOf: (index: number) => string | number;
  /** Renders the cells of one row. */
  cells: (index: number) => ReactNode;
  /** True if the row is selected. */
  isSelected?: (index: number) => boolean;
};

/** Table body with the rows in the window and the focused one. */
export function WindowRows({ count, rowHeight, keyOf, cells, isSelected }: VirtualRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focusedKey = useRef<string | number>(null);
  const { virtual, top } = useWindowRows(body, {
    count,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: 12,
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      const { current: key } = focusedKey;
      // Found by its key, because new rows can be above it.
      const focused = key === null ? -1 : Array.from({ length: count }, (_, index) => keyOf(index)).indexOf(key);
      return focused === -1 || drawn.includes(focused) ? drawn : [...drawn, focused].toSorted((a, b) => a - b);
    },
  });
  const items = virtual.getVirtualItems();
  return (
    <tbody
      ref={body}
      onFocus={({ target }) => {
        const index = target.closest('tr')?.dataset.index;
        focusedKey.current = index === undefined ? null : keyOf(Number(index));
      }}
      onBlur={() => {
        focusedKey.current = null;
      }}
    >
      {items.map(({ index, start }, position) => (
        <Fragment key={keyOf(index)}>
          <RowGap height={start - (items[position - 1]?.end ?? top)} />
          <IndexedRow
            ref={virtual.measureElement}
            index={index}
            cells={cells}
            isSelected={isSelected?.(index) === true}
          />
        </Fragment>
      ))}
      <RowGap height={top + virtual.getTotalSize() - (items.at(-1)?.end ?? top)} />
    </tbody>
  );
}

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
