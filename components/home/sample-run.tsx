import { currentScore, parentOf } from '#components/run/run-versions.ts';
import { Button } from '#components/ui/button.tsx';
import { DiffView } from '#components/ui/diff/lazy-diff-view.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatNumberOf, formatTitle } from '#lib/format.ts';
import { isSelfJudged } from '#lib/runs/run-facts.ts';
import { SampleScoreChart } from './lazy-sample.tsx';

/** Shows a finished sample run: its scores and the changes of its last revision. */
export function SampleRun({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const best = record.versions.find(({ number }) => number === record.bestVersion);
  const before = record.versions.find(({ number }) => best && number === parentOf(best));
  return (
    <>
      <Pane data-testid="sample-run">
        <PaneHeader title={formatTitle(record.case.input)} className="mb-0">
          <Button asChild size="small">
            <Link href={`/runs/${record.id}`}>Open this run</Link>
          </Button>
          <span className="text-ink-3 text-sm">
            sample run, {formatNumberOf(record.iterationsUsed, 'revision')},{' '}
            {formatCost(record.costUsd, record.unpriced)}
            {record.practice ? ' in practice prices' : ''}
            {isSelfJudged(settings) ? ' ⚠ the model judged its own text' : ''}
          </span>
        </PaneHeader>
        <SampleScoreChart record={record} settings={settings} selected={record.bestVersion} showValues height={330} />
      </Pane>
      {best && before ? (
        <Pane className="border-b-0">
          <PaneHeader title={`v${before.number} to v${best.number}`}>
            <span className="text-ink-3 text-sm">
              what the last revision changed
              {currentScore(before) !== null && currentScore(best) !== null ? '' : ', not scored'}
            </span>
            <TextLink className="ml-auto text-sm" href={`/runs/${record.id}?v=${best.number}&view=diff`}>
              All changes
            </TextLink>
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
