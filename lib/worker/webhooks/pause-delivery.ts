import { z } from 'zod';
import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import { type Evaluation, type History, HOOKS, type Pause, type Version } from '#lib/core/history.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { validatorRequestSchema } from '#lib/evaluators/evaluator.ts';
import { pausedIteration } from '#lib/runs/decided-version.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import type { NewDelivery } from '#lib/webhooks/queries.ts';

/** Maximum number of webhook decisions in one run. Afterwards it waits for people, so that automated decisions cannot loop forever. */
export const MAX_WEBHOOK_DECISIONS = 100;

const evaluationSchema = z.object({
  overallScore: z.number().nullable(),
  criteriaScores: z.record(z.string(), z.number().nullable()),
  satisfactory: z.boolean(),
  issues: z.array(z.unknown()),
  suggestions: z.array(z.string()),
  confidence: z.number().nullable(),
  feedback: z.string(),
});

/** The request body for a webhook that decides at a pause. */
export const pauseRequestSchema = z.object({
  hook: z.enum(HOOKS).meta({ description: 'Where the run waits.' }),
  runId: z.string().meta({ description: 'The run.' }),
  pauseId: z.string().meta({ description: 'The pause. The answer repeats it.' }),
  delivery: z.string().meta({ description: 'The delivery. The answer repeats it.' }),
  experiment: z.string().meta({ description: 'The name of the experiment.' }),
  version: z.int().meta({ description: 'Number of the version, from 0. At `onToolCall`: the version in progress.' }),
  iteration: z.int().meta({ description: 'Number of revisions or further attempts so far.' }),
  output: z.string().meta({ description: 'The text of the version.' }),
  oldVersion: z.int().nullish().meta({ description: 'At `onRevision`: the version that was revised.' }),
  oldOutput: z.string().optional().meta({ description: 'At `onRevision`: its text.' }),
  agent: z.string().nullish().meta({ description: 'At `onToolCall`: the agent.' }),
  thought: z.string().optional().meta({ description: 'At `onToolCall`: what it thought before.' }),
  toolCall: z
    .object({ tool: z.string(), arguments: z.string() })
    .optional()
    .meta({ description: 'At `onToolCall`: the tool and its arguments as JSON text.' }),
  evaluation: evaluationSchema
    .nullable()
    .meta({ description: 'The scores of the version, `null` before it is scored.' }),
  wouldStopAs: z
    .enum(STOP_REASONS)
    .nullable()
    .meta({ description: 'The [stop reason](stop-reasons.md) if nobody decides. `null` if the run would continue.' }),
  expiresAt: z.string().nullable().meta({ description: 'When the pause times out, in UTC.' }),
  ...validatorRequestSchema.pick({ input: true, messages: true, reference: true, metadata: true, tags: true }).shape,
});
type PauseRequest = z.infer<typeof pauseRequestSchema>;

/**
 * Returns the webhook delivery for a new pause. Null if the experiment names no webhook, or if the pause requests scores, which only people
 * give. The response must repeat `pauseId` and `delivery` (the `id`).
 * The webhook receives the same data as validators, including the reference, because the operator runs the service. Texts of an evaluation
 * for people only are left out. At `onRevision` it also gets the old output. At `onToolCall` it gets the call and the thought before it,
 * and `version` is the one that the agent is working on.
 */
export function pauseDelivery(
  { run, settings, experimentName }: Pick<StoredRun, 'run' | 'settings' | 'experimentName'>,
  history: History,
  pause: Pause,
  id: string,
): NewDelivery | null {
  const { webhook } = settings.callbacks;
  if (webhook === null || pause.asks.length > 0) return null;
  const version = history.versions[pause.version];
  const { input, messages, reference, metadata, tags } = run;
  const body: PauseRequest = {
    hook: pause.hook,
    runId: run.id,
    pauseId: pause.pauseId,
    delivery: id,
    experiment: experimentName,
    version: pause.version,
    iteration: pausedIteration({ history, settings }, pause.version),
    output: version?.output ?? '',
    ...(pause.hook === 'onRevision' ? getRevisedVersion(history, version) : {}),
    ...(pause.toolCall === null ? {} : wantedUse(history, pause.toolCall)),
    evaluation: summarizeEvaluation(effectiveEvaluation(history, pause.version)),
    wouldStopAs: pause.wouldStopAs,
    expiresAt: pause.expiresAt,
    input,
    ...(messages && { messages }),
    reference,
    metadata,
    tags,
  };
  const isEnough = history.decisions.filter(({ by }) => by === 'webhook').length >= MAX_WEBHOOK_DECISIONS;
  return {
    id,
    webhook,
    pauseId: pause.pauseId,
    state: isEnough ? 'dropped' : 'waiting',
    requestBody: storableJson(body),
    outcome: isEnough
      ? `Not sent: webhooks decided in this run ${MAX_WEBHOOK_DECISIONS} times. It waits for people.`
      : null,
    createdAt: pause.since,
  };
}

/** Returns the version and output that were revised. */
function getRevisedVersion({ versions }: History, revision: Version | undefined) {
  const old = versions.find(({ number }) => number === revision?.parents[0]);
  return { oldVersion: old?.number ?? null, oldOutput: old?.output ?? '' };
}

/** Returns the agent, the tool with its arguments, and the reason for the call. */
function wantedUse({ turns }: History, call: ToolCall) {
  const turn = turns.findLast(({ calls }) => calls.some(({ id }) => id === call.id));
  const { tool, arguments: given } = call;
  return { agent: turn?.agent ?? null, thought: turn?.thought ?? '', toolCall: { tool, arguments: given } };
}

function summarizeEvaluation(evaluation: Evaluation | null) {
  if (evaluation === null) return null;
  const { overallScore, criteriaScores, satisfactory, issues, suggestions, confidence, feedback } = evaluation;
  return { overallScore, criteriaScores, satisfactory, issues, suggestions, confidence, feedback };
}
