import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findExperiment } from '#lib/experiments/find-experiment.ts';
import { formatRunNumber } from '#lib/format.ts';
import { type Download, fileName, textChunks } from '#lib/formats/download.ts';
import { walkEndedRuns } from '#lib/runs/walk-ended-runs.ts';
import { linesOfRun } from './lines-of-run.ts';
import { runsCsv } from './runs-csv.ts';
import { versionsCsv } from './versions-csv.ts';

/** `jsonl`: whole histories, as `importRuns` takes them; `runs` and `versions`: tables, one row each. */
export type ExportFormat = 'jsonl' | 'runs' | 'versions';

/** The ended runs of an experiment as a download, read as it is taken and never as a whole. */
export async function exportRuns(
  { database }: Pick<AppContext, 'database'>,
  experimentId: string,
  format: ExportFormat,
): Promise<Result<Download>> {
  const experiment = await findExperiment(database, experimentId);
  if (experiment === null) return fail('not_found', `There is no experiment ${experimentId}.`, 'experimentId');
  const runs = walkEndedRuns(database, experimentId);
  const { name } = experiment;
  switch (format) {
    case 'jsonl':
      return succeed({
        type: 'application/x-ndjson',
        name: fileName(name, 'runs.jsonl'),
        chunks: textChunks(lines(runs)),
      });
    case 'runs':
      return succeed({ type: CSV, name: fileName(name, 'runs.csv'), chunks: textChunks(runsCsv(runs)) });
    case 'versions':
      return succeed({ type: CSV, name: fileName(name, 'versions.csv'), chunks: textChunks(versionsCsv(runs)) });
  }
}

const CSV = 'text/csv; charset=utf-8; header=present';

async function* lines(runs: ReturnType<typeof walkEndedRuns>): AsyncGenerator<string> {
  const told = new Set<number>();
  for await (const { stored, importedRun, importedCase, caseKey } of runs) {
    const { run, experimentSettings: settings, experimentName } = stored;
    const version = run.experiment_version;
    const names = { run: importedRun ?? `run ${formatRunNumber(run.number)}`, caseId: importedCase ?? caseKey };
    const ofRun = linesOfRun(stored, names, told.has(version) ? null : { name: experimentName, version, settings });
    if (ofRun.length > 0) told.add(version);
    for (const line of ofRun) yield `${JSON.stringify(line)}\n`;
  }
}
