'use client';

import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useWindowRows } from './use-window-rows.ts';

type VirtualRowsProps = {
  count: number;
  /** Height of a usual row in pixels; each is measured once it is drawn. */
  rowHeight: number;
  keyOf: (index: number) => string | number;
  /** The cells of one row. */
  cells: (index: number) => ReactNode;
  /** Whether a row is the one that is looked into. */
  isSelected?: (index: number) => boolean;
};

/** Lists shorter than this are drawn whole. */
const FEW = 60;

/**
 * The body of a long table: only rows in sight are drawn, and the one that has the focus. The table says how many there are:
 * `aria-rowcount={count + 1}`, its head being the first. Its columns need widths of their own, else they jump as rows come and go.
 */
export function VirtualRows({ count, rowHeight, keyOf, cells, isSelected }: VirtualRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const isWhole = count <= FEW;
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
      {items.map(({ index, key, start }, place) => {
        const before = items[place - 1];
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

/** Stands for rows that are not drawn. One cell: more would bring back columns that are hidden on narrow pages. */
function Gap({ height }: { height: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden>
      <td className="border-0 bg-transparent p-0" style={{ height }} />
    </tr>
  );
}
