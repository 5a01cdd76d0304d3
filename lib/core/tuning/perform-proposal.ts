import { guidanceOn, guidanceSince } from '#lib/core/decisions.ts';
import { spendOfCall, sumSpend } from '#lib/core/spend.ts';
import { failedStep, nextVersion, type StepContext } from '#lib/core/step-context.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import { findExceededBudgets } from '../estimate-next-step.ts';
import { type ProposalProblem, type Version, versionNumbered } from '../history.ts';
import { stepLessons } from '../lesson-form.ts';
import type { ModelFailure, ModelOutcome } from '../model-request.ts';
import { modelFor } from '../model-roles.ts';
import type { Prompt } from '../prompts/render-template.ts';
import { withoutThinking } from '../responses.ts';
import { CALLS_PER_PROPOSAL, partOrdinal } from '../reused-responses.ts';
import { callSettings } from '../settings.ts';
import type { PlannedProposal, Step, StepResult } from '../step.ts';
import { partOf, wholeText } from '../targets/component-texts.ts';
import type { Spend } from '../token-usage.ts';
import { caseGroups, MAX_CASES_LENGTH_PER_REQUEST, triedCases } from './case-groups.ts';
import { type CombineStep, changedTexts, componentNames } from './plan-combination.ts';
import { proposalProblems } from './proposal-problems.ts';
import { combinationPrompt, diagnosisPrompt, type ProposalGround, proposalPrompt } from './proposal-prompt.ts';
import { problemForModel, type ReadProposal, readProposal } from './read-proposal.ts';
import { phasesOf, singleStrategy } from './strategies/registry.ts';

type ProposeStep = Extract<Step, { type: 'propose' }>;

const DIAGNOSIS_LENGTH = 4_000;

/**
 * Requests the next prompts in parallel, with the lessons that are recalled for the step. A prompt is kept even if the call for another one
 * failed. An unusable prompt becomes a version with its problems and is never scored. Returns null if a call was aborted: the step is
 * repeated with the saved responses.
 */
export async function performProposals({ proposals }: ProposeStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const startedAt = context.now().getTime();
  const lessons = await stepLessons([], context.recall);
  if (lessons === null) return null;
  const { recalled, recalledLessons } = lessons;
  const planned = proposals.map((plan) => {
    const parent = versionNumbered(history, plan.parent);
    const ground = { ...groundOf(plan, context, parent), recalled };
    const outputs = shownOutputs(ground);
    const problemsOf = (read: ReadProposal, earlier: Version[] = []) => {
      const before = { cases: history.cases, versions: [...history.versions, ...earlier] };
      return proposalProblems(read, before, settings, parent, outputs, plan.component);
    };
    return { plan, parent, guidance: ground.guidance, problemsOf, ...requestsFor(ground) };
  });
  const mayRetry = (index: number) => {
    // A retry is one more call: its cases are scored and diagnosed once.
    const retries = proposals.slice(0, index + 1).map((plan) => ({ ...plan, positions: [] }));
    return (
      findExceededBudgets({ type: 'propose', proposals: [...proposals, ...retries] }, history, settings).length === 0
    );
  };
  const requested = await requestPrompts(mayRetry, planned, context);
  if (requested === null) return null;
  const { written, failure } = requested;
  // Without a version to record it, the cost of the recall counts as lost.
  const isMade = written.some((made) => made !== null);
  const lost = isMade ? requested.lost : sumSpend([requested.lost, lessons.spend]);
  const versions: Version[] = [];
  for (const [index, { plan, parent, guidance, problemsOf }] of planned.entries()) {
    const made = written[index];
    if (!made) continue;
    const { read, finishReason, spend } = made;
    const { round, positions, component, strategy } = plan;
    const version = nextVersion(context, {
      ...(versions.length === 0 ? sumSpend([spend, lessons.spend]) : spend),
      number: history.versions.length + versions.length,
      iteration: iterationsUsed(history) + 1 + versions.length,
      origin: 'revised',
      parents: [parent.number],
      output: wholeText(read.prompt, parent.output, component),
      improvementsApplied: guidance,
      finishReason,
      recalledLessons,
      proposal: {
        round,
        positions,
        diagnosis: read.diagnosis.slice(0, DIAGNOSIS_LENGTH).toWellFormed(),
        problems: problemsOf(read, versions),
        ...(component !== undefined && { component }),
        ...(strategy !== undefined && { strategy }),
      },
    });
    versions.push(version);
  }
  if (failure !== null && versions.length === 0) return failedStep(context, 'reflect', failure, lost);
  return { type: 'proposals', versions, durationMs: context.now().getTime() - startedAt, lost };
}

