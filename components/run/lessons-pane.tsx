'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { callApi, readApi } from '#components/api/call-api.ts';
import { LessonEffect, LessonStatus } from '#components/lessons/lesson-head.tsx';
import { kindLabel } from '#components/lessons/lesson-labels.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { LongText } from '#components/ui/long-text.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import type { RetrospectiveRecord } from '#lib/lessons/retrospectives/retrospectives.ts';
import { canLookBack } from '#lib/models/imported-runs.ts';
import type { RunLessons } from '#lib/runs/schema.ts';

type LessonsPaneProps = { record: RunRecord; version: VersionRecord | null; lessons: RunLessons };

/** Shows the lessons in the prompt of the chosen version (null if there is none) with their effect, and all lessons the run wrote. */
export function LessonsPane({ record, version, lessons }: LessonsPaneProps) {
  const recorded = version?.recalledLessons ?? [];
  const recalled = lessons.recalled.filter((lesson) => lesson.version === version?.number);
  const inPrompt = new Set(recalled.map(({ lessonId }) => lessonId));
  const written = writtenLessons(record, lessons);
  const deletedCount = recorded.length - recalled.length;
  const [isAll, setAll] = useState(false);
  const shown = isAll ? written : written.slice(0, INITIAL_LESSON_COUNT);
  if (written.length === 0 && recorded.length === 0) return null;
  return (
    <Pane className="max-medium:order-6" data-testid="run-lessons">
      {version === null ? null : (
        <PaneHeader title={`Lessons in the prompt of v${version.number}`}>
          <span className="text-ink-3 text-sm">
            {recorded.length === 0 ? 'none' : sourceLabel(recalled)}
            {deletedCount > 0 && recalled.length > 0 ? `, ${deletedCount} deleted` : ''}
          </span>
        </PaneHeader>
      )}
      {recalled.length === 0 ? null : (
        <ol className="flex flex-col gap-3">
          {recalled.map(({ lessonId, rank, kind, text, score, effect, isOwn }) => (
            <li key={`${rank} ${lessonId}`} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2">
              <span className="text-ink-3">{rank}</span>
              <div className="min-w-0">
                <LongText text={text} of="the lesson" className="prose" />
                <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-ink-3 text-sm">
                  <span className="font-mono text-xs">{kindLabel(kind)}</span>
                  <TextLink href={`/lessons/${lessonId}`}>{isOwn ? 'its own' : 'from the library'}</TextLink>
                  {score === null ? null : <span>fits {formatScore(score)}</span>}
                  <LessonEffect effect={effect} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
      <PaneHeader title="Lessons written" note={written.length} className={recalled.length > 0 ? 'mt-4' : undefined} />
      {written.length === 0 ? null : (
        <ol className="flex flex-col gap-3">
          {shown.map(({ id, kind, version: after, text, standing }) => (
            <li key={id}>
              {inPrompt.has(id) ? (
                <p className="text-ink-2 text-sm">
                  “{text.length > 90 ? `${text.slice(0, 89).trimEnd()}…` : text}” is listed above.
                </p>
              ) : (
                <LongText text={text} of="the lesson" className="prose" />
              )}
              <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3 text-sm">
                {after === null || version === null ? null : <span>after v{after}</span>}
                <span className="font-mono text-xs">{kindLabel(kind)}</span>
                {standing === null ? null : (
                  <>
                    <LessonStatus lesson={{ ...standing, isRefuted: false }} />
                    <TextLink href={`/lessons/${id}`}>In the library</TextLink>
                  </>
                )}
              </p>
            </li>
          ))}
        </ol>
      )}
      {shown.length < written.length ? (
        <Button size="small" className="mt-3" onClick={() => setAll(true)}>
          Show all {formatCount(written.length)}
        </Button>
      ) : null}
    </Pane>
  );
}

/** Number of written lessons shown initially. A run with many attempts writes one after each. */
const INITIAL_LESSON_COUNT = 10;

const HELD = { status: 'candidate', admission: 'held', mergedIntoId: null } as const;

/** Returns the lessons a run wrote, merged from its record and the library. `standing` is null until the library is loaded. */
function writtenLessons(record: RunRecord, { written }: RunLessons) {
  const known = new Set(written.map(({ id }) => id));
  return [
    ...written.map(({ status, admission, mergedIntoId, ...lesson }) => ({
      ...lesson,
      standing: { status, admission, mergedIntoId },
    })),
    ...record.lessons
      .filter(({ id }) => !known.has(id))
      .map((lesson) => ({
        ...lesson,
        standing: lesson.withheld ? HELD : null,
      })),
  ];
}

function sourceLabel(recalled: RunLessons['recalled']): string {
  const own = recalled.filter(({ isOwn }) => isOwn).length;
  const others = recalled.length - own;
  if (recalled.length === 0) return 'deleted';
  if (others === 0) return `${own}, all written by this run`;
  if (own === 0) return `${others}, from the library`;
  return `${own} from this run, ${others} from the library`;
}

/** Returns the lessons of a run from the library. Reloads when the run creates or evaluates a version or writes a lesson. */
export function useRunLessons(record: RunRecord, initial: RunLessons): RunLessons {
  const state = stateOf(record);
  const [initialState] = useState(state);
  const { data } = useQuery({
    queryKey: ['run-lessons', record.id, state],
    queryFn: ({ signal }) => readApi('GET /api/v1/runs/{id}/lessons', { params: { id: record.id }, signal }),
    ...(state === initialState && { initialData: initial }),
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached, so that returning to the page shows the data sent with it.
    gcTime: 0,
    placeholderData: (previous) => previous,
    retry: 1,
  });
  return data ?? initial;
}

function stateOf({ versions, lessons }: RunRecord): string {
  const evaluations = versions.reduce((sum, version) => sum + version.evaluations.length, 0);
  return `${versions.length} ${evaluations} ${lessons.length}`;
}

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
      <PaneHeader
        titleId="retrospective-title"
        title="Look back over the run"
        note="skills, failures, policies, observations, principles, procedures, decisions and preferences"
      />
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
                  <TextLink className="wrap-anywhere whitespace-pre-wrap" href={`/lessons/${lesson.id}`}>
                    {lesson.text}
                  </TextLink>
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
    const noun = kind.replaceAll('_', ' ');
    return formatNumberOf(count, noun, `${noun.replace(/y$/, 'ie')}s`);
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
