import { EyeOff } from 'lucide-react';
import { RoleLink } from '#components/access/role-link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatList, formatNumberOf, formatSentence } from '#lib/format.ts';
import type { JudgeAgreement } from '#lib/statistics/judge-agreement.ts';

type JudgeAgainstPeopleProps = { agreement: JudgeAgreement; experimentId: string; settingsVersions: number };

/** Shows how well the judge's scores agree with blind reviews, and links to the blind review. */
export function JudgeAgainstPeople({ agreement, experimentId, settingsVersions }: JudgeAgainstPeopleProps) {
  const label = agreementLabel(agreement);
  const notes = agreementNotes(agreement);
  return (
    <Pane data-testid="judge-against-people">
      <PaneHeader
        title="Judge and reviewers"
        note={label === null ? null : settingsVersions > 1 ? '95% interval, all settings versions' : '95% interval'}
      >
        <RoleLink needs="reviewer" size="small" className="ml-auto" href={`/experiments/${experimentId}/blind`}>
          <EyeOff />
          Review blind
        </RoleLink>
      </PaneHeader>
      {agreement.judgements === 0 ? (
        <p className="text-ink-2">
          No pairs judged yet. In a blind review you choose between two versions of a run without seeing names or
          scores. Your choices show how far you can trust the judge.
        </p>
      ) : (
        <p>
          {label === null ? (
            'None of the choices can be compared with scores yet.'
          ) : (
            <b className="font-medium">{formatSentence(`the judge ${label}`)}.</b>
          )}{' '}
          <span className="text-ink-2">{notes.join(' ')}</span>
        </p>
      )}
    </Pane>
  );
}

/** Returns the agreement rate of the judge: `agrees in 14 of 18 picks (78%, 55 to 91%)`. Null if no pick can be compared. */
export function agreementLabel({ agreed, picks, interval }: JudgeAgreement): string | null {
  if (interval === null) return null;
  const percent = (share: number) => Math.round(share * 100);
  const bounds = `${percent(interval.share)}%, ${percent(interval.low)} to ${percent(interval.high)}%`;
  return `agrees in ${agreed} of ${formatNumberOf(picks, 'choice')} (${bounds})`;
}

/** Returns one sentence per caveat of the rate: picks it does not count, who judged, and if there are too few to conclude anything. */
export function agreementNotes(agreement: JudgeAgreement): string[] {
  const { picks, ties, equalScores, unscored, judgements, people, pairs, sharedPairs, tooFewToTell } = agreement;
  const excluded = [
    ...(ties > 0 ? [formatNumberOf(ties, 'tie')] : []),
    ...(equalScores > 0 ? [`${formatNumberOf(equalScores, 'choice')} between equal scores`] : []),
    ...(unscored > 0 ? [`${formatNumberOf(unscored, 'choice')} without scores`] : []),
  ];
  return [
    ...(tooFewToTell && picks > 0 ? ['At least 10 choices are needed for a conclusion.'] : []),
    ...(excluded.length > 0 ? [`Not included: ${formatList(excluded)}.`] : []),
    ...(sharedPairs > 0
      ? [
          `${formatNumberOf(judgements, 'judgement')} of ${formatNumberOf(pairs, 'pair')} by ${formatNumberOf(people, 'person', 'people')}. Each judgement counts, including those of ${formatNumberOf(sharedPairs, 'pair')} that several people judged.`,
        ]
      : []),
  ];
}