/**
 * Returns the request for a proposal. If its cases do not fit into one, groups of them are diagnosed first, and the proposal is written
 * from the diagnoses (map and reduce), each truncated so that all of them fit.
 */
function requestsFor(ground: ProposalGround): Pick<PromptRequest, 'parts' | 'promptFor'> {
  const groups = caseGroups(ground.tried, ground);
  if (groups.length < 2) return { promptFor: (wrong) => proposalPrompt(ground, wrong) };
  const most = Math.min(DIAGNOSIS_LENGTH, Math.floor(MAX_CASES_LENGTH_PER_REQUEST / groups.length));
  return {
    parts: groups.map((tried) => diagnosisPrompt(ground, tried, most)),
    promptFor: (wrong, responses) =>
      proposalPrompt(
        ground,
        wrong,
        groups.map((tried, at) => ({ tried, diagnosis: (responses[at] ?? '').trim().slice(0, most).toWellFormed() })),
      ),
  };
}

/** Returns the outputs that a request contains, by the position of their case. Several outputs of one case are joined. */
function shownOutputs({ tried, comparisons = [] }: ProposalGround): Map<number, string> {
  const shown = [
    ...tried.map(({ case: { position }, tried: { output } }) => ({ position, output })),
    ...comparisons.flatMap(({ cases }) =>
      cases.flatMap(({ case: { position }, current, other }) => [
        { position, output: current.output },
        { position, output: other.output },
      ]),
    ),
  ];
  const byCase = Map.groupBy(shown, ({ position }) => position);
  return new Map(
    [...byCase].map(([position, ofCase]) => [position, [...new Set(ofCase.map(({ output }) => output))].join('\n')]),
  );
}

function groundOf(plan: PlannedProposal, { history, settings }: StepContext, parent: Version): ProposalGround {
  const last = history.versions.at(-1) ?? parent;
  const [only] = phasesOf(settings.tune.strategy);
  const strategy = singleStrategy(plan.strategy ?? only);
  const guidance = [...guidanceOn(history, parent.number), ...guidanceSince(history, last)];
  return {
    settings,
    parent: parent.output,
    component: plan.component ?? null,
    tried: triedCases(history, plan),
    guidance: [...new Set(guidance)],
    ...strategy.shown(history, settings, parent.number),
  };
}

/** A prompt that the reflection model wrote. `spend`: of all calls. */
type WrittenPrompt = { read: ReadProposal; finishReason: string; spend: Spend };

type PromptRequest = {
  /** Requests that are made first, in parallel. Their responses are part of the prompt. */
  parts?: readonly Prompt[];
  /** `wrong`: the reasons why the previous response was unusable, null the first time. `responses`: responses to the parts. */
  promptFor: (wrong: string[] | null, responses: readonly string[]) => Prompt;
  problemsOf: (read: ReadProposal) => ProposalProblem[];
  /** Problems that a retry may fix. Default: those of the response itself. */
  isReason?: (problem: ProposalProblem) => boolean;
};

/** Prompts in the order of the requests, null for failed ones. `failure`: the first failure. `lost`: spend of failed ones. */
type WrittenPrompts = { written: (WrittenPrompt | null)[]; failure: ModelFailure | null; lost: Spend };

/**
 * Requests prompts from the reflection model in parallel. Each is retried once if its response is unusable and the budgets allow it. This
 * only depends on its index, so that a resumed step makes the same calls. `mayRetry`: by the index of the request. Returns null if a call
 * was aborted: the step is repeated with the saved responses.
 */
export async function requestPrompts(
  mayRetry: (index: number) => boolean,
  requests: readonly PromptRequest[],
  context: StepContext,
): Promise<WrittenPrompts | null> {
  const results = await Promise.all(
    requests.map((request, index) => requestPrompt(request, index, mayRetry(index), context)),
  );
  const failed = results.flatMap((result) => ('failure' in result ? [result] : []));
  if (failed.some(({ failure }) => failure.kind === 'aborted')) return null;
  return {
    written: results.map((result) => ('failure' in result ? null : result)),
    failure: failed[0]?.failure ?? null,
    lost: sumSpend(failed.map(({ spend }) => spend)),
  };
}

