'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { mayBeOutdated } from '#components/access/to-action-failure.ts';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { RefreshWhile } from '#components/layout/refresh-while.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import type { Problem } from '#lib/core/problem.ts';
import { formatTitle } from '#lib/format.ts';
import { EditLesson } from './edit-lesson.ts';
import { LessonBody } from './lesson-body.tsx';
import { isBeingScreened } from './lesson-checks.tsx';
import { LessonHead } from './lesson-head.tsx';
import { lessonTitle, VERDICT_LABELS } from './lesson-labels.ts';
import { useUnsentVerdict } from './use-unsent-verdict.ts';
import { NO_ENTRY, VerdictBar, type VerdictEntry } from './verdict-bar.tsx';

/** Page of one lesson with all details and actions. */
export function LessonView({ lesson }: { lesson: LessonDetail }) {
  const router = useRouter();
  const toast = useToast();
  const [isEditing, setEditing] = useState(false);
  const [entry, setEntry] = useState<VerdictEntry>(NO_ENTRY);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { settle } = useSubmit('Hone did not respond. The checks were not started.', { refreshes: 'always' });
  const verdicts = useUnsentVerdict({
    onSent: ({ verdict }) => {
      toast(`The lesson is ${VERDICT_LABELS[verdict].done}`);
      router.refresh();
    },
    onPending: ({ reason }, { why, message, objections }) => {
      router.refresh();
      if (why === 'objections') return setEntry({ ...NO_ENTRY, meant: 'promote', reason, objections });
      toast(message);
    },
    onRefused: ({ verdict, reason }, refusal) => {
      setProblem(refusal);
      setEntry({ ...NO_ENTRY, meant: verdict, reason });
      if (mayBeOutdated(refusal)) router.refresh();
    },
  });
  const title = formatTitle(lessonTitle(lesson), 90) || 'An empty lesson';

  const screen = () =>
    settle(submitApi('POST /api/v1/lessons/{id}/screen', { params: { id: lesson.id } }), (result) =>
      setProblem(result.ok ? null : result.problem),
    );

  return (
    <>
      <RefreshWhile isUnderWay={isBeingScreened(lesson)} everyMs={1_500} />
      <LessonHead
        lesson={lesson}
        actions={
          <DeleteButton
            name="the lesson"
            what="The lesson with its edits, reviews, comments and recalls"
            route="DELETE /api/v1/lessons/{id}"
            request={{ params: { id: lesson.id } }}
            goTo="/lessons"
          />
        }
      />
      {problem === null ? null : (
        <Pane>
          <Notice tone="worse" alert title={problem.message} />
        </Pane>
      )}
      <LessonBody lesson={lesson} onEdit={() => setEditing(true)} onScreen={screen} />
      <VerdictBar
        lesson={lesson}
        entry={entry}
        onEntry={setEntry}
        unsent={verdicts.held}
        onGive={async ({ isAtOnce, ...input }) => {
          setProblem(null);
          const { id: lessonId, status: seen, editCount } = lesson;
          const entered = { ...input, lessonId, title, seen, editCount };
          if (isAtOnce && !(await verdicts.giveNow(entered))) return;
          setEntry(NO_ENTRY);
          if (!isAtOnce) verdicts.give(entered);
        }}
        onUndo={() => {
          const undone = verdicts.undo();
          if (undone !== null) setEntry({ ...NO_ENTRY, reason: undone.reason });
        }}
        onSendNow={() => void verdicts.sendNow()}
        onEdit={() => setEditing(true)}
        onSkip={null}
      />
      <EditLesson lesson={lesson} open={isEditing} onOpenChange={setEditing} onEdited={() => toast('Edit saved')} />
    </>
  );
}
