import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import type { Spool } from '#lib/formats/spool.ts';
import { IMPORTED_PROVIDER, SCORED_ELSEWHERE } from '#lib/runs/schema.ts';
import type { Collected, CollectedHistory } from './collect-histories.ts';
import { historyOfLines, type PastRun } from './history-of-lines.ts';
import { type ImportLine, readImportLine } from './import-line.ts';
import { findImport, type ImportedRun, insertImportedExperiment, insertImportedRuns } from './insert-imported-runs.ts';
import type { RunImport } from './run-import.ts';

/** What the lines of an import say about how the runs were made. */
type ImportFacts = {
  models: readonly string[];
  /** The attempts of the longest history. */
  mostAttempts: number;
  /** Some line tells a score, and not only whether the attempt solved its case. */
  hasScores: boolean;
  /** The score from which an attempt counts as solved where its line does not say so. */
  solvedFrom: number;
};

/** What the one criterion of an import is called. */
function importedCriterion({ hasScores }: Pick<ImportFacts, 'hasScores'>): 'score' | 'solved' {
  return hasScores ? 'score' : 'solved';
}

/**
 * The settings that past runs of another system are shown under: fresh attempts, one criterion that no model of ours judges, and no early
 * stops. They describe what is known; they are not meant to be run.
 */
function importedSettings(facts: ImportFacts): ExperimentSettings {
  const threshold = facts.hasScores ? facts.solvedFrom : 1;
  return settingsSchema.parse({
    mode: 'retry',
    generator: { provider: IMPORTED_PROVIDER, model: modelName(facts.models), temperature: null },
    criteria: [
      { name: importedCriterion(facts), threshold, evaluator: 'human', config: { question: SCORED_ELSEWHERE } },
    ],
    qualityThreshold: threshold,
    maxAttempts: Math.min(50, Math.max(1, facts.mostAttempts)),
    convergence: null,
    lessons: { store: 'none', retentionPerAgent: null },
  });
}

function modelName(models: readonly string[]): string {
  const all = models.join(', ');
  if (all === '') return 'unknown';
  return all.length > 200 ? `${all.slice(0, 199)}…` : all;
}

/** So many bytes of lines, or runs, are stored together. */
const BYTES_AT_ONCE = 300_000;
const RUNS_AT_ONCE = 50;

/** `solvedFrom`: the score from which an attempt that does not say so itself counts as solved. */
type Parts = { collected: Collected; spool: Spool; name: string; solvedFrom: number };

/**
 * Stores what was collected as an experiment of its own, its settings by version with a batch each, in one transaction. What the same
 * content made before is answered as `repeated`.
 */
export async function storeImport(
  context: AppContext,
  actor: Actor,
  { collected, spool, name, solvedFrom }: Parts,
): Promise<Pick<RunImport, 'experimentId' | 'batchId' | 'repeated'>> {
  const { histories } = collected;
  const settings = settingsOf(collected, solvedFrom);
  return inPoolTransaction(context.database, async (client) => {
    const contentKey = `import:${collected.contentHash}`;
    const before = await findImport(client, contentKey);
    if (before !== null) return { ...before, repeated: true };
    const experimentId = context.newId();
    const places = placesOf(collected);
    const versions = [...settings]
      .map(([version, ofVersion]) => {
        const own = places.filter((place) => place.experimentVersion === version);
        const repetitions = 1 + own.reduce((most, { repetition }) => Math.max(most, repetition), 0);
        return { version, settings: ofVersion, batchId: context.newId(), total: own.length, repetitions };
      })
      .sort((one, other) => Number(one.total === 0) - Number(other.total === 0) || one.version - other.version);
    const now = context.now();
    await insertImportedExperiment(client, { id: experimentId, name, actor: actor.name, contentKey, versions, now });
    const batches = new Map(versions.map(({ version, batchId }) => [version, batchId]));
    for (const chunk of chunks(histories)) {
      const runs = await Promise.all(
        chunk.map(async (place): Promise<ImportedRun> => {
          const { experimentVersion, ...at } = placeAt(places, place);
          const ofVersion = settings.get(experimentVersion);
          const batchId = batches.get(experimentVersion);
          const history = histories[place];
          if (ofVersion === undefined || batchId === undefined || history === undefined)
            throw new Error(`history ${place} has no settings`);
          const historyContext = { settings: ofVersion, newId: context.newId, now: now.toISOString() };
          const past = historyOfLines(await linesOf(history, spool), historyContext);
          return {
            ...at,
            experimentId,
            experimentVersion,
            batchId,
            ...importedRun(past, ofVersion, { runId: context.newId(), lessonAuthorId: personOf(actor), now }),
          };
        }),
      );
      await insertImportedRuns(client, runs);
    }
    await recordChange(client, actor, {
      act: 'imported',
      subject: { kind: 'experiment', id: experimentId, name },
      change: { runs: histories.length },
    });
    return { experimentId, batchId: versions[0]?.batchId ?? null, repeated: false };
  });
}

