'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { readApi } from '#components/api/call-api.ts';
import { lazyDialog } from '#components/ui/dialog.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';

const TrialForm = lazyDialog(() => import('./trial-form.tsx').then((file) => file.TrialForm));

// Most lessons have no trials.
const TrialResult = dynamic(() => loadOrRetry(() => import('./trial-result.tsx').then((file) => file.TrialResult)), {
  ssr: false,
});

const POLL_MS = 2_000;

/** Shows the trials of a lesson, with and without it on other cases, and starts new ones. */
export function TrialPane({ lesson }: { lesson: Pick<LessonDetail, 'id' | 'status'> }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const queryKey = ['trials', lesson.id];
  const { data: trials } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await readApi('GET /api/v1/lessons/{id}/trials', { params: { id: lesson.id }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ ended, runs }) => ended < runs) ? POLL_MS : false),
  });
  const canTry = lesson.status === 'quarantined' || lesson.status === 'promoted';
  return (
    <Pane data-testid="trials" aria-labelledby="trials-title">
      <PaneHeader titleId="trials-title" title="Replay test" note="The same cases with and without the lesson" />
      <div className="flex flex-col gap-3" aria-live="polite">
        {(trials ?? []).map((trial) => (
          <TrialResult key={trial.id} trial={trial} />
        ))}
        {trials?.length === 0 ? <p className="text-ink-2 text-sm">No replay tests yet.</p> : null}
      </div>
      {canTry ? (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <RoleButton needs="editor" size="small" onClick={() => setAsking(true)}>
            <FlaskConical />
            Test on cases
          </RoleButton>
        </div>
      ) : (
        <p className="mt-2 text-ink-2 text-sm">
          You can test a lesson while it waits for review or once it is promoted.
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
