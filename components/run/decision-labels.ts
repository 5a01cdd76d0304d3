import type { DecisionKind } from '#lib/core/decision-kinds.ts';
import type { DecidedBy } from '#lib/core/history.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { stopName } from '#lib/core/stop-reasons.ts';
import { formatLocalMoment, formatScore, formatSentence } from '#lib/format.ts';
import type { DecisionInput } from './run-actions.ts';

type Decision = RunRecord['decisions'][number];

/** Content of a decision, either stored or only sent. */
type DecisionContent = {
  version?: number | null;
  score?: number | null;
  criterion?: string | null;
  toolArguments?: string | null;
};

/** `label` describes a decision next to its maker. `done` is the past tense, shown to its maker. */
type DecisionLabels = {
  label: (answered: DecisionContent, which: string, tool: string) => string;
  done: (answered: DecisionContent, which: string) => string;
};

function scoreLabel({ score = null, criterion }: DecisionContent): string {
  return `${formatScore(score)}${criterion == null ? '' : ` for ${criterion}`}`;
}

function pastScoreLabel({ score = null, criterion }: DecisionContent): string {
  return `scored ${criterion ?? 'it'} ${formatScore(score)}`;
}

const LABELS: Record<DecisionKind, DecisionLabels> = {
  accept: { label: (_, which) => `accept${which}`, done: (_, which) => `accepted${which}` },
  continue: { label: () => 'continue', done: () => 'continued' },
  revise: { label: (_, which) => `guide${which}`, done: (_, which) => `guided${which}` },
  revert: { label: (_, which) => `revert to${which}`, done: (_, which) => `reverted to${which}` },
  auto: { label: () => 'continue by the rules', done: () => 'continued by the rules' },
  stop: { label: () => 'stop', done: () => 'stopped' },
  allow: {
    label: ({ toolArguments }, _, tool) => `allow ${tool}${toolArguments == null ? '' : ' with changed arguments'}`,
    done: () => 'allowed a tool call',
  },
  refuse: { label: (_, __, tool) => `refuse ${tool}`, done: () => 'refused a tool call' },
  edit: { label: (_, which) => `edit, made${which}`, done: () => 'made a version' },
  merge: { label: (_, which) => `merge, made${which}`, done: () => 'made a version' },
  score: { label: (answered) => `score: ${scoreLabel(answered)}`, done: pastScoreLabel },
  override: { label: (answered) => `override the score: ${scoreLabel(answered)}`, done: pastScoreLabel },
  restore: {
    label: (_, which) => `restore the score of${which}`,
    done: (_, which) => `restored the score of${which}`,
  },
  resume: { label: () => 'resume', done: () => 'resumed' },
};

function versionName(version: number | null | undefined): string {
  return version == null ? '' : ` v${version}`;
}

/** Describes a decision briefly, for use next to its maker. `tool`: the tool it concerns, if known. */
export function decisionLabel(decision: Decision, tool = 'a tool'): string {
  return LABELS[decision.decision].label(decision, versionName(decision.version), tool);
}

/** Describes the user's latest decision in the past tense, for their own list. */
export function pastDecisionLabel(input: DecisionInput): string {
  return LABELS[input.decision].done(input, versionName(input.version));
}

/**
 * Returns `Already decided: accept v0, by Ada, 20 Nov 2026, 14:03.` in the local time zone. `me`: the name under which the reader's own
 * decisions are stored, if known.
 */
export function decidedLabel(record: RunRecord, decision: Decision, me: string | null = null): string {
  const what = decisionLabel(decision, toolOfDecision(record, decision));
  return `Already decided: ${what}, ${makerLabel(decision, me)}, ${formatLocalMoment(decision.at)}.`;
}

/** Returns null while the run still waits at the pause. Otherwise returns who decided what and when, or only that the pause is over. */
export function decidedMeanwhileLabel(record: RunRecord, pauseId: string | undefined): string | null {
  if (pauseId === undefined || record.waitingFor?.pauseId === pauseId) return null;
  const decision = record.decisions.findLast((one) => one.pauseId === pauseId);
  return decision === undefined ? 'The run no longer waits at this pause.' : decidedLabel(record, decision);
}

/** Names of the kinds of decision makers, for use within a sentence. */
export const DECIDER_NAMES = {
  person: 'a person',
  webhook: 'a webhook',
  code: 'code',
  timeout: 'the timeout',
  policy: 'policy',
} satisfies Record<DecidedBy, string>;

function makerLabel({ by, actor }: Decision, me: string | null): string {
  const texts: Record<typeof by, string> = {
    person: actor !== null && actor === me ? 'in another window' : `by ${actor ?? 'another person'}`,
    webhook: `by the webhook ${actor ?? ''}`.trim(),
    timeout: 'after the timeout',
    code: 'by code',
    policy: 'by the rules',
  };
  return texts[by];
}

/** Returns the tool that a decision concerns, or undefined if there is none or its turn is unknown. */
export function toolOfDecision(
  { turns }: Pick<RunRecord, 'turns'>,
  { toolCallId, seen, version }: Pick<RunRecord['decisions'][number], 'toolCallId' | 'seen' | 'version'>,
): string | undefined {
  if (toolCallId === null) return undefined;
  const towards = seen?.versions ?? version;
  return turns
    .filter((turn) => turn.version === towards)
    .flatMap(({ calls }) => calls)
    .find(({ id }) => id === toolCallId)?.tool;
}

type Pause = Pick<NonNullable<RunRecord['waitingFor']>, 'hook' | 'version' | 'asks' | 'wouldStopAs'>;

/** Describes in one sentence the decision a paused run waits for. `mayDecide`: true if the reader may decide. */
export function pauseLabel(pause: Pause, { mode }: Pick<ExperimentSettings, 'mode'>, mayDecide: boolean): string {
  const { asks, wouldStopAs } = pause;
  const reviewed = reviewedName(pause, mode);
  if (reviewed !== null)
    return `${formatSentence(reviewed)} waits for a review before it is ${mode === 'tune' ? 'tested' : 'scored'}.`;
  if (asks.length > 0)
    return `It needs ${mayDecide ? 'your' : 'a reviewer’s'} score for ${asks.map(({ criterion, proposed }) => (proposed === undefined ? criterion : `${criterion} (judge proposes ${formatScore(proposed)})`)).join(' and ')}.`;
  return wouldStopAs
    ? `By its rules, the run would stop (${stopName(wouldStopAs)}).`
    : `By its rules, the run would continue with the next ${mode === 'tune' ? 'proposal' : 'revision'}.`;
}

type ReviewPause = Pick<NonNullable<RunRecord['waitingFor']>, 'hook' | 'version'>;

/**
 * Returns the name of the version to review before scoring: `draft v0`, `attempt 2`, `revision v1`. Returns null at a pause after an
 * evaluation or before a tool call.
 */
function reviewedName({ hook, version }: ReviewPause, mode: string): string | null {
  switch (hook) {
    case 'onReflection':
    case 'onToolCall':
      return null;
    case 'onGeneration':
      return mode === 'retry' ? `attempt ${version + 1}` : `draft v${version}`;
    case 'onRevision':
      return `${mode === 'tune' ? 'proposal' : 'revision'} v${version}`;
  }
}

/** Returns the name of the version to review, capitalized for the start of a sentence. */
export function reviewedTitle(pause: ReviewPause, mode: string): string | null {
  const name = reviewedName(pause, mode);
  return name === null ? null : name.charAt(0).toUpperCase() + name.slice(1);
}
