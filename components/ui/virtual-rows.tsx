'use client';

import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useWindowRows } from './use-window-rows.ts';

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
 * Virtualized table body. Renders only the visible rows and the focused one. The table must set `aria-rowcount={count + 1}`, which includes
 * the header. Its columns need fixed widths, otherwise they change while scrolling.
 */
export function VirtualRows({ count, rowHeight, keyOf, cells, isSelected }: VirtualRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const isWhole = count <= MIN_VIRTUAL_ROWS;
  const withFocused = useCallback(
    (range: Range) => {
      const drawn = isWhole ? Array.from({ length: count }, (_, index) => index) : defaultRangeExtractor(range);
      if (focused === null || drawn.includes(focused) || focused >= count) return drawn;
      return [...drawn, focused].toSorted((a, b) => a - b);
    },
    [focused, isWhole, count],
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
          <Row
            key={key}
            gap={start - (before?.end ?? top)}
            index={index}
            measure={virtual.measureElement}
            selected={isSelected?.(index) === true}
          >
            {cells(index)}
          </Row>
        );
      })}
      <Gap height={end - (items.at(-1)?.end ?? top)} />
    </tbody>
  );
}

type RowProps = {
  gap: number;
  index: number;
  measure: (element: Element | null) => void;
  selected: boolean;
  children: ReactNode;
};

function Row({ gap, index, measure, selected, children }: RowProps) {
  return (
    <>
      <Gap height={gap} />
      <tr ref={measure} data-index={index} aria-rowindex={index + 2} data-selected={selected || undefined}>
        {children}
      </tr>
    </>
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
