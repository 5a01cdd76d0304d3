import { randomUUID } from 'node:crypto';
import { createTwoFilesPatch } from 'diff';
import { appendResult } from '#lib/core/append-result.ts';
import { EMPTY_HISTORY, type History } from '#lib/core/history.ts';
import { nextStep } from '#lib/core/next-step.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Ending } from '#lib/core/step.ts';
import { NO_SERVICES } from '#lib/evaluators/evaluator.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { performStep } from '#lib/worker/perform-step.ts';
import { recordedCall } from '#lib/worker/recorded-call.ts';
import { SAMPLE_INPUT, SAMPLES } from './samples.ts';

/**
 * Runs the sample loop on the practice model without a database. Prints the trajectory, a diff of the first and best versions, and the stop
 * reason.
 */
export async function runDemo(print: (line: string) => void = console.log): Promise<void> {
  print(`Hone's sample loop on the practice model (no key, no network): ${SAMPLE_INPUT}\n`);
  const { history, ending } = await runSample((history) => printProgress(history, print));
  const output = (number: number | null) => history.versions.find((version) => version.number === number)?.output ?? '';
  print(`\nFirst (v0) against best (v${ending.bestVersion}):\n`);
  print(
    createTwoFilesPatch('v0', `v${ending.bestVersion}`, `${output(0)}\n`, `${output(ending.bestVersion)}\n`)
      .split('\n')
      .slice(1)
      .join('\n'),
  );
  const best = ending.bestVersion === null ? null : scoreOf(history, ending.bestVersion);
  print(
    `Stopped: ${ending.reason}${ending.alsoHeld.length > 0 ? ` (also held: ${ending.alsoHeld.join(', ')})` : ''}, best v${ending.bestVersion} with ${best?.toFixed(2) ?? 'no score'}`,
  );
}

async function runSample(onResult: (history: History) => void): Promise<{ history: History; ending: Ending }> {
  const settings = settingsSchema.parse(SAMPLES[0]?.settings);
  const task = { input: SAMPLE_INPUT, reference: null, tags: [], metadata: {} };
  const caller = createModelCaller({
    addresses: { allowLoopback: false, allowedPrivateHosts: [] },
    resolveProvider: async () => ({ name: 'practice', kind: 'practice', baseUrl: null, apiKey: null, prices: {} }),
  });
  const never = new AbortController().signal;
  const now = () => new Date();
  const call = recordedCall({
    call: caller,
    saved: new Map(),
    record: () => undefined,
    signal: () => never,
    onText: () => null,
    now,
  });
  let history: History = { ...EMPTY_HISTORY, inputLength: task.input.length };
  for (;;) {
    const step = nextStep(history, settings, now());
    if (step.type === 'stop') return { history, ending: step.ending };
    const result = await performStep(step, {
      history,
      settings,
      case: task,
      call,
      ...NO_SERVICES,
      now,
      newId: randomUUID,
    });
    if (result === null) throw new Error('the practice model failed');
    history = appendResult(history, result);
    onResult(history);
  }
}

function printProgress(history: History, print: (line: string) => void): void {
  const evaluation = history.evaluations.at(-1);
  if (evaluation === undefined || evaluation.step !== history.step - 1) return;
  const score = evaluation.overallScore;
  const criteria = Object.entries(evaluation.criteriaScores).map(
    ([name, value]) => `${name} ${value?.toFixed(2) ?? 'unscored'}`,
  );
  print(
    `v${evaluation.version}  ${score?.toFixed(2) ?? 'unscored'}  ${'█'.repeat(Math.round((score ?? 0) * 30)).padEnd(30, '·')}  ${criteria.join('  ')}`,
  );
}
