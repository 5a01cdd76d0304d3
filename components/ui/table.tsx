import { cva, type VariantProps } from 'class-variance-authority';
import { type ComponentProps, memo, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ScrollX } from './scroll-x.tsx';

// The variants `th:`, `td:`, `cell:` and so on are defined in `app/globals.css`. They have no specificity, so a cell's own classes win.
const tableVariants = cva(
  [
    'w-full border-collapse text-md',
    'th:border-b th:border-line th:px-2 th:py-[0.3rem] th:text-left th:align-bottom th:text-sm th:font-medium th:whitespace-nowrap th:text-ink-3',
    'td:border-b td:border-line td:px-2 td:py-[0.4rem] td:align-middle',
    'row-head:py-[0.4rem] row-head:align-middle row-head:font-normal row-head:text-ink',
    'last-row:border-b-0',
    'chosen:bg-brand-tint chosen:first:shadow-chosen',
    '[:where(&_:is(td,th)>[data-slot=badge])]:relative [:where(&_:is(td,th)>[data-slot=badge])]:-top-px [:where(&_:is(td,th)>[data-slot=badge])]:-my-[0.2rem]',
  ],
  {
    variants: {
      /** As wide as the page, with its text aligned to the text above and below. */
      isInset: {
        true: 'cell-first:pl-6 cell-last:pr-6 max-narrow:cell-first:pl-4 max-narrow:cell-last:pr-4',
        false: '',
      },
      isTight: { true: 'cell:px-[0.35rem] cell-first:pl-0', false: '' },
      hasHover: { true: 'hovered:bg-hover', false: '' },
    },
    defaultVariants: { isInset: false, isTight: false, hasHover: false },
  },
);

/** Returns the table classes for tables that do not use the component. */
export function tableClasses(look: VariantProps<typeof tableVariants>): string {
  return classNames(tableVariants(look));
}

type TableProps = ComponentProps<'table'> &
  VariantProps<typeof tableVariants> & {
    /** Name of the region in which the table scrolls if it is too wide. Without it, the table does not scroll. */
    scrollLabel?: string;
    scrollClassName?: string | undefined;
    /** Limits a table that scrolls to a few rows. */
    isCapped?: boolean;
  };

/** Table with native rows and cells. */
export function Table({ scrollLabel, scrollClassName, isCapped, className, ...props }: TableProps) {
  const { isInset, isTight, hasHover, ...rest } = props;
  const look = tableClasses({ isInset, isTight, hasHover });
  const table = <table data-slot="table" className={classNames(look, className)} {...rest} />;
  if (scrollLabel === undefined) return table;
  return (
    <ScrollX label={scrollLabel} isCapped={isCapped} className={scrollClassName}>
      {table}
    </ScrollX>
  );
}

/** Header row of a table. */
export function TableHead({ children, ...props }: ComponentProps<'thead'>) {
  return (
    <thead {...props}>
      <tr>{children}</tr>
    </thead>
  );
}

/** Header of a column. `hideLabel` shows its text only to screen readers. */
export function ColumnHead({ hideLabel = false, children, ...props }: ComponentProps<'th'> & { hideLabel?: boolean }) {
  return (
    <th scope="col" {...props}>
      {hideLabel ? <span className="sr-only">{children}</span> : children}
    </th>
  );
}

/** Header of a row. */
export function RowHead(props: ComponentProps<'th'>) {
  return <th scope="row" {...props} />;
}

/** Header of a numeric column. */
export function NumberHead({ className, ...props }: ComponentProps<'th'>) {
  return <th scope="col" className={classNames('whitespace-nowrap text-right', className)} {...props} />;
}

/** Cell of a numeric column. */
export function NumberCell({ className, ...props }: ComponentProps<'td'>) {
  return <td className={classNames('whitespace-nowrap text-right', className)} {...props} />;
}

type IndexedRowProps = {
  ref?: (element: Element | null) => void;
  index: number;
  cells: (index: number) => ReactNode;
  isSelected: boolean;
};

/** Row of a list that may render only some of its rows. Skips rows that scrolling does not change. */
export const IndexedRow = memo(function IndexedRow({ ref, index, cells, isSelected }: IndexedRowProps) {
  return (
    <tr ref={ref} data-index={index} aria-rowindex={index + 2} data-selected={isSelected || undefined}>
      {cells(index)}
    </tr>
  );
});

/** Spacer for rows that are not rendered. Uses one cell, because more would restore columns that are hidden on narrow pages. */
export function RowGap({ height }: { height: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden>
      <td className="border-0 bg-transparent p-0" style={{ height }} />
    </tr>
  );
}
