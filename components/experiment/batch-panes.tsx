import { formatNumberOf } from '#lib/format.ts';
import type { BatchReport } from '#lib/measures/batch-report.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { BatchPicker, type PickedBatch } from './batch-picker.tsx';
import { EveryRun } from './every-run.tsx';
import type { RunTableRow } from './runs-table.tsx';
import { SolveCurve } from './solve-curve.tsx';
import { StopReasons } from './stop-reasons.tsx';

type BatchPanesProps = {
  path: string;
  batch: { id: string; total: number; waiting: number; report: BatchReport };
  batches: readonly PickedBatch[];
  /** The runs whose courses are drawn: the newest, at most as many as can be told apart. */
  drawn: readonly Pick<RunTableRow, 'id' | 'scores' | 'status' | 'success'>[];
  settings: ExperimentSettings;
  now: string;
};

/** What became of a batch, drawn: the solve curve, every run's course, and why the runs stopped. */
export function BatchPanes({ path, batch, batches, drawn, settings, now }: BatchPanesProps) {
  return (
    <>
      <section className="pane">
        <div className="ph">
          <h2>Solved by {settings.mode === 'retry' ? 'attempt' : 'version'}</h2>
          <span className="note">{formatNumberOf(batch.total, 'case')}, 95 % interval</span>
          <BatchPicker path={path} batches={batches} chosen={batch.id} now={now} />
        </div>
        <SolveCurve report={batch.report} mode={settings.mode} />
      </section>
      {batch.total > 1 ? (
        <section className="pane">
          <div className="ph">
            <h2>Every run</h2>
            <span className="note">
              {drawn.length < batch.total ? `the last ${drawn.length}, ` : ''}dashed: not solved
            </span>
          </div>
          <EveryRun
            runs={drawn.map(({ id, scores, status, success }) => ({
              id,
              scores,
              outcome: success ? 'solved' : status === 'finished' ? 'unsolved' : 'open',
            }))}
            mode={settings.mode}
            threshold={settings.qualityThreshold}
          />
        </section>
      ) : null}
      <section className="pane">
        <div className="ph">
          <h2>Why they stopped</h2>
        </div>
        <StopReasons counts={batch.report.stopReasons} waiting={batch.waiting} settings={settings} />
      </section>
    </>
  );
}
