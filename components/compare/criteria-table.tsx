import { Check, X } from 'lucide-react';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import type { CaseResult } from '#lib/compare/schema.ts';
import { formatScore, formatScoreAgainst } from '#lib/format.ts';

type Criterion = CaseResult['criteria'][number];
type CriteriaTableProps = { before: CaseResult | null; after: CaseResult | null; letter: string };

/** The criteria of two answers side by side, each with whether it reaches its own threshold. */
export function CriteriaTable({ before, after, letter }: CriteriaTableProps) {
  const names = [...new Set([...(before?.criteria ?? []), ...(after?.criteria ?? [])].map(({ name }) => name))];
  if (names.length === 0) return null;
  return (
    <ScrollX label="Criteria side by side" className="mt-4">
      <Table isTight data-testid="compared-criteria">
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            <th scope="col">A</th>
            <th scope="col">{letter}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" className="wrap-anywhere text-left font-medium">
                {name}
              </th>
              <td>
                <Outcome criterion={before?.criteria.find((one) => one.name === name)} />
              </td>
              <td>
                <Outcome criterion={after?.criteria.find((one) => one.name === name)} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollX>
  );
}

function Outcome({ criterion }: { criterion: Criterion | undefined }) {
  if (criterion === undefined) return <span className="text-ink-3 text-sm">not asked</span>;
  const { score, threshold, reason } = criterion;
  if (score === null) return <span className="text-ink-3 text-sm">unscored</span>;
  if (threshold === null) return formatScore(score);
  const passes = score >= threshold;
  const Glyph = passes ? Check : X;
  return (
    <span
      className={passes ? 'whitespace-nowrap text-better' : 'whitespace-nowrap text-worse'}
      title={reason ?? undefined}
    >
      <Glyph className="inline size-3.25" aria-hidden /> {formatScoreAgainst(score, threshold).score}{' '}
      {passes ? 'pass' : 'fail'}
    </span>
  );
}
