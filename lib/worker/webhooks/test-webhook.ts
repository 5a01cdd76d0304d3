import { randomUUID } from 'node:crypto';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { readValidatorAnswer } from '#lib/evaluators/webhook.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { decisionInputSchema, fieldRefusal } from '#lib/runs/decision-input.ts';
import { postSigned, readOutcome, type Usable } from '#lib/webhooks/post-signed.ts';
import { findWebhook, webhookNotFound } from '#lib/webhooks/queries.ts';
import { type DecisionRequest, readDecisionAnswer } from '#lib/webhooks/read-decision-answer.ts';
import { SEND_LIMITS, webhookTarget } from '#lib/webhooks/send-webhook.ts';

/**
 * The result of a webhook test. `message` describes it for people, `remedy` is the recommended action. `answered` is the kind of response,
 * with its `score` or its `decision` (null if the webhook declined).
 */
export type WebhookTest = {
  ok: boolean;
  message: string;
  remedy?: string;
  answered?: 'score' | 'decision';
  score?: number;
  decision?: string | null;
  latencyMs: number;
};

/**
 * Sends a webhook one test request like that of a run, marked as a test. Returns an error if the response is neither a usable score nor a
 * usable decision.
 */
export async function testWebhook(context: AppContext, actor: Actor, name: string): Promise<Result<WebhookTest>> {
  if ((await findWebhook(context.database, name)) === null) return webhookNotFound(name);
  const found = await webhookTarget(context, name);
  if (!found.ok) return succeed({ ok: false, message: found.problem, remedy: found.remedy, latencyMs: 0 });
  const { timeoutMs } = SEND_LIMITS;
  // These IDs belong to no run, so a decision that repeats them has no effect.
  const request: DecisionRequest = { pauseId: randomUUID(), delivery: randomUUID() };
  const startedAt = performance.now();
  const outcome = await postSigned(found.target, {
    id: request.delivery,
    body: JSON.stringify({ ...SAMPLE, ...request }),
    now: context.now(),
    timeoutMs,
    rules: context.addresses,
    signal: new AbortController().signal,
  });
  const latencyMs = Math.round(performance.now() - startedAt);
  const usable = readOutcome(outcome, { timeoutMs });
  await recordChange(context.database.prisma, actor, {
    act: 'tested',
    subject: { kind: 'webhook', name },
    change: { ok: usable.ok },
  });

  if (!usable.ok) {
    const message = `The webhook ${JSON.stringify(name)} ${usable.message}`;
    return succeed({ ok: false, message, remedy: usable.remedy, latencyMs });
  }
  const check = { secret: found.target.secret, request, now: context.now() };
  return succeed({ ...readTest(usable, check, latencyMs), latencyMs });
}

type Read = Omit<WebhookTest, 'latencyMs'>;

type Check = Parameters<typeof readDecisionAnswer>[1];

function readTest(answer: Usable, check: Check, latencyMs: number): Read {
  const it = `It responded in ${latencyMs} ms`;
  const json = parseJson(answer.text);
  if (answer.status === 204 || (typeof json === 'object' && json !== null && 'decision' in json))
    return readDecision(answer, check, it);
  if (json === undefined)
    return { ok: false, message: `${it} with status ${answer.status} but not with JSON.`, remedy: DECISION_REMEDY };
  const read = readValidatorAnswer(json);
  if (!read.ok) {
    const message = `${it}, but with no score and no decision: ${read.problem}.`;
    return { ok: false, message, remedy: DECISION_REMEDY };
  }
  const { score } = read.answer;
  return { ok: true, answered: 'score', message: `${it} with the score ${score}.`, score };
}

function readDecision(answer: Usable, check: Check, it: string): Read {
  const unusable = (why: string): Read => ({
    ok: false,
    message: `${it} with a decision that cannot be used: ${why}`,
    remedy: DECISION_REMEDY,
  });
  const read = readDecisionAnswer(answer, check);
  if (read.type === 'declined')
    return { ok: true, answered: 'decision', decision: null, message: `${it} and leaves the decision to others.` };
  if (read.type === 'refused') return unusable(`it ${read.problem}`);
  const parsed = parseInput(decisionInputSchema, read.input);
  const usable = parsed.ok ? (fieldRefusal(parsed.value) ?? parsed) : parsed;
  if (!usable.ok) return unusable(usable.problem.message);
  const { decision } = usable.value;
  return { ok: true, answered: 'decision', decision, message: `${it} with the decision ${decision}.` };
}

const DECISION_REMEDY =
  'To score, respond with a JSON object {"score": 0 to 1}. reason, feedback, issues and suggestions are optional. To decide, respond with a signed {"decision": …, "pauseId": …, "delivery": …} that repeats both ids of the request. Respond with status 204 to leave the decision to others.';

/** Combines the data sent to validators and to deciding services. */
const SAMPLE = {
  test: true,
  criterion: { name: 'example', description: 'A criterion for this test.' },
  input: 'What is the capital of France?',
  output: 'Paris',
  reference: 'Paris',
  metadata: {},
  tags: [],
  run: null,
  hook: 'onReflection',
  runId: null,
  experiment: 'example',
  version: 0,
  iteration: 0,
  evaluation: null,
  wouldStopAs: null,
  expiresAt: null,
};
