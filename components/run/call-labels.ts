import type { SamplingSettings } from '#lib/core/model-settings.ts';
import { formatCost, formatCount, formatDuration, formatList, formatNumberOf } from '#lib/format.ts';
import { retrospectiveOfStep } from '#lib/lessons/retrospectives/steps.ts';
import type { CallRecord, CallSummary } from '#lib/runs/call-schema.ts';

const ROLES: Record<string, string> = {
  generate: 'Draft',
  evaluate: 'Judge',
  embed: 'Embed',
  reflect: 'Critique',
  revise: 'Revise',
  lesson: 'Lesson',
  lesson_check: 'Lesson check',
  try: 'Try',
  judge: 'Score',
  turn: 'Turn',
};

/** Returns the display name of a call's role. */
export function callRoleLabel(role: string): string {
  return ROLES[role] ?? role;
}

/** Returns short facts about a call. Each one stays unbroken when the line wraps. */
export function callFacts(call: CallSummary): string[] {
  return [
    call.version === null ? '' : `v${call.version}`,
    stepLabel(call.step),
    `${call.provider} / ${call.model}`,
    call.tools.length > 0 ? `wants ${call.tools.join(', ')}` : '',
    `${formatCount(call.tokenUsage.total)}\u00a0tokens`,
    call.costUsd === null ? 'no price' : formatCost(call.costUsd, false),
    formatDuration(call.latencyMs),
    call.attempts > 1 ? formatNumberOf(call.attempts, 'try', 'tries') : '',
    call.maybeBilled === null ? '' : 'may have been billed',
    call.attempts === 0 && call.failureKind === null ? 'saved response' : '',
    call.warnings > 0 ? formatNumberOf(call.warnings, 'warning') : '',
  ].filter((fact) => fact !== '');
}

/** Calls made outside the loop have negative steps. */
function stepLabel(step: number): string {
  if (step >= 0) return `step ${step}`;
  return retrospectiveOfStep(step) === null ? 're-score' : 'look back';
}

/** Formats the options of a call. */
export function optionLabel({ temperature, maxOutputTokens, output, ...sampling }: CallRecord['options']): string {
  return [
    temperature === null ? 'no temperature' : `temperature ${temperature}`,
    maxOutputTokens === null ? 'no token limit' : `at most ${formatCount(maxOutputTokens)} tokens`,
    ...samplingLabels(sampling),
    output === null ? 'as text' : `as JSON of the shape “${output}”`,
  ].join(', ');
}

/** Returns one short label for each sampling setting that is set. */
export function samplingLabels(
  settings: { [Name in keyof SamplingSettings]?: SamplingSettings[Name] | null },
): string[] {
  const { topP, seed, stopSequences, reasoningEffort, providerOptions, headers } = settings;
  const stops = (stopSequences ?? []).map((text) => `“${text.replaceAll('\n', '\\n')}”`);
  return [
    topP == null ? '' : `top P ${topP}`,
    seed == null ? '' : `seed ${seed}`,
    stops.length === 0 ? '' : `stops at ${formatList(stops)}`,
    reasoningEffort == null ? '' : `reasoning effort ${reasoningEffort}`,
    providerOptions == null ? '' : `provider options ${JSON.stringify(providerOptions)}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `header ${name}: ${value}`),
  ].filter((label) => label !== '');
}

/** Formats the possible cost of attempts without a response. Returns null if none may have been billed. */
export function maybeBilledLabel({ maybeBilled }: Pick<CallRecord, 'maybeBilled'>): string | null {
  if (maybeBilled === null) return null;
  const { tries, input, output, costUsd } = maybeBilled;
  const cost = costUsd === null ? '' : `, ${formatCost(costUsd, false)}`;
  return `${formatNumberOf(tries, 'try', 'tries')} without a complete response may have been billed. The totals include an estimate for ${tries === 1 ? 'it' : 'them'}: ${formatCount(input)} tokens in, ${formatCount(output)} out${cost}.`;
}

/** Formats the tokens of a call by kind. */
export function tokenLabel({ tokenUsage, cachedTokens, reasoningTokens }: CallRecord): string {
  const cached = cachedTokens === null ? '' : ` (${formatCount(cachedTokens)} from the cache)`;
  const thought = reasoningTokens === null ? '' : ` (${formatCount(reasoningTokens)} thought)`;
  return `${formatCount(tokenUsage.input)} tokens in${cached}, ${formatCount(tokenUsage.output)} out${thought}`;
}
