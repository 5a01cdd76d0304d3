import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { asQueryable } from '#lib/database/connections.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { cleanJson, storableJson } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { storedSettings } from '#lib/experiments/version-settings.ts';
import type { Spool } from '#lib/formats/spool.ts';
import { IMPORTED_PROVIDER } from '#lib/models/imported-runs.ts';
import { SCORED_ELSEWHERE } from '#lib/runs/run-facts.ts';
import type { Save } from '#lib/runs/save.ts';
import { saveResults } from '#lib/runs/save-results.ts';
import type { Collected, CollectedHistory } from './collect-histories.ts';
import { historyOfLines, type PastRun } from './history-of-lines.ts';
import { type ImportLine, readImportLine } from './import-line.ts';
import { DEFAULT_SOLVED_FROM, type RunImport } from './schema.ts';

/** Facts about past runs, collected from the lines of an import. */
type ImportFacts = {
  models: readonly string[];
  /** Number of attempts in the longest history. */
  mostAttempts: number;
  /** True if any line has a score, not only `solved`. */
  hasScores: boolean;
  /** Minimum score of a solved attempt if its line has no `solved`. */
  solvedFrom: number;
};

/** Returns the name of the single criterion of an import. */
function importedCriterion({ hasScores }: Pick<ImportFacts, 'hasScores'>): 'score' | 'solved' {
  return hasScores ? 'score' : 'solved';
}

/**
 * Creates the settings shown for past runs of another system: independent attempts, one criterion without a judge model, and no early
 * stops. They describe known facts and are not meant to be run.
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

/** Limits of one write: bytes of lines, or number of runs. */
const BYTES_AT_ONCE = 300_000;
const RUNS_AT_ONCE = 50;

/** `solvedFrom`: minimum score of a solved attempt if its line has no `solved`. */
type Parts = { collected: Collected; spool: Spool; name: string; solvedFrom: number };

/**
 * Stores an import as a new experiment in one transaction, with one batch per version of its settings. If the same content was imported
 * before with the same `solvedFrom`, returns the earlier experiment with `repeated`.
 */
export async function storeImport(
  context: AppContext,
  actor: Actor,
  { collected, spool, name, solvedFrom }: Parts,
): Promise<Pick<RunImport, 'experimentId' | 'batchId' | 'repeated'>> {
  const { histories } = collected;
  const settings = settingsOf(collected, solvedFrom);
  const store = async (transaction: Transaction) => {
    const contentKey = contentKeyOf(collected, solvedFrom);
    // Concurrent imports of the same content wait for this transaction.
    await lockUntilCommit(transaction, contentKey);
    // Earlier versions of Hone used a colon. Only batches that a request started have a hash.
    const before = await transaction.batch.findFirst({
      where: { requestHash: null, idempotencyKey: { in: [contentKey, contentKey.replace('\t', ':')] } },
      select: { experimentId: true, id: true },
    });
    if (before !== null) return { experimentId: before.experimentId, batchId: before.id, repeated: true };
    const experimentId = context.newId();
    const positions = positionsOf(collected);
    const versions = [...settings]
      .map(([version, ofVersion]) => {
        const runs = positions.filter((position) => position.experimentVersion === version);
        const repetitions = 1 + runs.reduce((most, { repetition }) => Math.max(most, repetition), 0);
        return { version, settings: ofVersion, batchId: context.newId(), total: runs.length, repetitions };
      })
      .sort((one, other) => Number(one.total === 0) - Number(other.total === 0) || one.version - other.version);
    const now = context.now();
    const experiment = { id: experimentId, name, actor: actor.name, contentKey, versions, now };
    await insertImportedExperiment(transaction, experiment);
    const batches = new Map(versions.map(({ version, batchId }) => [version, batchId]));
    for (const chunk of chunks(histories)) {
      const runs = await Promise.all(
        chunk.map(async (index): Promise<ImportedRun> => {
          const [history, at] = [histories[index], positions[index]];
          const experimentVersion = at?.experimentVersion ?? 0;
          const ofVersion = settings.get(experimentVersion);
          const batchId = batches.get(experimentVersion);
          if (ofVersion === undefined || batchId === undefined || history === undefined || at === undefined)
            throw new Error(`history ${index} has no settings`);
          const historyContext = { settings: ofVersion, newId: context.newId, now: now.toISOString() };
          const past = historyOfLines(await linesOf(history, spool), historyContext);
          const runContext = { runId: context.newId(), lessonAuthorId: personOf(actor), now };
          return { ...importedRun(past, ofVersion, runContext), ...at, experimentId, batchId };
        }),
      );
      await insertImportedRuns(transaction, runs);
    }
    await recordChange(transaction, actor, {
      act: 'imported',
      subject: { kind: 'experiment', id: experimentId, name },
      change: { runs: histories.length },
    });
    return { experimentId, batchId: versions[0]?.batchId ?? null, repeated: false };
  };
  return inTransaction(context.database, store, { timeout: MAX_STORING_MS });
}

