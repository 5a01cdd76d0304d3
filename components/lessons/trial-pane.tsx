'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { readApi } from '#components/api/call-api.ts';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import type { TrialReport } from '#lib/statistics/trial-report.ts';
import { TrialForm } from './trial-form.tsx';
import { TrialResult } from './trial-result.tsx';

const POLL_MS = 2_000;

/** A lesson tried on other cases, with it and without: what came of it so far, and another trial. */
export function TrialPane({ lesson }: { lesson: Pick<LessonDetail, 'id' | 'status'> }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const queryKey = ['trials', lesson.id];
  const { data: trials } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await readApi('GET /api/v1/lessons/{id}/trials', { params: { id: lesson.id }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_MS : false),
  });
  const canTry = lesson.status === 'quarantined' || lesson.status === 'promoted';
  return (
    <Pane data-testid="trials" aria-labelledby="trials-title">
      <PaneHeader>
        <h2 id="trials-title">Replay test</h2>
        <span className="text-ink-3 text-sm">the same cases with it and without it</span>
      </PaneHeader>
      <div className="flex flex-col gap-3" aria-live="polite">
        {(trials ?? []).map((trial) => (
          <TrialResult key={trial.id} trial={trial} />
        ))}
        {trials?.length === 0 ? <p className="text-ink-2 text-sm">Not tried yet.</p> : null}
      </div>
      {canTry ? (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <MayButton needs="editor" size="small" onClick={() => setAsking(true)}>
            <FlaskConical className="size-3.25" aria-hidden />
            Try it on cases
          </MayButton>
        </div>
      ) : (
        <p className="mt-2 text-ink-2 text-sm">
          A lesson can be tried while it waits for review, or once it is promoted.
        </p>
      )}
      <TrialForm
        lessonId={lesson.id}
        open={isAsking}
        onOpenChange={setAsking}
        onStarted={() => void queryClient.invalidateQueries({ queryKey })}
      />
    </Pane>
  );
}

function isUnderWay({ ended, runs }: TrialReport): boolean {
  return ended < runs;
}
