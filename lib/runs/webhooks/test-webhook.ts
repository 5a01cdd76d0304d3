import { findWebhook } from '#lib/db/find-webhook.ts';
import { readValidatorAnswer } from '#lib/evaluators/read-validator-answer.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import type { Workshop } from '../workshop.ts';
import { postToWebhook } from './post-to-webhook.ts';
import { SEND_LIMITS } from './send-webhook.ts';

/** What a test of a webhook found. `message` says it to a person, `remedy` what to do; `score` is what the service answered. */
export type WebhookTest = { ok: boolean; message: string; remedy?: string; score?: number; latencyMs: number };

/** Sends a webhook what a run would send it, marked as a test, once, and says whether the answer could be used. */
export async function testWebhook(workshop: Workshop, _actor: Actor, name: string): Promise<Result<WebhookTest>> {
  if ((await findWebhook(workshop.database, name)) === null)
    return fail('not_found', `There is no webhook named ${JSON.stringify(name)}.`);
  const signal = new AbortController().signal;
  const posted = await postToWebhook(workshop, name, SAMPLE, { signal, limits: { ...SEND_LIMITS, backOffMs: [] } });
  if (!posted.ok)
    return succeed({
      ok: false,
      message: posted.problem,
      remedy: posted.remedy,
      latencyMs: posted.delivery?.latencyMs ?? 0,
    });
  const { latencyMs } = posted;
  const read = readValidatorAnswer(posted.json);
  if (!read.ok)
    return succeed({
      ok: false,
      message: `It answered in ${latencyMs} ms, but not with a score: ${read.problem}.`,
      remedy: 'Answer with {"score": 0 to 1}; reason, feedback, issues and suggestions may come with it.',
      latencyMs,
    });
  const { score } = read.answer;
  return succeed({ ok: true, message: `It answered in ${latencyMs} ms with the score ${score}.`, score, latencyMs });
}

const SAMPLE = {
  test: true,
  criterion: { name: 'example', description: 'A criterion for this test.' },
  input: 'What is the capital of France?',
  output: 'Paris',
  reference: 'Paris',
  metadata: {},
  tags: [],
  run: null,
  version: 0,
};
