'use client';

import { Play } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { currentScore, parentOf } from '#components/run/run-versions.ts';
import { ScoreTrajectory } from '#components/run/score-trajectory.tsx';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { Result } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatNumberOf, formatTitle } from '#lib/format.ts';
import { isSelfJudged } from '#lib/runs/schema.ts';

/** A finished run to look at: its course, and what its last revision changed. */
export function SampleRun({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const best = record.versions.find(({ number }) => number === record.bestVersion);
  const before = record.versions.find(({ number }) => best && number === parentOf(best));
  return (
    <>
      <Pane data-testid="sample-run">
        <PaneHeader className="mb-0">
          <h2>{formatTitle(record.case.input)}</h2>
          <span className="text-ink-3 text-sm">
            sample run, {formatNumberOf(record.iterationsUsed, 'revision')},{' '}
            {formatCost(record.costUsd, record.unpriced)}
            {record.practice ? ' in practice prices' : ''}
            {isSelfJudged(settings) ? ' ⚠ judged by the model that wrote it' : ''}
          </span>
        </PaneHeader>
        <ScoreTrajectory record={record} settings={settings} selected={record.bestVersion} showValues height={330} />
      </Pane>
      {best && before ? (
        <Pane className="border-b-0">
          <PaneHeader>
            <h2>
              v{before.number} to v{best.number}
            </h2>
            <span className="text-ink-3 text-sm">
              what the last revision changed
              {currentScore(before) !== null && currentScore(best) !== null ? '' : ', not scored'}
            </span>
            <Link className="link ml-auto text-sm" href={`/runs/${record.id}?v=${best.number}&view=diff`}>
              All changes
            </Link>
          </PaneHeader>
          <DiffView
            before={before.output}
            after={best.output}
            layout="unified"
            label={`Changes from version ${before.number} to version ${best.number}`}
          />
        </Pane>
      ) : null}
    </>
  );
}

/** Starts a new run of the sample and goes to see it. */
export function RunLiveButton({ start }: { start: () => Promise<Result<{ runId: string }>> }) {
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [isStarting, startStarting] = useTransition();
  function run() {
    startStarting(async () => {
      const result = await start().catch((error: unknown) => refusalOf(error, 'Hone did not answer. Try again.'));
      if (result.ok) router.push(`/runs/${result.value.runId}`);
      else setProblem(result.problem.message);
    });
  }
  return (
    <>
      <MayButton needs="editor" variant="primary" size="large" onClick={run} disabled={isStarting}>
        <Play className="size-3.25" aria-hidden />
        {isStarting ? 'Starting' : 'Run it live'}
      </MayButton>
      {problem ? (
        <p className="text-sm text-worse" role="alert">
          ✕ {problem}
        </p>
      ) : null}
    </>
  );
}
