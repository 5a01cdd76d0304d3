import { evaluateOutput } from '#lib/evaluators/evaluate-output.ts';
import { type EvaluatorServices, NO_SERVICES } from '#lib/evaluators/evaluator.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelOutcome } from '#lib/providers/call/model-caller.ts';
import { PRACTICE_MODEL, PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { NOTHING_EARLIER } from './earlier-outputs.ts';
import {
  type Ask,
  type Embed,
  type EvaluateRequest,
  type EvaluationOutcome,
  evaluatorCalls,
} from './evaluate-request.ts';
import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from './settings.ts';

type Asked = Parameters<Ask>[0];

/** Scores an output. Parts of the request that the test omits are empty. */
export function evaluateWith(
  request: Pick<EvaluateRequest, 'settings' | 'case' | 'output' | 'ask'> & Partial<EvaluateRequest & EvaluatorServices>,
): Promise<EvaluationOutcome> {
  return evaluateOutput({ ...unused(), ...request });
}

/** Returns the parts of a request that most evaluators do not use. */
export function unused(): Pick<EvaluateRequest, 'earlier' | 'embed'> & EvaluatorServices {
  return { earlier: NOTHING_EARLIER, embed: neverEmbed, ...NO_SERVICES };
}

const neverEmbed: Embed = async () => {
  throw new Error('asked for embeddings');
};

const practiceCall = createModelCaller({
  addresses: { allowLoopback: true, allowedPrivateHosts: [] },
  resolveProvider: async () => PRACTICE_PROVIDER,
});

/** Returns model callers for an evaluation, backed by the practice models. */
export function practiceCalls(settings: ExperimentSettings): Pick<EvaluateRequest, 'ask' | 'embed'> {
  return evaluatorCalls(settings, (request) =>
    practiceCall(request, { signal: new AbortController().signal, onText: null }),
  );
}

/** Returns the practice model as a judge. */
export function askPractice(): Ask {
  const fixed = { role: 'evaluate', ordinal: 0, model: { provider: 'practice', model: PRACTICE_MODEL } } as const;
  return (request) => practiceCall({ ...request, ...fixed }, { signal: new AbortController().signal, onText: null });
}

/**
 * Returns a judge that sends these responses in turn, each with 10 input tokens, 5 output tokens, a cost of one cent and 100 ms. `asked`
 * records the requests.
 */
export function askScript(responses: (string | { text: string; finishReason: string } | 'down')[]): {
  ask: Ask;
  asked: Asked[];
} {
  const asked: Asked[] = [];
  const spent = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100 };
  const ask: Ask = async (request): Promise<ModelOutcome> => {
    const response = responses[asked.length];
    asked.push(request);
    if (response === undefined) throw new Error('asked more often than scripted');
    if (response === 'down') {
      const failure = { kind: 'unavailable', message: 'down', remedy: 'wait', status: 503, attempts: 3 } as const;
      return { ok: false, failure: { ...failure, ...spent } };
    }
    const { text, finishReason } = typeof response === 'string' ? { text: response, finishReason: 'stop' } : response;
    return { ok: true, reply: { text, finishReason, attempts: 1, warnings: [], ...spent } };
  };
  return { ask, asked };
}

/** Returns settings with these criteria and defaults for everything else. */
export function settingsWith(
  criteria: ExperimentSettingsInput['criteria'],
  more: Partial<ExperimentSettingsInput> = {},
): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria,
    ...more,
  });
}
