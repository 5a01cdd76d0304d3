import { ChevronRight } from 'lucide-react';
import { samplingLabels } from '#components/run/call-labels.ts';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { DescriptionList, Term } from '#components/ui/description-list.tsx';
import { TextLink } from '#components/ui/link.tsx';
import type { AgentBase, BaseSettings } from '#lib/core/agents/base-settings.ts';
import { criterionDefinition } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { ModelSettings } from '#lib/core/model-settings.ts';
import { STRATEGY_DEFINITIONS } from '#lib/core/revision/strategy.ts';
import { type ExperimentSettings, temperatureFor } from '#lib/core/settings.ts';
import { tunedNames } from '#lib/core/targets/component-texts.ts';
import { modelId, modelLabel } from '#lib/core/targets/target-model.ts';
import type { TargetSettings } from '#lib/core/targets/target-settings.ts';
import { STRATEGY_LABELS } from '#lib/core/tuning/strategies/strategy-labels.ts';
import {
  formatCount,
  formatDuration,
  formatList,
  formatMoney,
  formatNumberOf,
  formatPercent,
  formatScore,
  joinParts,
} from '#lib/format.ts';
import { isImportedRun } from '#lib/models/imported-runs.ts';
import { promptPath } from '#lib/prompts/prompt.ts';
import { isScoredElsewhere } from '#lib/runs/run-facts.ts';
import { rolesOf } from './form-settings.ts';
import {
  ACCEPTANCE_LABELS,
  loopLabel,
  MINIBATCH_LABELS,
  pauseLabel,
  reviewLabel,
  SELECTION_LABELS,
  TIMEOUT_LABELS,
} from './form-summary.ts';
import { stopsLabel } from './stop-settings.ts';

/** Read-only list of the settings of one version. */
export function SettingsList({ settings }: { settings: ExperimentSettings }) {
  const { generator, evaluation } = settings;
  const isTuning = settings.mode === 'tune';
  const own = Object.entries(settings.prompts).filter(
    ([role, text]) => text !== null && !(isTuning && role === 'generate'),
  );
  return (
    <DescriptionList>
      <Term name="Mode">
        {isImportedRun(settings)
          ? 'attempts made by another system'
          : loopLabel(settings.mode, settings.maxAttempts, settings.maxIterations)}
      </Term>
      {isTuning ? <TuneSettings settings={settings} /> : null}
      {generator.target === null ? (
        <Term name="Instructions" className="wrap-anywhere whitespace-pre-wrap">
          {generator.instructions || <span className="text-ink-3">none</span>}
        </Term>
      ) : null}
      <Term name="Models">
        {nameOf(settings, 'generate')} drafts, {nameOf(settings, 'evaluate')} judges, {nameOf(settings, 'reflect')}{' '}
        reflects
        {settings.embeddingModel
          ? `, ${settings.embeddingModel.provider} / ${settings.embeddingModel.model} embeds`
          : ''}
      </Term>
      {generator.target === null ? null : <TargetTerms target={generator.target} />}
      <BaseTerms base={generator.base} />
      <Term name="Temperature">{temperatureLabel(settings)}</Term>
      {rolesOf(settings).map(({ role, label }) => {
        const set = settings.modelSettings[role];
        return set === null ? null : (
          <Term key={role} name={`Settings of ${label}`} className="wrap-anywhere">
            {roleLabels(set)}
          </Term>
        );
      })}
      <Term name="Criteria">
        {settings.criteria.length > MAX_EXPANDED_CRITERIA ? (
          <FoldedCriteria criteria={settings.criteria} />
        ) : (
          <ul className="flex flex-col gap-1.5">
            {settings.criteria.map((criterion) => (
              <li key={criterion.name}>
                <b className="font-medium">{criterion.name}</b> {criterionTerms(criterion)}
                {criterion.description ? <span className="text-ink-2"> – {criterion.description}</span> : null}
                <CriterionCode criterion={criterion} />
              </li>
            ))}
          </ul>
        )}
      </Term>
      {evaluation.confidence.below === null ? null : (
        <Term name="Judge confidence">
          below {formatScore(evaluation.confidence.below)}: {CONFIDENCE_TERMS[evaluation.confidence.action]}
        </Term>
      )}
      <Term name="Quality threshold">
        {formatScore(settings.qualityThreshold)} overall
        {settings.criteria.some(({ threshold }) => threshold !== null) ? ', and each criterion with a threshold' : null}
      </Term>
      {isTuning ? null : <Term name="Reflection">{reflectionLabel(settings)}</Term>}
      <Term name="Early stop">{earlyStopLabel(settings)}</Term>
      <Term name="Best version">{settings.bestVersion.replaceAll('_', ' ')}</Term>
      <Term name="Kept texts">
        {settings.preserveAllVersions ? 'all versions' : 'first, best, final and accepted versions'}
      </Term>
      <Term name="Lessons">{isTuning ? recallLabel(settings) : lessonLabel(settings)}</Term>
      <ReviewTerms settings={settings} />
      <BudgetTerms budget={settings.budget} />
      {own.map(([role, text]) => (
        <Term key={role} name={`Prompt: ${role}`}>
          <CodeBlock>{text}</CodeBlock>
        </Term>
      ))}
    </DescriptionList>
  );
}

