import { CornerDownRight } from 'lucide-react';
import { useMay } from '#components/team/role-provider.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { noticeVariants } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { goingOnWords, happeningWords } from './happening-words.ts';

/** Why the run waits, what going on comes to, and the lesson it has written for that. */
export function ItemHappening({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const { may } = useMay('reviewer');
  const goingOn = goingOnWords(record, settings);
  const lesson = record.lessons.findLast(({ version }) => version === record.versions.at(-1)?.number);
  return (
    <Pane className="border-b-0">
      <PaneHeader>
        <h2>Why it waits</h2>
      </PaneHeader>
      <p className="prose">{happeningWords(record, settings, may).join(' ') || 'It does not wait now.'}</p>
      {goingOn === null ? null : (
        <div className={classNames(noticeVariants(), 'mt-3 max-w-[60ch]')}>
          <CornerDownRight aria-hidden />
          <p className="min-w-0 flex-1">
            <b className="font-medium">{ifAnswered(record.waitingFor?.toolCall != null, may)}</b>, {goingOn}
          </p>
        </div>
      )}
      {lesson ? (
        <>
          <h3 className="mt-4 mb-1">The run wrote this lesson for its next attempt</h3>
          <Quote className="wrap-anywhere whitespace-pre-wrap text-sm">{lesson.text}</Quote>
        </>
      ) : null}
    </Pane>
  );
}

function ifAnswered(isToolAsked: boolean, mayDecide: boolean): string {
  if (isToolAsked) return mayDecide ? 'If you allow it' : 'If it is allowed';
  return mayDecide ? 'If you continue' : 'If it goes on';
}
