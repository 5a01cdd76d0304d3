'use client';

import {
  defaultRangeExtractor,
  type PartialKeys,
  useWindowVirtualizer,
  type Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { Fragment, memo, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useIsHydrating } from './hydration.ts';

type VirtualRowsProps = {
  count: number;
  /** Estimated height of a row in pixels. Each is measured after rendering. */
  rowHeight: number;
  keyOf: (index: number) => string | number;
  /** Renders the cells of one row. */
  cells: (index: number) => ReactNode;
  /** True if the row is selected. */
  isSelected?: (index: number) => boolean;
};

/** Shorter lists are rendered completely. */
const MIN_VIRTUAL_ROWS = 60;

/**
 * Table body of a long list. Renders only the visible rows and the focused one, unless the list is short. The table must set
 * `aria-rowcount={count + 1}`, which includes the header. Its columns need fixed widths, otherwise they change while scrolling.
 */
export function VirtualRows({ count, rowHeight, keyOf, cells, isSelected }: VirtualRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focusedKey = useRef<string | number>(null);
  const isVirtual = count > MIN_VIRTUAL_ROWS;
  const { virtual, top } = useWindowRows(body, {
    count,
    enabled: isVirtual,
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
  // Short and long lists render the same elements. Otherwise a list that grows would replace its rows and lose the focus.
  const rows = isVirtual
    ? items.map(({ index, start }, position) => ({ index, gap: start - (items[position - 1]?.end ?? top) }))
    : Array.from({ length: count }, (_, index) => ({ index, gap: 0 }));
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
      {rows.map(({ index, gap }) => (
        <Fragment key={keyOf(index)}>
          <Gap height={gap} />
          <Row
            ref={isVirtual ? virtual.measureElement : undefined}
            index={index}
            cells={cells}
            isSelected={isSelected?.(index) === true}
          />
        </Fragment>
      ))}
      <Gap height={isVirtual ? top + virtual.getTotalSize() - (items.at(-1)?.end ?? top) : 0} />
    </tbody>
  );
}

type RowProps = {
  ref: ((element: Element | null) => void) | undefined;
  index: number;
  cells: (index: number) => ReactNode;
  isSelected: boolean;
};

/** Skips rows that scrolling does not change. */
const Row = memo(function Row({ ref, index, cells, isSelected }: RowProps) {
  return (
    <tr ref={ref} data-index={index} aria-rowindex={index + 2} data-selected={isSelected || undefined}>
      {cells(index)}
    </tr>
  );
});

/** Spacer for rows that are not rendered. Uses one cell, because more would restore columns that are hidden on narrow pages. */
function Gap({ height }: { height: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden>
      <td className="border-0 bg-transparent p-0" style={{ height }} />
    </tr>
  );
}

type Rows = Virtualizer<Window, Element>;
type Options = Pick<
  PartialKeys<VirtualizerOptions<Window, Element>, 'rangeExtractor'>,
  'count' | 'enabled' | 'estimateSize' | 'getItemKey' | 'overscan' | 'rangeExtractor'
>;

/**
 * Returns the visible rows of a long list that scrolls with the page, and the top of the list in pixels. Starts with the server-rendered
 * rows at the top of the list, because the user may have scrolled before hydration. Returns no rows unless `enabled`.
 */
export function useWindowRows(
  list: RefObject<Element | null>,
  { enabled = true, ...options }: Options,
): { virtual: Rows; top: number } {
  const [top, setTop] = useState(0);
  const drawn = useRef<Rows>(null);
  const isHydrating = useIsHydrating();
  // Must run before the effect of the virtualizer, which scrolls the page to its stored offset.
  useLayoutEffect(() => {
    if (!enabled) return;
    if (isHydrating && drawn.current) drawn.current.scrollOffset = window.scrollY;
    setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, [list, isHydrating, enabled]);
  const virtual = useWindowVirtualizer<Element>({
    ...options,
    enabled,
    initialOffset: () => (isHydrating ? 0 : window.scrollY),
    initialRect: { width: 1280, height: 1200 },
    scrollMargin: top,
  });
  drawn.current = virtual;
  return { virtual, top };
}
