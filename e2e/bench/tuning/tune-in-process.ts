import { appendResult } from '#lib/core/append-result.ts';
import { EMPTY_HISTORY, type History, SPLITS, type Split } from '#lib/core/history.ts';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { nextStep } from '#lib/core/next-step.ts';
import { performStep } from '#lib/core/perform-step.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import type { Ending } from '#lib/core/step.ts';
import { responseText } from '#lib/core/targets/target-response.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { splitCases } from '#lib/experiments/split-cases.ts';
import { readReflectionRequest, type SimulatedApp } from './simulated-app.ts';
import { type TuneChanges, tuningCases, tuningSettings } from './tune-with-hone.ts';

export type TunedInProcess = {
  history: History;
  settings: ExperimentSettings;
  ending: Ending;
  counts: { metricCalls: number; reflections: number };
};

/** Tunes with only the steps of Hone's loop, without server and database, so that many trials are fast. */
export async function tuneInProcess(
  app: SimulatedApp,
  splits: readonly Split[] = SPLITS,
  tune: TuneChanges = {},
): Promise<TunedInProcess> {
  const settings = settingsSchema.parse(tuningSettings(app, 'bench', tune));
  const cases = tuningCases(app, splits);
  const counts = { metricCalls: 0, reflections: 0 };
  const repeats = new Map<string, number>();
  const timesBefore = (key: string) => {
    const before = repeats.get(key) ?? 0;
    repeats.set(key, before + 1);
    return before;
  };
  const textFor = ({ role, prompt }: ModelRequest) => {
    if (role === 'reflect') {
      counts.reflections++;
      const { asked, answerWith } = readReflectionRequest(app, prompt);
      return answerWith(app.propose(asked, timesBefore(JSON.stringify(asked))));
    }
    counts.metricCalls++;
    const { case: task, components } = JSON.parse(prompt);
    return responseText(app.handle(components, task.metadata.ticket, timesBefore(prompt)));
  };
  let history: History = { ...EMPTY_HISTORY, inputLength: 10, cases: splitCases(cases, settings.tune) };
  for (;;) {
    const step = nextStep(history, settings, NOW);
    if (step.type === 'stop') return { history, settings, ending: step.ending, counts };
    let calls = 0;
    const result = await performStep(step, {
      history,
      settings,
      case: { input: '', reference: null, tags: [], metadata: {} },
      call: async (_step, request) => {
        calls++;
        return { ok: true, reply: { ...RESPONSE, text: textFor(request) } };
      },
      evaluate: evaluateAlone,
      now: () => NOW,
      newId: () => `id-${history.step}`,
    });
    if (result === null) throw new Error(`the step ${step.type} was aborted`);
    history = { ...appendResult(history, result), calls: history.calls + calls };
  }
}

const NOW = new Date('2026-01-05T12:00:00.000Z');
const RESPONSE = {
  finishReason: 'stop',
  tokenUsage: { input: 0, output: 0, total: 0 },
  costUsd: 0,
  latencyMs: 0,
  attempts: 1,
  warnings: [],
};