function earlyStopLabel({ mode, convergence }: ExperimentSettings): string {
  if (convergence !== null) return stopsLabel(mode, convergence);
  return mode === 'revise' ? 'only if the same issues return three times without a better score' : 'no';
}

function ReviewTerms({ settings: { mode, callbacks } }: { settings: ExperimentSettings }) {
  const { pause, review, escalate, webhook, timeoutSeconds, onTimeout } = callbacks;
  const looks = reviewLabel(mode, review);
  return (
    <>
      <Term name="Pause for review">
        {joinParts(
          pauseLabel(pause, mode),
          looks && `review of ${looks}`,
          mode === 'retry' && escalate && 'escalates unsolved runs',
        )}
      </Term>
      {webhook === null ? null : <Term name="Webhook">{webhook}, in parallel with reviewers</Term>}
      <Term name="Timeout">
        {timeoutSeconds === null
          ? 'none'
          : `${TIMEOUT_LABELS[onTimeout]} after ${formatDuration(timeoutSeconds * 1000)}`}
      </Term>
    </>
  );
}

function BudgetTerms({ budget }: Pick<ExperimentSettings, 'budget'>) {
  return (
    <>
      <Term name="Budget per run">
        {joinParts(
          budget.maxCalls !== null && formatNumberOf(budget.maxCalls, 'call'),
          budget.maxCostUsd !== null && formatMoney(budget.maxCostUsd),
          budget.maxTokens !== null && `${budget.maxTokens} tokens`,
          budget.maxSeconds !== null && `${budget.maxSeconds} s`,
        ) || 'none'}
      </Term>
      <Term name="Budget for all runs">
        {joinParts(
          budget.maxExperimentCostUsd !== null && formatMoney(budget.maxExperimentCostUsd),
          budget.maxExperimentTokens !== null && `${budget.maxExperimentTokens} tokens`,
        ) || 'none'}
      </Term>
    </>
  );
}

/** Maximum number of criteria shown in full. Longer lists are collapsed to one line each. */
const MAX_EXPANDED_CRITERIA = 8;

