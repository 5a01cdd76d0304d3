import { findExceededBudgets } from '../estimate-next-step.ts';
import { NEW_VERSION, type Version, versionNumbered } from '../history.ts';
import { sumSpend } from '../spend.ts';
import type { StepResult } from '../step.ts';
import { failedStep, type StepContext } from '../step-context.ts';
import { iterationsUsed } from '../stop-rules.ts';
import { partOf, wholeText } from '../targets/component-texts.ts';
import { DIAGNOSIS_LENGTH, requestPrompts } from './perform-proposal.ts';
import { type CombineStep, changedTexts, componentNames } from './plan-combination.ts';
import { proposalProblems } from './proposal-problems.ts';
import { combinationPrompt } from './proposal-prompt.ts';
import type { ReadProposal } from './read-proposal.ts';

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
    const [taken] = changedTexts(parent, combined, component);
    const written = requests.find((made) => made.component === component)?.read.prompt;
    return wholeText(written ?? taken ?? partOf(parent.output, component), text, component);
  }, parent.output);
  const version: Version = {
    ...NEW_VERSION,
    ...sumSpend(requests.map(({ spend }) => spend)),
    number: history.versions.length,
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
    createdAt: context.now().toISOString(),
    step: history.step,
  };
  return { type: 'proposals', versions: [version], tookMs: context.now().getTime() - startedAt, lost };
}

function improvementsOf(parent: Version, combined: Version[], component: string | undefined) {
  return changedTexts(parent, combined, component).map((prompt) => ({
    prompt,
    diagnosis: combined.find(({ output }) => partOf(output, component) === prompt)?.proposal?.diagnosis ?? '',
  }));
}
