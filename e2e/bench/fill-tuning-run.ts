import { randomUUID } from 'node:crypto';
import { LONG_RUN_AT, longTuningRun, type TuningSize } from '#lib/core/tuning/long-tuning-run.test-support.ts';
import type { Database } from '#lib/database/database.ts';

/** Stores a long tuning run as a finished run of an experiment; returns its id. */
export async function fillTuningRun({ prisma }: Pick<Database, 'prisma'>, size: TuningSize): Promise<string> {
  const { history, settings } = longTuningRun(size);
  const [experimentId, batchId, runId] = [randomUUID(), randomUUID(), randomUUID()];
  const best = history.evaluations.toSorted((one, other) => (other.overallScore ?? 0) - (one.overallScore ?? 0))[0];
  await prisma.experiment.create({ data: { id: experimentId, name: 'A long tuning run' } });
  await prisma.experimentVersion.create({ data: { experimentId, version: 1, settings } });
  await prisma.batch.create({ data: { id: batchId, experimentId, experimentVersion: 1, total: 1 } });
  await prisma.run.create({
    data: {
      ...{ id: runId, experimentId, experimentVersion: 1, batchId, position: 0, input: 'Sort the mail.' },
      ...{ status: 'finished', convergenceReason: 'max_iterations', success: true, tags: [], alsoHeld: [] },
      ...{
        createdAt: LONG_RUN_AT,
        startedAt: LONG_RUN_AT,
        finishedAt: LONG_RUN_AT,
        activeMs: history.activeMs,
        step: history.step,
      },
      ...{ versionCount: history.versions.length, callCount: history.calls, finalVersion: best?.version ?? 0 },
      ...{ inputTokens: 1_000_000, outputTokens: 60_000, costUsd: 21.4 },
    },
  });
  await prisma.runCase.createMany({
    data: history.cases.map(({ position, split, input, reference }) => ({
      ...{ runId, position, split, input, reference, tags: [] },
    })),
  });
  await prisma.reflectionVersion.createMany({
    data: history.versions.map(({ recalledLessons: _, target: __, proposal, tokenUsage, ...version }) => ({
      ...{ runId, ...version, inputTokens: tokenUsage.input, outputTokens: tokenUsage.output },
      ...(proposal && { proposal }),
    })),
  });
  await prisma.evaluation.createMany({
    data: history.evaluations.map(({ tokenUsage: _, ...evaluation }, ordinal) => ({
      ...{ runId, ordinal, ...evaluation, inputTokens: 0, outputTokens: 0 },
    })),
  });
  for (let at = 0; at < history.tries.length; at += 2_000)
    await prisma.caseTry.createMany({
      data: history.tries.slice(at, at + 2_000).map(({ tokenUsage, ...one }) => ({
        ...{ runId, ...one, inputTokens: tokenUsage.input, outputTokens: tokenUsage.output },
      })),
    });
  return runId;
}
