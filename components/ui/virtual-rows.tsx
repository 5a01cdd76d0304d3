'use client';

import { Fragment, type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { IndexedRow, RowGap } from './table.tsx';
import { useLoadedCode } from './use-loaded-code.ts';
import type { RowKey, RowPosition, ShownRows } from './window-rows.tsx';

type VirtualRowsProps<Row> = {
  rows: readonly Row[];
  /** Estimated height of a row in pixels. Each is measured after rendering. */
  rowHeight: number;
  keyOf: (row: Row) => RowKey;
  cells: (row: Row) => ReactNode;
  isSelected?: (row: Row) => boolean;
};

/** Number of rows of a long list that are rendered before the window over its rows is loaded. */
const FIRST_ROWS = 60;
/** The same for a list that was short at first and grew. */
const FIRST_GROWN_ROWS = 200;
/** Distance in pixels from the window to the end of the first rows at which the rest is needed. */
const NEAR_PX = 1_500;

/** Loaded only on scrolling, because measuring rows takes much code. If it cannot be loaded, all rows are rendered. */
const loadRowWindow = () => import('./window-rows.tsx').then((file) => file.RowWindow);

/**
 * Table body of a long list. Renders only the visible rows and the focused one, unless the list is short. The table must set
 * `aria-rowcount={rows.length + 1}`, which includes the header. Its columns need fixed widths, otherwise they change while scrolling.
 */
export function VirtualRows<Row>({ rows, rowHeight, keyOf, cells, isSelected }: VirtualRowsProps<Row>) {
  const count = rows.length;
  const body = useRef<HTMLTableSectionElement>(null);
  const focusedKey = useRef<RowKey>(null);
  const [limit] = useState(count > FIRST_ROWS ? FIRST_ROWS : FIRST_GROWN_ROWS);
  const [shown, setShown] = useState<ShownRows | null>(null);
  const isRestNear = useIsRestNear(body, shown === null && count > limit);
  const { code: RowWindow, isFailed } = useLoadedCode(isRestNear, loadRowWindow);
  const keys = useMemo(() => rows.map(keyOf), [rows, keyOf]);
  const indexOf = useMemo(() => new Map(keys.map((key, index) => [key, index])), [keys]);
  const keyAt = useCallback((index: number) => keys[index] ?? index, [keys]);
  const cellsAt = useCallback(
    (index: number) => {
      const row = rows[index];
      return row === undefined ? null : cells(row);
    },
    [rows, cells],
  );
  const isSelectedAt = (row: Row | undefined) => row !== undefined && isSelected?.(row) === true;
  const { drawn, top, end } = shown
    ? { ...shown, drawn: rowsAt(shown.rows, indexOf) }
    : firstRows(isFailed ? count : limit, indexOf, focusedKey.current, rowHeight);
  return (
    <>
      {RowWindow === null ? null : (
        <RowWindow
          body={body}
          focusedKey={focusedKey}
          count={count}
          rowHeight={rowHeight}
          keyOf={keyAt}
          indexOf={indexOf}
          onChange={setShown}
        />
      )}
      <tbody
        ref={body}
        onFocus={({ target }) => {
          const index = target.closest('tr')?.dataset.index;
          focusedKey.current = index === undefined ? null : keyAt(Number(index));
        }}
        onBlur={() => {
          focusedKey.current = null;
        }}
      >
        {drawn.map(({ key, index, start }, position) => (
          <Fragment key={key}>
            <RowGap height={start - (drawn[position - 1]?.end ?? top)} />
            <IndexedRow ref={shown?.measure} index={index} cells={cellsAt} isSelected={isSelectedAt(rows[index])} />
          </Fragment>
        ))}
        <RowGap height={end - (drawn.at(-1)?.end ?? top)} />
      </tbody>
    </>
  );
}

/** Returns rows at their current index. Rows that were shown stay until the window reports those to show after a change. */
function rowsAt(rows: readonly RowPosition[], indexOf: ReadonlyMap<RowKey, number>): RowPosition[] {
  return rows.flatMap((row) => {
    const index = indexOf.get(row.key);
    return index === undefined ? [] : [{ ...row, index }];
  });
}

/** Returns the first rows and the focused one, with estimated positions. */
function firstRows(limit: number, indexOf: ReadonlyMap<RowKey, number>, focusedKey: RowKey | null, rowHeight: number) {
  const drawn = [...indexOf]
    .filter(([key, index]) => index < limit || key === focusedKey)
    .map(([key, index]) => ({ key, index, start: index * rowHeight, end: (index + 1) * rowHeight }));
  return { drawn, top: 0, end: indexOf.size * rowHeight };
}

/** Returns true once the gap at the end of the body is near the window. */
function useIsRestNear(body: RefObject<Element | null>, hasGap: boolean): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const gap = body.current?.lastElementChild;
    if (!hasGap || !gap) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: `${NEAR_PX}px 0px`,
    });
    observer.observe(gap);
    return () => observer.disconnect();
  }, [body, hasGap]);
  return isNear;
}
