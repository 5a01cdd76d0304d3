import { EyeOff } from 'lucide-react';
import { MayLink } from '#components/access/may-link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatSentence } from '#lib/format.ts';
import type { JudgeAgreement } from '#lib/statistics/judge-agreement.ts';
import { agreementLabel, agreementNotes } from './agreement-labels.ts';

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
