import { EyeOff } from 'lucide-react';
import { MayLink } from '#components/access/may-link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatList, formatNumberOf, formatSentence } from '#lib/format.ts';
import type { JudgeAgreement } from '#lib/statistics/judge-agreement.ts';

type JudgeAgainstPeopleProps = { agreement: JudgeAgreement; experimentId: string; settingsVersions: number };

/** How far the judge's scores say what people say who see two versions blind, and the way to say it. */
export function JudgeAgainstPeople({ agreement, experimentId, settingsVersions }: JudgeAgainstPeopleProps) {
  const words = agreementLabel(agreement);
  const notes = agreementNotes(agreement);
  return (
    <Pane data-testid="judge-against-people">
      <PaneHeader>
        <h2>Judge against people</h2>
        {words === null ? null : (
          <span className="text-ink-3 text-sm">
            share with its 95 % interval{settingsVersions > 1 ? ', over all versions of the settings' : ''}
          </span>
        )}
        <MayLink needs="reviewer" size="small" className="ml-auto" href={`/experiments/${experimentId}/blind`}>
          <EyeOff className="size-3.25" aria-hidden />
          Review blind
        </MayLink>
      </PaneHeader>
      {agreement.judgements === 0 ? (
        <p className="text-ink-2">
          Nobody has judged a pair yet. Two versions of a run are laid side by side without names or scores; what you
          pick shows how far the judge can be trusted.
        </p>
      ) : (
        <p>
          {words === null ? (
            'No pick can be compared with the scores yet.'
          ) : (
            <b className="font-medium">{sentenceOf(words)}</b>
          )}{' '}
          <span className="text-ink-2">{notes.join(' ')}</span>
        </p>
      )}
    </Pane>
  );
}

function sentenceOf(words: string): string {
  return `${formatSentence(`it ${words}`)}.`;
}

/** How often the judge agrees: `agrees in 14 of 18 picks (78 %, 55 to 91 %)`; null where no pick can be compared. */
export function agreementLabel({ agreed, picks, interval }: JudgeAgreement): string | null {
  if (interval === null) return null;
  const percent = (share: number) => Math.round(share * 100);
  const bounds = `${percent(interval.share)} %, ${percent(interval.low)} to ${percent(interval.high)} %`;
  return `agrees in ${agreed} of ${formatNumberOf(picks, 'pick')} (${bounds})`;
}

/** What is to be known beside the share, a sentence each: what it does not count, whose judgements they are, whether it tells anything. */
export function agreementNotes(agreement: JudgeAgreement): string[] {
  const { picks, ties, equalScores, unscored, judgements, people, pairs, sharedPairs, tooFewToTell } = agreement;
  const apart = [
    ...(ties > 0 ? [formatNumberOf(ties, 'tie')] : []),
    ...(equalScores > 0 ? [`${formatNumberOf(equalScores, 'pick')} between equal scores`] : []),
    ...(unscored > 0 ? [`${formatNumberOf(unscored, 'pick')} without scores`] : []),
  ];
  return [
    ...(tooFewToTell && picks > 0 ? [`With fewer than 10 picks nothing can be told yet.`] : []),
    ...(apart.length > 0 ? [`Counted apart: ${formatList(apart)}.`] : []),
    ...(sharedPairs > 0
      ? [
          `${formatNumberOf(judgements, 'judgement')} of ${formatNumberOf(pairs, 'pair')} by ${formatNumberOf(people, 'person', 'people')}: each judgement counts, also of ${formatNumberOf(sharedPairs, 'pair')} that more than one judged.`,
        ]
      : []),
  ];
}
