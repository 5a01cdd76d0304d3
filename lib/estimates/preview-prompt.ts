import { agentBase, agentOfTries } from '#lib/core/agents/agent-progress.ts';
import type { Case } from '#lib/core/case.ts';
import { EMPTY_EVALUATION } from '#lib/core/evaluate-request.ts';
import { EMPTY_HISTORY, type Evaluation, type History, NEW_VERSION, type Version } from '#lib/core/history.ts';
import type { OpenIssue } from '#lib/core/issues/open-issues.ts';
import type { RecalledText } from '#lib/core/lesson-schema.ts';
import type { ModelRole } from '#lib/core/model-roles.ts';
import { agentPrompt } from '#lib/core/prompts/agent-prompt.ts';
import { critiquePrompt } from '#lib/core/prompts/critique-prompt.ts';
import { generatePrompt } from '#lib/core/prompts/generate-prompt.ts';
import { lessonPrompt } from '#lib/core/prompts/lesson-prompt.ts';
import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { revisePrompt } from '#lib/core/prompts/revise-prompt.ts';
import { chooseStrategy, STRATEGIES } from '#lib/core/revision/choose-strategy.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { textToTune, tunedNames } from '#lib/core/targets/component-texts.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { type ProposalGround, proposalPrompt } from '#lib/core/tuning/proposal-prompt.ts';
import { evaluatePrompt } from '#lib/evaluators/llm.ts';

/**
 * Returns the prompt of a role for a case under these settings. Uses a stand-in scored version, and one lesson if the library is used.
 * `isShortest`: leaves out what only some prompts have, which is recalled lessons and open issues.
 */
export function previewPrompt(settings: ExperimentSettings, role: ModelRole, task: Case, isShortest = false): Prompt {
  const recalled = isShortest && settings.lessons.pinned.length === 0 ? [] : sampleRecalled(settings);
  const version = sampleVersion();
  const evaluation = sampleEvaluation(settings);
  switch (role) {
    case 'generate': {
      const single = generatePrompt(settings, task, [], { recalled });
      const base = agentBase(settings) ?? agentOfTries(settings);
      return base === null ? single : agentPrompt(base, single);
    }
    case 'evaluate': {
      const criteria = settings.criteria.filter((criterion) => criterion.evaluator === 'llm');
      // In tune mode, outputs are judged against the input alone.
      const prompts = settings.mode === 'tune' ? { ...settings.prompts, generate: null } : settings.prompts;
      const judged = { settings: { ...settings, prompts }, case: task, output: version.output };
      const openIssues = settings.mode === 'tune' || isShortest ? [] : sampleOpenIssues(evaluation);
      return evaluatePrompt({ ...judged, criteria, wrong: null, openIssues });
    }
    case 'reflect':
      if (settings.mode === 'tune') return proposalPrompt(sampleGround(settings, task));
      return critiquePrompt(
        settings,
        task,
        version,
        evaluation,
        '',
        [],
        isShortest ? [] : sampleOpenIssues(evaluation),
      );
    case 'revise': {
      const history = sampleHistory(version, evaluation);
      const { strategy } = chooseStrategy(settings, history, version, evaluation.issues, null);
      return revisePrompt(settings, task, history, version, null, {
        strategy: STRATEGIES[strategy],
        wrong: [],
        recalled,
      });
    }
    case 'lesson':
      return lessonPrompt(settings, task, version, evaluation, []);
  }
}

/** Returns Hone's built-in prompt for a role, which a custom prompt replaces. Does not include the experiment's system prompt. */
export function builtInPrompt(settings: ExperimentSettings, role: ModelRole): string {
  if (role === 'generate') return '{{input}}';
  const none = { generate: null, evaluate: null, reflect: null, revise: null, lesson: null };
  const task = { input: '', reference: null, tags: [], metadata: {} };
  const generator = { ...settings.generator, instructions: '' };
  return previewPrompt({ ...settings, generator, prompts: none }, role, task).instructions;
}

const SAMPLE = { createdAt: '2000-01-01T00:00:00.000Z', step: 0 };

function sampleRecalled({ lessons: { store, pinned } }: ExperimentSettings): RecalledText[] {
  if (store === 'none' && pinned.length === 0) return [];
  return [
    { id: '', kind: 'lesson', text: '(a lesson of the library that fits the task, if there is one)', score: null },
  ];
}

function sampleVersion(): Version {
  return {
    ...NEW_VERSION,
    ...SAMPLE,
    number: 0,
    iteration: 0,
    origin: 'generated',
    output: '(the output of the version)',
  };
}

function sampleOpenIssues({ issues }: Evaluation): OpenIssue[] {
  return issues.map(({ criterion, text }, index) => ({ id: `i${index + 1}`, criterion, text }));
}

function sampleEvaluation({ criteria }: ExperimentSettings): Evaluation {
  return {
    ...EMPTY_EVALUATION,
    ...SAMPLE,
    version: 0,
    by: 'machine',
    actor: null,
    reason: null,
    status: 'scored',
    overallScore: 0.6,
    criteriaScores: Object.fromEntries(criteria.map(({ name }) => [name, 0.6])),
    reasons: Object.fromEntries(criteria.map(({ name }) => [name, '(the reason)'])),
    issues: [{ criterion: criteria[0]?.name ?? null, text: '(an issue that was found)' }],
    suggestions: ['(a suggestion)'],
    feedback: '(what the evaluators tell models)',
    sameModelJudge: false,
  };
}

/** Returns the first component if the next proposal improves one of several, otherwise null. */
function sampleComponent({ tune, generator: { target } }: ExperimentSettings): string | null {
  const names = target === null ? [] : tunedNames(target);
  return names.length < 2 || tune.components === 'all' ? null : (names[0] ?? null);
}

function sampleGround(settings: ExperimentSettings, task: Case): ProposalGround {
  const { output, finishReason } = sampleVersion();
  const { criteriaScores, satisfactory, status, issues, suggestions, feedback, detail } = sampleEvaluation(settings);
  const judged = { criteriaScores, satisfactory, status, issues, suggestions, feedback, detail, score: 0.6 };
  const tried = { output, finishReason, ...judged };
  return {
    settings,
    parent: textToTune(settings) ?? '{{input}}',
    component: sampleComponent(settings),
    tried: [
      {
        case: { ...task, position: 0, split: 'train' },
        tried: { ...NO_SPEND, ...SAMPLE, ...tried, version: 0, position: 0, attempt: 0, paidBefore: false },
      },
    ],
    guidance: [],
    rejected: [],
  };
}

function sampleHistory(version: Version, evaluation: Evaluation): History {
  return { ...EMPTY_HISTORY, versions: [version], evaluations: [evaluation] };
}
