'use client';

import { ScrollX } from '#components/ui/scroll-x.tsx';
import { VirtualRows } from '#components/ui/virtual-rows.tsx';

type CasesTableProps = {
  cases: readonly { input: string; reference: string | null; tags: readonly string[] }[];
  /** The number of the first of them in its dataset, from 0. */
  from: number;
};

/** Cases of a dataset, numbered as in it. Only those in sight are drawn. */
export function CasesTable({ cases, from }: CasesTableProps) {
  return (
    <ScrollX label="Cases">
      <table className="t edge cases" data-testid="cases" aria-rowcount={cases.length + 1}>
        <thead>
          <tr>
            <th scope="col" className="num">
              №
            </th>
            <th scope="col">Input</th>
            <th scope="col" className="rp">
              Reference
            </th>
            <th scope="col" className="opt">
              Tags
            </th>
          </tr>
        </thead>
        <VirtualRows
          count={cases.length}
          rowHeight={34}
          keyOf={(index) => from + index}
          cells={(index) => {
            const found = cases[index];
            return found ? (
              <>
                <td className="num faint align-top">{from + index + 1}</td>
                <td className="whitespace-pre-wrap wrap-anywhere">{found.input}</td>
                <td className="wrap-anywhere rp">{found.reference ?? <span className="faint">none</span>}</td>
                <td className="opt sm muted">{found.tags.join(', ')}</td>
              </>
            ) : null;
          }}
        />
      </table>
    </ScrollX>
  );
}
