import { formatBounds } from '#components/experiment/success-cell.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { formatCount, formatPercent, formatScore } from '#lib/format.ts';
import type { Reviewers } from '#lib/insights/schema.ts';
import { kappaNote, type ReviewerAgreement } from '#lib/statistics/reviewer-agreement.ts';
import { Headline, reviewersHeadline } from './headline.tsx';

type Agreement = Pick<ReviewerAgreement, 'n' | 'same' | 'interval' | 'kappa' | 'whyNoKappa' | 'ties'>;

/** Shows the agreement of reviewers who judged the same outputs. Renders nothing if no judgements overlap. */
export function ReviewersSection({ reviewers }: { reviewers: Reviewers }) {
  const rows = SORTS.map((sort) => ({ ...sort, found: reviewers[sort.key] })).filter(({ found }) => found.shared > 0);
  if (rows.length === 0) return null;
  const headline = reviewersHeadline(reviewers);
  return (
    <section id="reviewers" aria-labelledby="reviewers-title" data-testid="reviewers">
      <Pane className="border-b-0 pb-1">
        <PaneHeader
          titleId="reviewers-title"
          title="Agreement between reviewers"
          note="items judged by several people, 95% intervals"
          className="mb-0"
        />
        {headline === null ? null : <Headline>{headline}</Headline>}
      </Pane>
      <Table scrollLabel="Agreement between reviewers" isInset>
        <TableHead>
          <ColumnHead>Judged</ColumnHead>
          <NumberHead>Same</NumberHead>
          <NumberHead>Agreement</NumberHead>
          <NumberHead>Kappa</NumberHead>
          <ColumnHead className="max-narrow:hidden">Ties</ColumnHead>
        </TableHead>
        {rows.map(({ key, name, hint, found }) => (
          <tbody key={key}>
            <AgreementRow found={found}>
              <b className="font-medium">{name}</b>
              <span className="block text-ink-2 text-sm">
                {formatCount(found.shared)} by {formatCount(found.people)} people. {hint}
              </span>
            </AgreementRow>
            {found.pairs.length < 2
              ? null
              : found.pairs.map((pair) => (
                  <AgreementRow key={`${pair.first} ${pair.second}`} found={pair}>
                    <span className="wrap-anywhere pl-4">
                      {pair.first} and {pair.second}
                    </span>
                  </AgreementRow>
                ))}
            {found.pairs.length === 1 ? (
              <tr>
                <td colSpan={5} className="wrap-anywhere text-ink-2 text-sm">
                  {found.pairs[0]?.first} and {found.pairs[0]?.second}
                </td>
              </tr>
            ) : null}
          </tbody>
        ))}
      </Table>
    </section>
  );
}

const SORTS = [
  {
    key: 'opinions',
    name: 'Lessons',
    hint: 'Blind votes on promotion, for all lessons.',
  },
  { key: 'scores', name: 'Scores', hint: 'Whether a version passes. Later reviewers see earlier scores.' },
  { key: 'preferences', name: 'Pairs', hint: 'Which of two versions is better, judged blind.' },
] as const;

function AgreementRow({ found, children }: { found: Agreement; children: React.ReactNode }) {
  const { n, same, interval, ties } = found;
  const note = kappaNote(found);
  return (
    <tr>
      <td>
        {children}
        {note === null ? null : <span className="block max-w-[64ch] text-ink-2 text-sm">{note}</span>}
      </td>
      <NumberCell>
        {formatCount(same)}/{formatCount(n)}
      </NumberCell>
      <NumberCell>{interval === null ? '–' : `${formatPercent(interval.share)}, ${formatBounds(interval)}`}</NumberCell>
      <NumberCell>{kappaLabel(found)}</NumberCell>
      <td className="text-ink-2 text-sm max-narrow:hidden">{ties === 0 ? '' : `${formatCount(ties)} with a tie`}</td>
    </tr>
  );
}

function kappaLabel({ kappa, whyNoKappa }: Agreement): string {
  if (kappa === null) return WHY_NO_KAPPA[whyNoKappa ?? 'nothing'];
  const { low, high } = kappa;
  const bounds = low === null || high === null ? ', no interval' : ` [${formatScore(low)}, ${formatScore(high)}]`;
  return `${formatScore(kappa.kappa)}${bounds}`;
}

const WHY_NO_KAPPA = { nothing: '–', too_few: 'too few', all_alike: 'all equal' } as const;
