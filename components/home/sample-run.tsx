'use client';

import Link from 'next/link';
import { currentScore, parentOf } from '#components/run/current-evaluation.ts';
import { DiffView } from '#components/run/diff-view.tsx';
import { ScoreTrajectory } from '#components/run/score-trajectory.tsx';
import { formatCost, formatNumberOf, formatTitle } from '#lib/format.ts';
import { isSelfJudged } from '#lib/reflection/is-self-judged.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';

/** A finished run to look at: its course, and what its last revision changed. */
export function SampleRun({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const best = record.versions.find(({ number }) => number === record.bestVersion);
  const before = record.versions.find(({ number }) => best && number === parentOf(best));
  return (
    <>
      <section className="pane" data-testid="sample-run">
        <div className="ph mb-0">
          <h2>{formatTitle(record.case.input)}</h2>
          <span className="note">
            sample run, {formatNumberOf(record.iterationsUsed, 'revision')},{' '}
            {formatCost(record.costUsd, record.unpriced)}
            {record.practice ? ' in practice prices' : ''}
            {isSelfJudged(settings) ? ' ⚠ judged by the model that wrote it' : ''}
          </span>
        </div>
        <ScoreTrajectory record={record} settings={settings} selected={record.bestVersion} showValues height={330} />
      </section>
      {best && before ? (
        <section className="pane border-b-0">
          <div className="ph">
            <h2>
              v{before.number} to v{best.number}
            </h2>
            <span className="note">
              what the last revision changed
              {currentScore(before) !== null && currentScore(best) !== null ? '' : ', not scored'}
            </span>
            <Link className="link sm end" href={`/runs/${record.id}?v=${best.number}&view=diff`}>
              All changes
            </Link>
          </div>
          <DiffView
            before={before.output}
            after={best.output}
            layout="unified"
            label={`Changes from version ${before.number} to version ${best.number}`}
          />
        </section>
      ) : null}
    </>
  );
}
