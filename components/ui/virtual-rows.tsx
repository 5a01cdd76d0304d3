'use client';

import dynamic from 'next/dynamic';
import { Suspense, useState } from 'react';
import { IndexedRow, RowGap } from './table.tsx';
import type { VirtualRowsProps } from './window-rows.tsx';

/** Loaded only for long lists, because measuring rows takes much code. If it cannot be loaded, all rows are rendered. */
const WindowRows = dynamic(() =>
  import('./window-rows.tsx').then(
    (file) => file.WindowRows,
    () => PlainRows,
  ),
);

/** Shorter lists are rendered completely. */
const MIN_VIRTUAL_ROWS = 60;
/** A short list that grows to this length keeps its elements. Replacing them would lose the focus. */
const MAX_PLAIN_ROWS = 200;

/**
 * Table body of a long list. Renders only the visible rows and the focused one, unless the list is short. The table must set
 * `aria-rowcount={count + 1}`, which includes the header. Its columns need fixed widths, otherwise they change while scrolling.
 */
export function VirtualRows(props: VirtualRowsProps) {
  const [isLong, setLong] = useState(props.count > MIN_VIRTUAL_ROWS);
  if (!isLong && props.count > MAX_PLAIN_ROWS) setLong(true);
  if (!isLong) return <PlainRows {...props} />;
  return (
    <Suspense fallback={<PlainRows {...props} limit={MIN_VIRTUAL_ROWS} />}>
      <WindowRows {...props} />
    </Suspense>
  );
}

/** Renders all rows, or the first ones and a gap. */
function PlainRows({
  count,
  rowHeight,
  keyOf,
  cells,
  isSelected,
  limit = count,
}: VirtualRowsProps & { limit?: number }) {
  const drawn = Math.min(count, limit);
  return (
    <tbody>
      {Array.from({ length: drawn }, (_, index) => (
        <IndexedRow key={keyOf(index)} index={index} cells={cells} isSelected={isSelected?.(index) === true} />
      ))}
      <RowGap height={(count - drawn) * rowHeight} />
    </tbody>
  );
}
