import { appendResult } from '#lib/core/append-result.ts';
import type { Case } from '#lib/core/case.ts';
import { EMPTY_HISTORY, type History } from '#lib/core/history.ts';
import { nextStep } from '#lib/core/next-step.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Ending } from '#lib/core/step.ts';
import { NO_SERVICES } from '#lib/evaluators/evaluator.ts';
import type { ModelCaller, ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import type { CallEntry } from '#lib/runs/call-schema.ts';
import { callKey, type SavedResponse } from '#lib/runs/journal.ts';
import { performStep } from '#lib/worker/perform-step.ts';
import { recordedCall } from '#lib/worker/recorded-call.ts';

/** Response of a scripted model: a text, a JSON object, a truncated text, or a failure (down, refused or aborted). */
export type ScriptedResponse = string | object | CutOffResponse | 'DOWN' | 'REFUSED' | 'ABORTED';
/** A text that was cut off at the model's token limit. */
export class CutOffResponse {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type ScriptedModel = (request: ModelRequest, asked: ModelRequest[]) => ScriptedResponse;

/** Spend of each call of a scripted model. */
export const CALL_SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100 };
const FAILURES = {
  DOWN: { kind: 'unavailable', message: 'The model is down.' },
  REFUSED: { kind: 'refused', message: 'The model refused to answer.' },
  ABORTED: { kind: 'aborted', message: 'The call was canceled.' },
} as const;
const NOW = new Date('2026-01-05T10:00:00.000Z');

export type ScriptedLoop = { history: History; ending: Ending | null; asked: ModelRequest[]; journal: CallEntry[] };

/**
 * Performs a loop in memory like a worker, with a scripted model, until it ends or its call is aborted (`ending` is then null). `before` is
 * a loop to resume: its journal provides the responses of the open step.
 */
export async function scriptedLoop(
  settings: ExperimentSettings,
  task: Case,
  model: ScriptedModel,
  before: ScriptedLoop | null = null,
): Promise<ScriptedLoop> {
  let history: History = before?.history ?? { ...EMPTY_HISTORY, inputLength: task.input.length };
  const asked: ModelRequest[] = [];
  const journal = [...(before?.journal ?? [])];
  const signal = new AbortController().signal;
  const call = recordedCall({
    call: scripted(model, asked),
    saved: savedOf(journal, history.step),
    record: (entry) => journal.push(entry),
    signal: () => signal,
    onText: () => null,
    now: () => NOW,
  });
  let ids = 0;
  const newId = () => `id-${history.step}-${ids++}`;
  for (;;) {
    const step = nextStep(history, settings, NOW);
    const result = await performStep(step, {
      history,
      settings,
      case: task,
      call,
      ...NO_SERVICES,
      now: () => NOW,
      newId,
    });
    if (result === null) return { history, ending: null, asked, journal };
    history = appendResult(history, result);
    if (result.type === 'end') return { history, ending: result.ending, asked, journal };
    if (result.type === 'pause') return { history, ending: null, asked, journal };
  }
}

/** Returns a failed loop after a person resumed it. */
export function resumed(loop: ScriptedLoop): ScriptedLoop {
  const { history } = loop;
  const last = history.versions.at(-1);
  const decision = {
    hook: 'onReflection' as const,
    version: last?.number ?? null,
    iteration: last?.iteration ?? 0,
    decision: 'resume' as const,
    by: 'person' as const,
    actor: 'Ada',
    reason: null,
    score: null,
    criterion: null,
    guidance: null,
    toolCallId: null,
    toolArguments: null,
    seen: null,
    pauseId: null,
    at: NOW.toISOString(),
    step: history.step,
  };
  return { ...loop, history: { ...history, failure: null, decisions: [...history.decisions, decision] } };
}

/** Returns a judge's structured response with one score for each criterion, and the issues. */
export function verdict(scores: Record<string, number>, issues: string[] = []): object {
  const criteria = Object.entries(scores).map(([name, score], position) => ({
    name,
    score,
    reason: `${name} is ${score}`,
    issues: position === 0 ? issues : [],
    suggestions: [],
  }));
  return { criteria, confidence: 0.8 };
}

function scripted(model: ScriptedModel, asked: ModelRequest[]): ModelCaller {
  return async (request): Promise<ModelOutcome> => {
    const response = model(request, asked);
    asked.push(request);
    if (response === 'DOWN' || response === 'REFUSED' || response === 'ABORTED') {
      const failure = { remedy: 'Try later.', status: 503, attempts: 3, ...CALL_SPEND };
      return { ok: false, failure: { ...FAILURES[response], ...failure } };
    }
    const cutOff = response instanceof CutOffResponse;
    const text = typeof response === 'string' ? response : cutOff ? response.text : JSON.stringify(response);
    const finishReason = cutOff ? 'length' : 'stop';
    return { ok: true, reply: { text, finishReason, attempts: 1, warnings: [], ...CALL_SPEND } };
  };
}

function savedOf(journal: CallEntry[], step: number): Map<string, SavedResponse> {
  return new Map(
    journal.flatMap((entry): [string, SavedResponse][] => {
      if (entry.step !== step || entry.text === null || entry.finishReason === null) return [];
      const {
        text,
        finishReason,
        inputTokens: input,
        outputTokens: output,
        costUsd,
        latencyMs,
        attempts,
        warnings,
        toolCalls,
        thought,
      } = entry;
      return [
        [
          callKey(entry),
          {
            text,
            finishReason,
            tokenUsage: { input, output, total: input + output },
            costUsd,
            latencyMs,
            attempts,
            warnings,
            ...(toolCalls !== undefined && { toolCalls }),
            ...(thought !== undefined && { thought }),
          },
        ],
      ];
    }),
  );
}
