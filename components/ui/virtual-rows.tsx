'use client';

import {
  defaultRangeExtractor,
  type PartialKeys,
  type Range,
  useWindowVirtualizer,
  type Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { Fragment, type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
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
export function VirtualRows(props: VirtualRowsProps) {
  return props.count <= MIN_VIRTUAL_ROWS ? <WholeRows {...props} /> : <WindowRows {...props} />;
}

/** Measuring would render the rows of a short list again right after they appear. */
function WholeRows({ count, keyOf, cells, isSelected }: VirtualRowsProps) {
  return (
    <tbody>
      {Array.from({ length: count }, (_, index) => (
        <Row key={keyOf(index)} index={index} isSelected={isSelected?.(index) === true}>
          {cells(index)}
        </Row>
      ))}
    </tbody>
  );
}

function WindowRows({ count, rowHeight, keyOf, cells, isSelected }: VirtualRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const withFocused = useCallback(
    (range: Range) => {
      const drawn = defaultRangeExtractor(range);
      if (focused === null || drawn.includes(focused) || focused >= count) return drawn;
      return [...drawn, focused].toSorted((a, b) => a - b);
    },
    [focused, count],
  );
  const { virtual, top } = useWindowRows(body, {
    count,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: 12,
    rangeExtractor: withFocused,
  });
  const items = virtual.getVirtualItems();
  const end = top + virtual.getTotalSize();
  return (
    <tbody
      ref={body}
      onFocus={(event) => {
        const row = event.target.closest('tr')?.dataset.index;
        setFocused(row === undefined ? null : Number(row));
      }}
      onBlur={() => setFocused(null)}
    >
      {items.map(({ index, key, start }, position) => {
        const before = items[position - 1];
        return (
          <Fragment key={key}>
            <Gap height={start - (before?.end ?? top)} />
            <Row ref={virtual.measureElement} index={index} isSelected={isSelected?.(index) === true}>
              {cells(index)}
            </Row>
          </Fragment>
        );
      })}
      <Gap height={end - (items.at(-1)?.end ?? top)} />
    </tbody>
  );
}

type RowProps = {
  ref?: (element: Element | null) => void;
  index: number;
  isSelected: boolean;
  children: ReactNode;
};

function Row({ ref, index, isSelected, children }: RowProps) {
  return (
    <tr ref={ref} data-index={index} aria-rowindex={index + 2} data-selected={isSelected || undefined}>
      {children}
    </tr>
  );
}

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
