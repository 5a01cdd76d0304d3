import { formatBounds } from '#components/experiment/success-cell.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatCount, formatPercent, formatScore } from '#lib/format.ts';
import type { ReviewerAgreement } from '#lib/measures/reviewer-agreement.ts';
import type { Reviewers } from '#lib/measures/reviewers.ts';

type Agreement = Pick<ReviewerAgreement, 'n' | 'same' | 'interval' | 'kappa' | 'whyNoKappa' | 'ties'>;

/** How far the people agree who judged the same things. Nothing where nobody judged what somebody else did. */
export function ReviewersSection({ reviewers }: { reviewers: Reviewers }) {
  const rows = SORTS.map((sort) => ({ ...sort, found: reviewers[sort.key] })).filter(({ found }) => found.shared > 0);
  if (rows.length === 0) return null;
  return (
    <section id="reviewers" aria-labelledby="reviewers-title" data-testid="reviewers">
      <div className="pane border-b-0 pb-1">
        <div className="ph mb-0">
          <h2 id="reviewers-title">Reviewers against each other</h2>
          <span className="note">of what more than one person judged; 95 % intervals</span>
        </div>
      </div>
      <ScrollX label="Agreement between reviewers">
        <table className="t edge">
          <thead>
            <tr>
              <th scope="col">What they judged</th>
              <th scope="col" className="num">
                Same
              </th>
              <th scope="col" className="num">
                Agreement
              </th>
              <th scope="col" className="num">
                Kappa
              </th>
              <th scope="col" className="opt">
                Apart
              </th>
            </tr>
          </thead>
          {rows.map(({ key, name, hint, found }) => (
            <tbody key={key}>
              <AgreementRow found={found}>
                <b className="md5">{name}</b>
                <span className="block sm muted">
                  {formatCount(found.shared)} by {formatCount(found.people)} people; {hint}
                </span>
              </AgreementRow>
              {found.pairs.length < 2
                ? null
                : found.pairs.map((pair) => (
                    <AgreementRow key={`${pair.first} ${pair.second}`} found={pair}>
                      <span className="pl-4 wrap-anywhere">
                        {pair.first} and {pair.second}
                      </span>
                    </AgreementRow>
                  ))}
              {found.pairs.length === 1 ? (
                <tr>
                  <td colSpan={5} className="sm muted wrap-anywhere">
                    {found.pairs[0]?.first} and {found.pairs[0]?.second}
                  </td>
                </tr>
              ) : null}
            </tbody>
          ))}
        </table>
      </ScrollX>
    </section>
  );
}

const SORTS = [
  {
    key: 'opinions',
    name: 'Lessons',
    hint: 'whether to promote them, said before the others were seen; of all lessons',
  },
  { key: 'scores', name: 'Scores', hint: 'whether a version reaches its threshold; the later one sees the earlier' },
  { key: 'preferences', name: 'Pairs', hint: 'which of two versions is better, seen blind' },
] as const;

function AgreementRow({ found, children }: { found: Agreement; children: React.ReactNode }) {
  const { n, same, interval, ties } = found;
  return (
    <tr>
      <td>{children}</td>
      <td className="num nw">
        {formatCount(same)}/{formatCount(n)}
      </td>
      <td className="num nw">
        {interval === null ? '–' : `${formatPercent(interval.share)}, ${formatBounds(interval)}`}
      </td>
      <td className="num nw">{kappaWords(found)}</td>
      <td className="sm muted opt">{ties === 0 ? '' : `${formatCount(ties)} with a tie`}</td>
    </tr>
  );
}

function kappaWords({ kappa, whyNoKappa }: Agreement): string {
  if (kappa === null) return WHY_NO_KAPPA[whyNoKappa ?? 'nothing'];
  const { low, high } = kappa;
  const bounds = low === null || high === null ? ', no interval' : ` [${formatScore(low)}, ${formatScore(high)}]`;
  return `${formatScore(kappa.kappa)}${bounds}`;
}

const WHY_NO_KAPPA = { nothing: '–', too_few: 'too few', all_alike: 'all alike' } as const;