/**
 * Returns the key that identifies an import. No key of a request contains a tab. `solvedFrom` belongs to it only if it has an effect and is
 * not the default.
 */
function contentKeyOf({ contentHash, settings, hasScores }: Collected, solvedFrom: number): string {
  const isOmitted = settings.size > 0 || !hasScores || solvedFrom === DEFAULT_SOLVED_FROM;
  return `import\t${contentHash}${isOmitted ? '' : `:${solvedFrom}`}`;
}

/** Storing 100,000 runs takes minutes. */
const MAX_STORING_MS = 3_600_000;

function settingsOf(collected: Collected, solvedFrom: number): Map<number, ExperimentSettings> {
  if (collected.settings.size > 0) return collected.settings;
  const mostAttempts = collected.histories.reduce((most, { attempts }) => Math.max(most, attempts.length), 1);
  return new Map([[1, importedSettings({ ...collected, mostAttempts, solvedFrom })]]);
}

type RunPosition = { experimentVersion: number; position: number; repetition: number };

/** Returns the position of each history in its batch. Another run of the same case is a repetition, unless it is a branch. */
function positionsOf({ histories }: Collected): RunPosition[] {
  const positions = new Map<number, number>();
  const repetitions = new Map<string, number>();
  return histories.map(({ settingsVersion, caseKey, isBranch }) => {
    const experimentVersion = settingsVersion ?? 1;
    const position = positions.get(experimentVersion) ?? 0;
    positions.set(experimentVersion, position + 1);
    if (isBranch) return { experimentVersion, position, repetition: 0 };
    const key = `${experimentVersion} ${caseKey}`;
    const repetition = repetitions.get(key) ?? 0;
    repetitions.set(key, repetition + 1);
    return { experimentVersion, position, repetition };
  });
}

/** Yields the indexes of histories in chunks that are stored together. */
function* chunks(histories: readonly CollectedHistory[]): Generator<number[]> {
  let chunk: number[] = [];
  let length = 0;
  for (const [index, { attempts }] of histories.entries()) {
    chunk.push(index);
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
    if (!line.ok) throw new Error(`a validated line could not be parsed again: ${line.problem.message}`);
    return line.value;
  });
}

type ImportedRunContext = Pick<Save, 'runId' | 'now'> & { lessonAuthorId: string };

/** `lessonAuthorId` is the importing person, because a line's lesson may be their own text. */
function importedRun(past: PastRun, settings: ExperimentSettings, { runId, lessonAuthorId, now }: ImportedRunContext) {
  const { case: task, history, ending, status, spend, branchedVersion, ownBudget, createdAt, startedAt } = past;
  const { versions, evaluations, critiques, lessons, decisions, turns, observations } = history;
  const save: Save = {
    ...{ runId, claim: 0, eventNumber: 0, calls: [], deliveries: [], history, settings, status, ending, now },
    ...{ lessonAuthorId, input: task.input, reference: task.reference },
    events: [{ type: 'stopped', data: { reason: ending.reason } }],
    results: [
      ...versions.map((version) => ({ type: 'version' as const, version })),
      ...evaluations.map((evaluation) => ({ type: 'evaluation' as const, evaluation })),
      ...critiques.map((critique) => ({ type: 'critique' as const, critique })),
      ...lessons.map((lesson) => ({ type: 'lesson' as const, lesson })),
      ...decisions.map((decision) => ({ type: 'decision' as const, decision })),
      ...(turns.length > 0 ? [{ type: 'turns' as const, turns, recalled: 0, durationMs: 0, lost: NO_SPEND }] : []),
      ...(observations.length > 0 ? [{ type: 'observations' as const, observations, durationMs: 0 }] : []),
    ],
  };
  const { tokenUsage, costUsd, unpriced, calls } = spend;
  return {
    ...{ save, case: task, importedRun: past.run, importedCase: past.caseId, branchedVersion, ownBudget },
    ...{ createdAt, startedAt, costUsd, unpriced, calls, ...past.aside },
    ...{ inputTokens: tokenUsage.input, outputTokens: tokenUsage.output },
  };
}

