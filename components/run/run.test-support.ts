import type { EvaluationRecord, RunRecord, VersionRecord } from '#lib/core/run-record.ts';

const spend = { tokenUsage: { input: 900, output: 300, total: 1200 }, costUsd: 0.002, durationMs: 1400 };
const at = '2026-11-21T12:00:00.000Z';

/** Returns an automatic evaluation for tests. A null `score` makes it partial. */
export function evaluationFixture(score: number | null, changes: Partial<EvaluationRecord> = {}): EvaluationRecord {
  return {
    ...spend,
    status: score === null ? 'partial' : 'scored',
    by: 'machine',
    actor: null,
    reason: null,
    overallScore: score,
    criteriaScores: { clarity: score, tone: score },
    reasons: {},
    satisfactory: false,
    issues: [],
    suggestions: [],
    confidence: null,
    detail: '',
    sameModelJudge: false,
    copiedFrom: null,
    createdAt: at,
    ...changes,
  };
}

/** Returns a version for tests. Its default parent is the previous version. */
export function versionFixture(
  number: number,
  evaluations: EvaluationRecord[],
  changes: Partial<VersionRecord> = {},
): VersionRecord {
  return {
    ...spend,
    number,
    iteration: number,
    origin: number === 0 ? 'generated' : 'revised',
    parents: number === 0 ? [] : [number - 1],
    output: `text ${number}`,
    strategy: null,
    strategyNote: null,
    outputDropped: false,
    improvementsApplied: [],
    finishReason: 'stop',
    cutOff: false,
    interrupted: false,
    createdAt: at,
    recalledLessons: [],
    proposal: null,
    evaluations,
    critiques: [],
    totalSpend: spend,
    ...changes,
  };
}

/** Returns a run for tests. In progress by default. */
export function runFixture(versions: VersionRecord[], changes: Partial<RunRecord> = {}): RunRecord {
  return {
    id: 'run',
    number: 147,
    experimentId: 'experiment',
    experimentVersion: 1,
    batchId: 'batch',
    branchedFrom: null,
    case: { input: 'How?', reference: null, tags: [], metadata: {} },
    status: 'running',
    convergenceReason: null,
    alsoHeld: [],
    success: false,
    failure: null,
    iterationsUsed: Math.max(0, versions.length - 1),
    executionTimeMs: 5000,
    bestVersion: null,
    finalVersion: null,
    bestOutput: null,
    finalOutput: null,
    bestByRule: {},
    tokenUsage: { input: 900, output: 300, total: 1200 },
    costUsd: 0.01,
    unpriced: false,
    practice: true,
    createdAt: at,
    startedAt: at,
    finishedAt: null,
    lastEvent: 0,
    versions,
    issues: [],
    turns: [],
    observations: [],
    openCritiques: [],
    decisions: [],
    lessons: [],
    waitingFor: null,
    ...changes,
  };
}