function settingsOf(collected: Collected, solvedFrom: number): Map<number, ExperimentSettings> {
  if (collected.settings.size > 0) return collected.settings;
  const mostAttempts = collected.histories.reduce((most, { attempts }) => Math.max(most, attempts.length), 1);
  return new Map([[1, importedSettings({ ...collected, mostAttempts, solvedFrom })]]);
}

type Place = { experimentVersion: number; position: number; repetition: number };

/** Where each history stands in its batch; one more run of the same case is a repetition. */
function placesOf({ histories }: Collected): Place[] {
  const positions = new Map<number, number>();
  const repetitions = new Map<string, number>();
  return histories.map(({ settingsVersion, caseKey }) => {
    const experimentVersion = settingsVersion ?? 1;
    const position = positions.get(experimentVersion) ?? 0;
    positions.set(experimentVersion, position + 1);
    const key = `${experimentVersion} ${caseKey}`;
    const repetition = repetitions.get(key) ?? 0;
    repetitions.set(key, repetition + 1);
    return { experimentVersion, position, repetition };
  });
}

function placeAt(places: Place[], at: number): Place {
  const place = places[at];
  if (place === undefined) throw new Error(`there is no place for history ${at}`);
  return place;
}

/** The histories by their number, as many as are stored together. */
function* chunks(histories: readonly CollectedHistory[]): Generator<number[]> {
  let chunk: number[] = [];
  let length = 0;
  for (const [place, { attempts }] of histories.entries()) {
    chunk.push(place);
    length += attempts.reduce((sum, attempt) => sum + attempt.length, 0);
    if (length < BYTES_AT_ONCE && chunk.length < RUNS_AT_ONCE) continue;
    yield chunk;
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield chunk;
}

async function linesOf({ attempts }: CollectedHistory, spool: Spool): Promise<ImportLine[]> {
  return (await spool.read(attempts)).map((text) => {
    const line = readImportLine(text);
    if (!line.ok) throw new Error(`a line that was checked can't be read again: ${line.problem.message}`);
    return line.value;
  });
}

type Brought = Pick<ImportedRun['save'], 'runId' | 'now'> & { lessonAuthorId: string };

/** `lessonAuthorId`: who imports, as a line's lesson may be their own text. */
function importedRun(past: PastRun, settings: ExperimentSettings, { runId, lessonAuthorId, now }: Brought) {
  const { history, ending, status, spend } = past;
  return {
    case: past.case,
    importedRun: past.run,
    importedCase: past.caseId,
    createdAt: past.createdAt,
    startedAt: past.startedAt,
    inputTokens: spend.tokenUsage.input,
    outputTokens: spend.tokenUsage.output,
    costUsd: spend.costUsd,
    unpriced: spend.unpriced,
    calls: spend.calls,
    save: {
      ...{ runId, claim: 0, eventNumber: 0, calls: [], deliveries: [], history, settings, status, ending, now },
      lessonAuthorId,
      input: past.case.input,
      reference: past.case.reference,
      events: [{ type: 'stopped' as const, data: { reason: ending.reason } }],
      results: [
        ...history.versions.map((version) => ({ type: 'version' as const, version })),
        ...history.evaluations.map((evaluation) => ({ type: 'evaluation' as const, evaluation })),
        ...history.critiques.map((critique) => ({ type: 'critique' as const, critique })),
        ...history.lessons.map((lesson) => ({ type: 'lesson' as const, lesson })),
        ...history.decisions.map((decision) => ({ type: 'decision' as const, decision })),
        ...(history.turns.length === 0
          ? []
          : [{ type: 'turns' as const, turns: history.turns, recalled: 0, tookMs: 0, lost: NO_SPEND }]),
        ...(history.observations.length === 0
          ? []
          : [{ type: 'observations' as const, observations: history.observations, tookMs: 0 }]),
      ],
    },
  };
}
