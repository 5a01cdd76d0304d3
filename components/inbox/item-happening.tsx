import { CornerDownRight } from 'lucide-react';
import { useMay } from '#components/team/role-provider.tsx';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { goingOnWords, happeningWords } from './happening-words.ts';

/** Why the run waits, what going on comes to, and the lesson it has written for that. */
export function ItemHappening({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const { may } = useMay('reviewer');
  const goingOn = goingOnWords(record, settings);
  const lesson = record.lessons.findLast(({ version }) => version === record.versions.at(-1)?.number);
  return (
    <section className="pane border-b-0">
      <div className="ph">
        <h2>Why it waits</h2>
      </div>
      <p className="prose">{happeningWords(record, settings, may).join(' ') || 'It does not wait now.'}</p>
      {goingOn === null ? null : (
        <div className="notice mt-3 max-w-[60ch]">
          <CornerDownRight className="i" aria-hidden />
          <p className="min-w-0 flex-1">
            <b className="md5">{ifAnswered(record.waitingFor?.toolCall != null, may)}</b>, {goingOn}
          </p>
        </div>
      )}
      {lesson ? (
        <>
          <h3 className="mt-4 mb-1">The run wrote this lesson for its next attempt</h3>
          <p className="quote sm whitespace-pre-wrap wrap-anywhere">{lesson.text}</p>
        </>
      ) : null}
    </section>
  );
}

function ifAnswered(isToolAsked: boolean, mayDecide: boolean): string {
  if (isToolAsked) return mayDecide ? 'If you allow it' : 'If it is allowed';
  return mayDecide ? 'If you continue' : 'If it goes on';
}