async function requestPrompt(
  { parts = [], promptFor, problemsOf, isReason = isProblemOfResponse }: PromptRequest,
  index: number,
  mayRetry: boolean,
  { history, settings, call }: StepContext,
): Promise<WrittenPrompt | { failure: ModelFailure; spend: Spend }> {
  const request = (ordinal: number, prompt: Prompt) =>
    call(history.step, {
      role: 'reflect',
      ordinal,
      model: modelFor(settings, 'reflect'),
      ...prompt,
      ...callSettings(settings, 'reflect'),
      output: null,
    });
  const partial = await Promise.all(parts.map((prompt, part) => request(partOrdinal(index, part), prompt)));
  const spendOfParts = partial.map(spendOfCall);
  const failures = partial.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure]));
  const failure = failures.find(({ kind }) => kind === 'aborted') ?? failures[0];
  if (failure !== undefined) return { failure, spend: sumSpend(spendOfParts) };
  const responses = partial.flatMap((outcome) => (outcome.ok ? [withoutThinking(outcome.reply.text)] : []));
  const outcomes: ModelOutcome[] = [];
  let wrong: string[] | null = null;
  for (;;) {
    const outcome = await request(index * CALLS_PER_PROPOSAL + outcomes.length, promptFor(wrong, responses));
    outcomes.push(outcome);
    const spend = sumSpend([...spendOfParts, ...outcomes.map(spendOfCall)]);
    if (!outcome.ok) return { failure: outcome.failure, spend };
    const { text, finishReason } = outcome.reply;
    const read = readProposal(withoutThinking(text), finishReason);
    wrong = [...new Set(problemsOf(read).filter(isReason).map(problemForModel))];
    if (wrong.length === 0 || outcomes.length === CALLS_PER_PROPOSAL || !mayRetry) return { read, finishReason, spend };
  }
}

/** True if a retry may fix a problem. Other problems are left to the next round. */
function isProblemOfResponse({ kind }: ProposalProblem): boolean {
  return RESPONSE_PROBLEMS.includes(kind);
}

const RESPONSE_PROBLEMS: readonly ProposalProblem['kind'][] = ['unreadable', 'empty', 'truncated', 'copied_cases'];

/**
 * Combines several proposals into one prompt. A component that only one of them changed is copied. For each of the others, the reflection
 * model is called, in parallel. If one of these calls fails, the text of the first proposal is used. Returns null if a call was aborted:
 * the step is repeated with the saved responses.
 */
export async function performCombination(step: CombineStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const parent = versionNumbered(history, step.parent);
  const combined = step.versions.map((number) => versionNumbered(history, number));
  const startedAt = context.now().getTime();
  const planned = step.components.map((component) => {
    const improved = improvementsOf(parent, combined, component);
    return {
      component,
      problemsOf: (read: ReadProposal) => proposalProblems(read, history, settings, parent, new Map(), component),
      promptFor: (wrong: string[] | null) =>
        combinationPrompt({ settings, parent: parent.output, component: component ?? null, improved }, wrong),
    };
  });
  const one = { ...step, components: step.components.slice(0, 1) };
  const mayRetry = (index: number) =>
    findExceededBudgets(one, history, settings, planned.length + index + 1).length === 0;
  const requested = await requestPrompts(mayRetry, planned, context);
  if (requested === null) return null;
  const { failure, lost } = requested;
  const requests = planned.flatMap((plan, index) => {
    const made = requested.written[index];
    return made ? [{ ...plan, ...made }] : [];
  });
  if (failure !== null && requests.length === 0) return failedStep(context, 'reflect', failure, lost);
  const output = componentNames(parent.output).reduce<string>((text, component) => {
    const [changed] = changedTexts(parent, combined, component);
    const written = requests.find((made) => made.component === component)?.read.prompt;
    return wholeText(written ?? changed ?? partOf(parent.output, component), text, component);
  }, parent.output);
  const version = nextVersion(context, {
    ...sumSpend(requests.map(({ spend }) => spend)),
    iteration: iterationsUsed(history),
    origin: 'merged',
    parents: [step.parent, ...step.versions],
    output,
    finishReason: requests.at(-1)?.finishReason ?? 'stop',
    proposal: {
      round: step.round,
      positions: [...new Set(combined.flatMap(({ proposal }) => proposal?.positions ?? []))],
      diagnosis: requests
        .map(({ read }) => read.diagnosis)
        .join('\n\n')
        .slice(0, DIAGNOSIS_LENGTH)
        .toWellFormed(),
      problems: requests.flatMap(({ read, problemsOf }) => problemsOf(read)),
      combined: step.versions,
    },
  });
  return { type: 'proposals', versions: [version], durationMs: context.now().getTime() - startedAt, lost };
}

function improvementsOf(parent: Version, combined: Version[], component: string | undefined) {
  return changedTexts(parent, combined, component).map((prompt) => ({
    prompt,
    diagnosis: combined.find(({ output }) => partOf(output, component) === prompt)?.proposal?.diagnosis ?? '',
  }));
}