/** Lists criteria as collapsed lines with name, weight and evaluator. Expanding one shows its full name, description and definition. */
function FoldedCriteria({ criteria }: { criteria: readonly Criterion[] }) {
  return (
    <ul className="flex flex-col gap-1" data-testid="folded-criteria">
      {criteria.map((criterion) => (
        <li key={criterion.name}>
          <details className="group min-w-0">
            <summary className="flex min-w-0 cursor-pointer items-baseline gap-1.5">
              <ChevronRight className="self-center text-ink-3 group-open:rotate-90" />
              <b className="min-w-0 truncate font-medium group-open:whitespace-normal">{criterion.name}</b>
              <span className="max-w-1/2 shrink-0 truncate text-ink-2">{criterionTerms(criterion)}</span>
            </summary>
            <div className="wrap-anywhere mb-1.5 pl-4.75 text-ink-2">
              {criterion.description || 'No description'}
              <CriterionCode criterion={criterion} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function criterionTerms(criterion: Criterion): string {
  const atLeast = criterion.threshold === null ? '' : `at least ${formatScore(criterion.threshold)}, `;
  return `×${criterion.weight}, ${atLeast}${evaluatorLabel(criterion)}`;
}

function CriterionCode({ criterion }: { criterion: Criterion }) {
  const code = criterionDefinition(criterion.evaluator).longText?.(criterion.config) ?? null;
  if (code === null) return null;
  return (
    <details>
      <summary className="cursor-pointer text-ink-2 text-sm">Definition</summary>
      <CodeBlock className="mt-1">{code}</CodeBlock>
    </details>
  );
}

function lessonLabel(settings: ExperimentSettings): string {
  const { mode, lessons } = settings;
  const { block, write, check } = lessons;
  const written = {
    learn: `new lessons are stored in block ${block}`,
    stage: 'new lessons are only stored for review',
    off: 'no lessons are written',
  };
  return joinParts(
    mode === 'retry' || lessons.reflectOnEnd || lessons.alwaysReflect
      ? written[write]
      : 'no lessons are written in this mode',
    recallLabel(settings),
    check !== null && `new lessons are checked by ${check.provider} / ${check.model}`,
    lessons.reflectOnEnd && 'reflects at the end of a run',
    lessons.alwaysReflect && 'always reflects on failed and partial runs',
    lessons.lookBackEvery !== null &&
      `retrospectives of ${lessons.lookBackRuns} of every ${lessons.lookBackEvery} ended runs`,
    lessons.retentionPerAgent === null ? 'keeps all lessons' : `keeps ${lessons.retentionPerAgent} lessons per agent`,
  );
}

/** Returns the label of the lessons recalled in a run. */
function recallLabel({ lessons }: ExperimentSettings): string {
  const { store, block, topK, tokenBudget, embeddings, pinned } = lessons;
  const within = `at most about ${formatNumberOf(tokenBudget, 'token')}`;
  const recalled = {
    none: 'no recall',
    block: `recalls all promoted lessons of block ${block}, ${within}`,
    recall: `recalls up to ${topK}, ${within}`,
  };
  return joinParts(
    recalled[store],
    store === 'recall' && embeddings !== null && `embeddings by ${embeddings.provider} / ${embeddings.model}`,
    pinned.length > 0 && `${pinned.length} pinned`,
    `agent ${lessons.agent}`,
    store !== 'none' && lessons.recallAgents === 'all' && 'recalls lessons of every agent',
  );
}

function reflectionLabel({ mode, revision, triggers, structuredReflection }: ExperimentSettings): string {
  const revises = [
    `revises by ${STRATEGY_DEFINITIONS[revision.strategy].label}`,
    revision.includeReflectionHistory ? 'with the earlier critiques' : 'without the earlier critiques',
    revision.includePriorVersions && 'with the earlier versions',
    revision.maxTokens !== null && `up to ${revision.maxTokens} tokens`,
    !structuredReflection && 'scores and critiques in plain text',
  ];
  return joinParts(
    ...(mode === 'retry' ? [] : revises),
    triggers.onQualityDrop && 'reflects on every quality drop',
    triggers.onError && 'reflects on unusable responses',
    triggers.stepInterval !== null && `reflects every ${formatNumberOf(triggers.stepInterval, 'agent turn')}`,
    triggers.onTools.length > 0 && `reflects after results of ${triggers.onTools.join(', ')}`,
    `quality drop: more than ${triggers.qualityDropThreshold}`,
  );
}

function nameOf(settings: ExperimentSettings, role: 'generate' | 'evaluate' | 'reflect'): string {
  return modelLabel(modelFor(settings, role));
}

function evaluatorLabel(criterion: Criterion): string {
  if (isScoredElsewhere(criterion)) return 'scored by the system the runs were imported from';
  return criterionDefinition(criterion.evaluator).summary(criterion.config);
}

const CONFIDENCE_TERMS: Record<ExperimentSettings['evaluation']['confidence']['action'], string> = {
  rejudge: 'judged again, the more confident score counts',
  ask: 'a reviewer gives the score',
  unscored: 'counts as unscored',
};

/** Returns the model settings of a role, except the temperature. */
function roleLabels(set: NonNullable<ModelSettings[keyof ModelSettings]>): string {
  const limit = 'maxOutputTokens' in set ? set.maxOutputTokens : null;
  return [...(limit === null ? [] : [`at most ${formatCount(limit)} output tokens`]), ...samplingLabels(set)].join(
    ', ',
  );
}

/** Returns the temperature of each role that has one. Workers are listed only if theirs differs. */
function temperatureLabel(settings: ExperimentSettings): string {
  const { mode, generator, temperatures } = settings;
  const details = [
    { what: mode === 'tune' ? 'answers' : 'drafts', value: generator.temperature },
    { what: 'revisions', value: mode === 'revise' ? temperatureFor(settings, 'revise') : null },
    { what: 'judges', value: temperatureFor(settings, 'evaluate') },
    { what: mode === 'tune' ? 'proposals' : 'critiques', value: temperatureFor(settings, 'reflect') },
    { what: 'lessons', value: mode === 'tune' ? null : temperatureFor(settings, 'lesson') },
    { what: 'workers', value: generator.base.type === 'supervisor' ? temperatures.worker : null },
  ].flatMap(({ what, value }) => (value === null ? [] : [`${value} for ${what}`]));
  return details.length === 0 ? 'not sent' : details.join(', ');
}

/** Shows the target that produces outputs, and the components sent to it. */
function TargetTerms({ target }: { target: TargetSettings }) {
  const { name, components } = target;
  const tuned = tunedNames(target);
  return (
    <Term name="Target" className="flex flex-col gap-2">
      <TextLink href="/targets">{name}</TextLink>
      {Object.entries(components).map(([component, text]) => (
        <div key={component}>
          <span className="text-ink-2">
            {component}
            {tuned.includes(component) ? ', tuned' : ''}
          </span>
          <CodeBlock>{text}</CodeBlock>
        </div>
      ))}
    </Term>
  );
}

/** Shows the base as entries of the settings list. Renders nothing for a single call. */
function BaseTerms({ base }: { base: BaseSettings }) {
  if (base.type === 'single') return null;
  return (
    <>
      <Term name="Generation">
        {base.type === 'supervisor' ? `a supervisor of ${formatNumberOf(base.workers.length, 'worker')}` : 'an agent'},
        up to {formatNumberOf(base.maxSteps, 'turn')}, stalled after {base.stallAfter} identical calls in a row
      </Term>
      {base.type === 'supervisor' ? (
        <Term name="Workers">
          <Workers workers={base.workers} />
        </Term>
      ) : null}
      <Term name="Tools">
        {base.tools.length === 0 ? 'none' : null}
        <ToolNames tools={base.tools} />
      </Term>
      {base.approve.length > 0 ? (
        <Term name="Tools that need approval">
          <ToolNames tools={base.approve} />
        </Term>
      ) : null}
      {base.httpHosts.length > 0 ? (
        <Term name="Allowed hosts for http_get">
          <ToolNames tools={base.httpHosts} />
        </Term>
      ) : null}
    </>
  );
}

function Workers({ workers }: { workers: Extract<AgentBase, { type: 'supervisor' }>['workers'] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {workers.map(({ name, description, instructions, provider, model, tools, maxSteps }) => (
        <li key={name} className="wrap-anywhere">
          <b className="font-medium font-mono text-[0.94em]">{name}</b>, up to {formatNumberOf(maxSteps, 'turn')}
          {provider === null ? '' : `, ${provider} / ${model}`}
          {tools.length === 0 ? (
            ', without tools'
          ) : (
            <>
              , with <ToolNames tools={tools} />
            </>
          )}
          {description === '' ? null : <span className="text-ink-2"> – {description}</span>}
          {instructions === '' ? null : (
            <details>
              <summary className="cursor-pointer text-ink-2 text-sm">Instructions</summary>
              <CodeBlock className="mt-1">{instructions}</CodeBlock>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function ToolNames({ tools }: { tools: readonly string[] }) {
  return tools.map((tool, index) => (
    <span key={tool}>
      {index > 0 ? ', ' : ''}
      <code className="wrap-anywhere">{tool}</code>
    </span>
  ));
}

/** Shows the tuning settings as entries of the settings list. */
function TuneSettings({ settings: { prompts, tune } }: { settings: ExperimentSettings }) {
  const { models, temperatures } = tune.parameters;
  return (
    <>
      <Term name="Prompt to tune">
        {tune.prompt ? (
          <p>
            v{tune.prompt.version} of <TextLink href={promptPath(tune.prompt.name)}>{tune.prompt.name}</TextLink>
          </p>
        ) : null}
        <CodeBlock>{prompts.generate}</CodeBlock>
      </Term>
      <Term name="Cases">
        {formatPercent(tune.heldOutShare)} held out, {formatPercent(tune.validationShare)} of the rest for validation,
        seed {tune.seed}
        {tune.weightKey === null ? null : `, weighed by metadata.${tune.weightKey}`}
      </Term>
      <Term name="Strategy">{STRATEGY_LABELS[tune.strategy].label}</Term>
      {models.length + temperatures.length === 0 ? null : (
        <Term name="Parameter search">
          {formatList([...models.map(modelId), ...temperatures.map((one) => `temperature ${one}`)])}
        </Term>
      )}
      <Term name="Proposals">
        {tune.minibatchSize} cases per proposal ({MINIBATCH_LABELS[tune.minibatches]}),{' '}
        {tune.feedback ? 'with evaluator feedback' : 'without evaluator feedback'},{' '}
        {tune.references ? 'with training references' : 'without references'}, at most{' '}
        {formatCount(tune.maxPromptTokens)} tokens
      </Term>
      <Term name="Next proposal starts from">{SELECTION_LABELS[tune.selection]}</Term>
      <Term name="Validated if">{ACCEPTANCE_LABELS[tune.acceptance]} on the cases of the proposal</Term>
    </>
  );
}
