import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type BlindJudgement, type JudgeAgreement, judgeAgreement } from '#lib/statistics/judge-agreement.ts';
import type { BlindPair } from './blind-pairs.ts';
import { openPair } from './pair-token.ts';

const PREFERENCE_CHOICES = ['left', 'right', 'tie'] as const;
/** A person's word on a pair that they saw blind. `seconds` is how long they had it before them, null where it was not told. */
type NewPreference = BlindPair & {
  id: string;
  experimentId: string;
  choice: (typeof PREFERENCE_CHOICES)[number];
  actorId: string;
  actor: string;
  seconds: number | null;
  at: Date;
};

/** Keeps it. `judged`: the person has said their word on this pair; `gone`: its run was deleted. */
export async function insertPreference(
  transaction: Transaction,
  { runId, experimentId, first, second, left, actor, ...preference }: NewPreference,
): Promise<'stored' | 'judged' | 'gone'> {
  const run = await transaction.run.findFirst({ where: { id: runId, experimentId }, select: { id: true } });
  if (run === null) return 'gone';
  const { count } = await transaction.preference.createMany({
    data: {
      ...{ ...preference, runId, experimentId, actor: cleanText(actor) },
      ...{ firstVersion: first, secondVersion: second, leftVersion: left },
    },
    skipDuplicates: true,
  });
  return count === 1 ? 'stored' : 'judged';
}

/** The pairs of an experiment that a person has judged. */
export async function judgedPairs(
  { prisma }: Database,
  experimentId: string,
  actorId: string,
): Promise<{ runId: string; first: number; second: number }[]> {
  const pairs = await prisma.preference.findMany({
    where: { experimentId, actorId },
    select: { runId: true, firstVersion: true, secondVersion: true },
  });
  return pairs.map(({ runId, firstVersion, secondVersion }) => ({ runId, first: firstVersion, second: secondVersion }));
}

const JUDGEMENTS = `
  SELECT (
    SELECT coalesce(json_agg(json_build_object('run', p.run_id, 'first', p.first_version, 'second', p.second_version,
      'left', p.left_version, 'choice', p.choice, 'person', p.actor_id,
      'firstScore', ${machineScoreOf('p.first_version')}, 'secondScore', ${machineScoreOf('p.second_version')})), '[]')
    FROM preferences p WHERE p.experiment_id = x.id
  ) AS judgements
  FROM experiments x WHERE x.id = $1`;

function machineScoreOf(version: string): string {
  return `(SELECT e.overall_score FROM evaluations e WHERE e.run_id = p.run_id AND e.version = ${version}
    AND e.by = 'machine' AND e.status = 'scored' ORDER BY e.ordinal DESC LIMIT 1)`;
}

const judgementsRow = z.object({
  judgements: z.array(
    z
      .object({
        run: z.string(),
        first: z.int(),
        second: z.int(),
        left: z.int(),
        choice: z.enum(PREFERENCE_CHOICES),
        person: z.string(),
        firstScore: z.number().nullable(),
        secondScore: z.number().nullable(),
      })
      .transform(({ run, first, second, left, choice, person, firstScore, secondScore }): BlindJudgement => {
        const isFirst = (choice === 'left') === (left === first);
        const [score, otherScore] = isFirst ? [firstScore, secondScore] : [secondScore, firstScore];
        return { person, pair: `${run} ${first} ${second}`, picked: choice === 'tie' ? null : { score, otherScore } };
      }),
  ),
});

/** How often the machine's scores agree with what people said of pairs of an experiment; null where there is no such experiment. */
export async function findAgreement(database: Database, experimentId: string): Promise<JudgeAgreement | null> {
  const [row] = await database.prisma.$queryRawUnsafe<unknown[]>(JUDGEMENTS, experimentId);
  return row === undefined ? null : judgeAgreement(judgementsRow.parse(row).judgements);
}

const SECONDS = 'must be a number of seconds from 0 to 86400';

/** A word on a pair; `pair` is the name it was shown under. */
export const preferenceInputSchema = z.strictObject({
  pair: z.string({ error: 'must be the pair as it was shown' }).max(200, { error: 'must be the pair as it was shown' }),
  choice: z.enum(PREFERENCE_CHOICES, { error: `must be one of ${PREFERENCE_CHOICES.join(', ')}` }),
  seconds: z
    .number({ error: SECONDS })
    .min(0, { error: SECONDS })
    .max(86_400, { error: SECONDS })
    .nullable()
    .default(null)
    .meta({ description: 'How long the pair was looked at.' }),
});

/** Keeps what a person says of a pair that was shown to them; of each pair their first word stands. Answers how many they have judged. */
export async function savePreference(
  context: AppContext,
  actor: Actor,
  experimentId: string,
  input: unknown,
): Promise<Result<{ judged: number }>> {
  const parsed = parseInput(preferenceInputSchema, input);
  if (!parsed.ok) return parsed;
  const { pair: token, choice, seconds } = parsed.value;
  const pair = openPair(context, { experimentId, actorId: personOf(actor) }, token);
  if (pair === null)
    return fail('invalid', 'pair is none that was shown to you in this experiment. Ask for the next pairs.', 'pair');
  const preference = {
    ...pair,
    id: context.newId(),
    experimentId,
    choice,
    actorId: personOf(actor),
    actor: actor.name,
    seconds,
    at: context.now(),
  };
  const outcome = await inTransaction(context.database, async (transaction) => {
    const stored = await insertPreference(transaction, preference);
    if (stored === 'stored')
      await recordChange(transaction, actor, {
        act: 'preferred',
        subject: { kind: 'run', id: pair.runId },
        change: { choice },
      });
    return stored;
  });
  switch (outcome) {
    case 'judged':
      return fail('conflict', 'You have judged this pair already; your first word stands.', 'pair');
    case 'gone':
      return fail('not_found', 'The run of this pair was deleted meanwhile.', 'pair');
    case 'stored':
      return succeed({ judged: (await judgedPairs(context.database, experimentId, personOf(actor))).length });
  }
}
