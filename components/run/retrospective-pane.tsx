'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-button.tsx';
import { callApi, readApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Link } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatCount, formatNumberOf } from '#lib/format.ts';
import type { RetrospectiveRecord } from '#lib/lessons/retrospectives/schema.ts';
import { canLookBack } from '#lib/models/imported-runs.ts';

type RetrospectivePaneProps = { runId: string; settings: ExperimentSettings };

/** Requests and shows retrospectives of a finished run. A worker performs them. Also shows their changes to the library. */
export function RetrospectivePane({ runId, settings }: RetrospectivePaneProps) {
  const { retrospectives, ask } = useRetrospectives(runId);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (retrospectives === undefined) return null;
  const isBusy = isAsking || retrospectives.some(({ status }) => status === 'waiting');
  const isUnavailable = !canLookBack(settings);
  if (isUnavailable && retrospectives.length === 0) return null;
  async function onAsk() {
    setAsking(true);
    const result = await ask();
    setProblem(result.ok ? null : result.problem.message);
    setAsking(false);
  }
  return (
    <Pane className="max-medium:order-6" aria-labelledby="retrospective-title" data-testid="retrospective">
      <PaneHeader>
        <h2 id="retrospective-title">Look back over the run</h2>
        <span className="text-ink-3 text-sm">
          skills, failures, policies, observations, principles, procedures, decisions and preferences
        </span>
      </PaneHeader>
      <ul className="flex flex-col gap-3" aria-live="polite">
        {retrospectives.map((one) => (
          <li key={one.number}>
            <Retrospective one={one} />
          </li>
        ))}
      </ul>
      {problem === null ? null : (
        <Notice tone="worse" alert className="mt-2">
          {problem}
        </Notice>
      )}
      {isUnavailable ? null : (
        <div className="mt-3 flex flex-wrap items-center gap-2 text-sm" aria-busy={isBusy}>
          <RoleButton needs="editor" onClick={onAsk} disabled={isBusy}>
            <History />
            {isBusy ? 'Looking back…' : retrospectives.length === 0 ? 'Look back' : 'Look back again'}
          </RoleButton>
          <span className="text-ink-2">
            1 call, or 2 if the first response is unusable. The run does not change. The lessons wait for review.
          </span>
        </div>
      )}
    </Pane>
  );
}

function Retrospective({ one }: { one: RetrospectiveRecord }) {
  switch (one.status) {
    case 'waiting':
      return <p className="text-ink-2">Requested by {one.requestedBy}, in progress.</p>;
    case 'failed':
    case 'unusable':
      return (
        <Notice tone="worse" title="No lessons were stored">
          {one.message}
        </Notice>
      );
    case 'done':
      return (
        <>
          <p className="text-ink-2 text-sm">
            {countLabel(one)}, {formatCount(one.tokens)} tokens, {formatCost(one.costUsd ?? 0, one.costUsd === null)}.{' '}
            {one.message}
          </p>
          <ul className="mt-2 flex flex-col gap-2">
            {one.lessons.map((lesson) => (
              <li key={lesson.id} className="flex items-start gap-2">
                <Badge tone="plain">{lesson.kind.replaceAll('_', ' ')}</Badge>
                <span className="min-w-0 flex-1">
                  <Link className="link wrap-anywhere whitespace-pre-wrap" href={`/lessons/${lesson.id}`}>
                    {lesson.text}
                  </Link>
                </span>
                <span className="whitespace-nowrap text-ink-3 text-sm">{statusLabel(lesson)}</span>
              </li>
            ))}
          </ul>
        </>
      );
  }
}

function statusLabel({ status, isMerged }: RetrospectiveRecord['lessons'][number]): string {
  if (isMerged) return 'already known';
  return status === 'quarantined' ? 'waits for review' : status;
}

function countLabel({ counts }: RetrospectiveRecord): string {
  const parts = Object.entries(counts).map(([kind, count]) => {
    const words = kind.replaceAll('_', ' ');
    return formatNumberOf(count, words, `${words.replace(/y$/, 'ie')}s`);
  });
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return total === 0 ? 'No lessons found' : `${formatNumberOf(total, 'lesson')}: ${parts.join(', ')}`;
}

const POLL_MS = 1_000;

/** Returns the retrospectives of a run, or undefined before the first load. Polls every second while one is in progress. */
function useRetrospectives(runId: string): {
  retrospectives: RetrospectiveRecord[] | undefined;
  ask: () => Promise<Result<null>>;
} {
  const queryClient = useQueryClient();
  const queryKey = ['retrospectives', runId];
  const params = { id: runId };
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await readApi('GET /api/v1/runs/{id}/retrospectives', { params, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'waiting') ? POLL_MS : false),
  });
  const ask = async (): Promise<Result<null>> => {
    const answer = await callApi('POST /api/v1/runs/{id}/retrospective', { params });
    await queryClient.invalidateQueries({ queryKey });
    return answer.ok ? succeed(null) : answer;
  };
  return { retrospectives: data, ask };
}