/**
 * An experiment of past runs, with one batch per version of its settings. The key that identifies the content is stored with the first
 * batch.
 */
type ImportedExperiment = {
  id: string;
  name: string;
  actor: string;
  contentKey: string;
  versions: { version: number; settings: ExperimentSettings; batchId: string; total: number; repetitions: number }[];
  now: Date;
};

/** A past run: its row, and the parts of its history that `saveResults` stores. */
type ImportedRun = RunPosition & { experimentId: string; batchId: string } & ReturnType<typeof importedRun>;

/** Stores the experiment of an import with its settings and batches, without runs. */
async function insertImportedExperiment(transaction: Transaction, experiment: ImportedExperiment): Promise<void> {
  const { id, name, actor, contentKey, versions, now } = experiment;
  await transaction.experiment.create({
    data: {
      ...{ id, name, origin: 'imported', createdAt: now, updatedAt: now },
      latestVersion: Math.max(...versions.map(({ version }) => version)),
      versions: {
        create: versions.map(({ version, settings }) => ({
          ...{ version, settings: storedSettings(cleanJson(settings)), actor, message: 'Imported', createdAt: now },
        })),
      },
    },
  });
  const batches = versions.flatMap(({ version, batchId, total, repetitions }, index) =>
    total === 0
      ? []
      : {
          ...{ id: batchId, experimentId: id, experimentVersion: version, source: 'imported', total, repetitions },
          ...{ idempotencyKey: index === 0 ? contentKey : null, createdAt: now },
        },
  );
  await transaction.batch.createMany({ data: batches });
}

/** Stores past runs with their complete histories, in order. Tokens and cost come from their rows, because they have no model calls. */
async function insertImportedRuns(transaction: Transaction, runs: readonly ImportedRun[]): Promise<void> {
  await transaction.run.createMany({ data: runs.map(columnsOf) });
  const saves = runs.map(({ save }) => save);
  const saved = await saveResults(asQueryable(transaction), saves);
  const recalls = runs.flatMap(recallsOf);
  const lessons = await transaction.lesson.findMany({
    where: { id: { in: [...new Set(recalls.map(({ lessonId }) => lessonId))] } },
    select: { id: true },
  });
  const known = new Set(lessons.map(({ id }) => id));
  await transaction.recall.createMany({
    data: recalls.filter(({ lessonId }) => known.has(lessonId)),
    skipDuplicates: true,
  });
  if (saves.some(({ runId }) => !saved.has(runId))) throw new Error('a new run was not found');
}

function columnsOf({ save, case: task, calls, ownBudget, ...row }: ImportedRun) {
  const { metadata, messages, criteria, ...text } = task;
  return {
    ...cleanJson({ ...row, ...text }),
    ...{ id: save.runId, callCount: calls, alsoHeld: [] },
    metadata: JSON.parse(storableJson(metadata)),
    messages: cleanJson(messages) ?? Prisma.DbNull,
    criteria: cleanJson(criteria) ?? Prisma.DbNull,
    ownBudget: ownBudget ?? Prisma.DbNull,
  };
}

function recallsOf({ save: { runId, history } }: ImportedRun) {
  return history.versions.flatMap(({ number, recalledLessons }) =>
    recalledLessons.map((recalled) => ({ ...recalled, runId, version: number })),
  );
}
