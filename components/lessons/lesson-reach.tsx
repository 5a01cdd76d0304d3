import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { recalledLine } from '#lib/core/prompts/recalled-section.ts';
import { estimatedTokens } from '#lib/core/spend.ts';
import { formatCount } from '#lib/format.ts';
import { scopeLabel } from './lesson-labels.ts';

/** Whom a promoted lesson reaches and what it takes of a prompt; of one that waits, what promoting it would do. */
export function LessonReach({ lesson }: { lesson: LessonDetail }) {
  const { status, scope } = lesson;
  if (status === 'rejected' || status === 'archived') return null;
  const isPromoted = status === 'promoted';
  const tokens = formatCount(estimatedTokens(recalledLine(lesson)));
  return (
    <Pane>
      <PaneHeader>
        <h2>{isPromoted ? 'Whom it reaches' : 'If you promote it'}</h2>
      </PaneHeader>
      <p className="wrap-anywhere text-ink-2 text-sm">
        {isPromoted ? 'It is' : 'It can be'} recalled by runs it fits, for {scopeLabel(scope)}, from their next attempt
        or revision on; about {tokens} tokens of a prompt.
        {isPromoted ? ' Retired, it is out of every prompt at once.' : ''}
      </p>
    </Pane>
  );
}
