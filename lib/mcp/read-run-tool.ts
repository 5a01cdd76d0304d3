import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { fail, succeed } from '#lib/core/problem.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findRun, findRunLessons } from '#lib/runs/queries.ts';
import { resultVersion } from '#lib/runs/run-facts.ts';
import type { RunLessons } from '#lib/runs/schema.ts';
import { addTool, type ToolCaller } from './add-tool.ts';

/** Maximum characters of an output. The rest is on the run's page. */
const MAX_OUTPUT_LENGTH = 20_000;
const MAX_VERSIONS = 50;

const inputSchema = z.strictObject({
  runId: z.guid({ error: 'must be the id of a run' }).toLowerCase(),
  version: integerBetween(0, 1_000_000)
    .nullable()
    .default(null)
    .meta({ description: 'Number of a version. Also returns its output and evaluation.' }),
});

/** Adds `read_run`, which returns the state and result of a run. It never returns references because they are for evaluators only. */
export function addReadRun(server: McpServer, asker: ToolCaller): void {
  addTool(server, asker, {
    name: 'read_run',
    title: 'Read a run',
    description:
      'Returns the status of a run, why it ended, its result (the accepted version, otherwise the best scored one), tokens and cost. Also returns the score and issues of each version and the lessons that the run wrote. The text of lessons that the screening holds is left out.',
    scope: 'runs:read',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: inputSchema,
    use: async ({ context, address }, given) => {
      const parsed = parseInput(inputSchema, given);
      if (!parsed.ok) return parsed;
      const { runId, version } = parsed.value;
      const run = await findRun(context.database, runId);
      if (run === null) return fail('not_found', `There is no run ${runId}.`, 'runId');
      const { record, experimentName } = run;
      const selected = version === null ? undefined : record.versions.find(({ number }) => number === version);
      if (version !== null && selected === undefined)
        return fail('not_found', `The run has no version ${version} yet. It has ${record.versions.length}.`, 'version');
      return succeed({
        ...headOf(record, await findRunLessons(context.database, runId)),
        experiment: { id: record.experimentId, name: experimentName },
        versions: record.versions.slice(-MAX_VERSIONS).map(lineOf),
        ...(selected === undefined ? {} : { version: inFull(selected) }),
        url: `${address}/runs/${runId}`,
      });
    },
  });
}

function headOf(record: RunRecord, inLibrary: RunLessons) {
  const { id, status, convergenceReason, success, failure, bestVersion, finalVersion, waitingFor } = record;
  return {
    ...{ runId: id, status, stopReason: convergenceReason, success, failure, bestVersion, finalVersion },
    result: resultOf(record),
    waitingFor: waitingFor && { hook: waitingFor.hook, since: waitingFor.since, expiresAt: waitingFor.expiresAt },
    lessons: lessonsOf(record, inLibrary),
    ...{ tokenUsage: record.tokenUsage, costUsd: record.costUsd, practice: record.practice },
  };
}

/**
 * Returns the lessons a run wrote. The reader is a model, so the text of a lesson held by screening is omitted until a person promotes it.
 */
function lessonsOf({ lessons }: RunRecord, { written }: RunLessons) {
  return lessons.map(({ id, kind, text, withheld }) => {
    const known = written.find((one) => one.id === id);
    const isHeld =
      known === undefined ? withheld : known.status !== 'promoted' && (withheld || known.admission === 'held');
    return { id, kind, text: isHeld ? null : text, held: isHeld };
  });
}

/** Returns null if there is no result or its text was not kept. */
function resultOf(record: RunRecord): string | null {
  const result = resultVersion(record);
  const version = record.versions.find(({ number }) => number === result);
  return version === undefined || version.outputDropped ? null : shortened(version.output);
}

function lineOf(version: VersionRecord) {
  const evaluation = version.evaluations.at(-1);
  return {
    ...{ number: version.number, origin: version.origin, finishReason: version.finishReason },
    score: evaluation?.overallScore ?? null,
    satisfactory: evaluation?.satisfactory ?? false,
    issues: evaluation?.issues.map(({ text }) => text) ?? [],
  };
}

function inFull(version: VersionRecord) {
  const evaluation = version.evaluations.at(-1);
  return {
    ...{ number: version.number, output: shortened(version.output) },
    scores: evaluation?.criteriaScores ?? {},
    reasons: evaluation?.reasons ?? {},
    suggestions: evaluation?.suggestions ?? [],
  };
}

function shortened(text: string): string {
  if (text.length <= MAX_OUTPUT_LENGTH) return text;
  return `${text.slice(0, MAX_OUTPUT_LENGTH).toWellFormed()}… (${text.length - MAX_OUTPUT_LENGTH} more characters are on the run’s page)`;
}
