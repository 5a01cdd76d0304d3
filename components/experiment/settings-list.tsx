import Link from 'next/link';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { DescriptionList } from '#components/ui/description-list.tsx';
import type { AgentBase, BaseSettings } from '#lib/core/agents/base-settings.ts';
import { type Criterion, criterionDefinition } from '#lib/core/criterion.ts';
import { STRATEGY_DEFINITIONS } from '#lib/core/revision/strategy.ts';
import { type ExperimentSettings, modelFor, temperatureFor } from '#lib/core/settings.ts';
import { formatCount, formatDuration, formatMoney, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import { promptPath } from '#lib/prompts/prompt-path.ts';
import { isScoredElsewhere } from '#lib/runs/schema.ts';
import {
  ACCEPTANCE_LABELS,
  loopLabel,
  pauseLabel,
  reviewLabel,
  SELECTION_LABELS,
  TIMEOUT_LABELS,
} from './form-summary.ts';
import { stopsLabel } from './stop-settings.ts';

/** The settings of one version, to be read. */
export function SettingsList({ settings }: { settings: ExperimentSettings }) {
  const { generator, convergence, budget, evaluation } = settings;
  const looks = reviewLabel(settings.mode, settings.callbacks.review);
  const isTuning = settings.mode === 'tune';
  const own = Object.entries(settings.prompts).filter(
    ([role, text]) => text !== null && !(isTuning && role === 'generate'),
  );
  return (
    <DescriptionList>
      <dt>Mode</dt>
      <dd>{loopLabel(settings.mode, settings.maxAttempts, settings.maxIterations)}</dd>
      {isTuning ? <TuneSettings settings={settings} /> : null}
      <dt>Instructions</dt>
      <dd className="wrap-anywhere whitespace-pre-wrap">
        {generator.instructions || <span className="text-ink-3">none</span>}
      </dd>
      <dt>Models</dt>
      <dd>
        {nameOf(settings, 'generate')} drafts, {nameOf(settings, 'evaluate')} judges, {nameOf(settings, 'reflect')}{' '}
        reflects
        {settings.embeddingModel
          ? `, ${settings.embeddingModel.provider} / ${settings.embeddingModel.model} embeds`
          : ''}
      </dd>
      <BaseTerms base={generator.base} />
      <dt>Temperature</dt>
      <dd>{temperatureLabel(settings)}</dd>
      <dt>Criteria</dt>
      <dd>
        <ul className="flex flex-col gap-1.5">
          {settings.criteria.map((criterion) => (
            <li key={criterion.name}>
              <b className="font-medium">{criterion.name}</b> ×{criterion.weight},{' '}
              {criterion.threshold === null ? null : `at least ${formatScore(criterion.threshold)}, `}
              {evaluatorLabel(criterion)}
              {criterion.description ? <span className="text-ink-2"> – {criterion.description}</span> : null}
              <CriterionCode criterion={criterion} />
            </li>
          ))}
        </ul>
      </dd>
      {evaluation.confidence.below === null ? null : (
        <>
          <dt>Judge confidence</dt>
          <dd>
            below {formatScore(evaluation.confidence.below)}: {CONFIDENCE_TERMS[evaluation.confidence.action]}
          </dd>
        </>
      )}
      <dt>Good from</dt>
      <dd>
        {formatScore(settings.qualityThreshold)} overall
        {settings.criteria.some(({ threshold }) => threshold !== null) ? ', and no criterion below its own' : null}
      </dd>
      {isTuning ? null : (
        <>
          <dt>Reflects</dt>
          <dd>{reflectionLabel(settings)}</dd>
        </>
      )}
      <dt>Stops early</dt>
      <dd>
        {convergence === null
          ? settings.mode === 'revise'
            ? 'only if the same issues come back three times without a better score'
            : 'no'
          : stopsLabel(settings.mode, convergence)}
      </dd>
      <dt>Best version</dt>
      <dd>{settings.bestVersion.replaceAll('_', ' ')}</dd>
      <dt>Keeps</dt>
      <dd>
        {settings.preserveAllVersions
          ? 'the text of every version'
          : 'the texts of the first, best, final and accepted versions'}
      </dd>
      {isTuning ? null : (
        <>
          <dt>Lessons</dt>
          <dd>{lessonLabel(settings)}</dd>
        </>
      )}
      <dt>A person</dt>
      <dd>
        {pauseLabel(settings.callbacks.pause, settings.mode)
          .replace('asks', 'is asked')
          .replace('never is', 'is never')}
        {looks === null ? '' : `, and looks at ${looks}`}
        {settings.mode === 'retry' && settings.callbacks.escalate ? ', and gets what was not solved' : ''}
      </dd>
      {settings.callbacks.webhook === null ? null : (
        <>
          <dt>A webhook</dt>
          <dd>{settings.callbacks.webhook} is asked beside the people, and the first answer decides</dd>
        </>
      )}
      <dt>Without an answer</dt>
      <dd>
        {settings.callbacks.timeoutSeconds === null
          ? 'a run stays paused'
          : `${TIMEOUT_LABELS[settings.callbacks.onTimeout]} after ${formatDuration(settings.callbacks.timeoutSeconds * 1000)}`}
      </dd>
      <dt>Budget a run</dt>
      <dd>
        {[
          budget.maxCalls !== null && formatNumberOf(budget.maxCalls, 'call'),
          budget.maxCostUsd !== null && formatMoney(budget.maxCostUsd),
          budget.maxTokens !== null && `${budget.maxTokens} tokens`,
          budget.maxSeconds !== null && `${budget.maxSeconds} s`,
        ]
          .filter(Boolean)
          .join(', ') || 'none'}
      </dd>
      <dt>Budget of all runs</dt>
      <dd>
        {[
          budget.maxExperimentCostUsd !== null && formatMoney(budget.maxExperimentCostUsd),
          budget.maxExperimentTokens !== null && `${budget.maxExperimentTokens} tokens`,
        ]
          .filter(Boolean)
          .join(', ') || 'none'}
      </dd>
      {own.map(([role, text]) => (
        <div key={role} className="contents">
          <dt>Prompt: {role}</dt>
          <dd>
            <CodeBlock>{text}</CodeBlock>
          </dd>
        </div>
      ))}
    </DescriptionList>
  );
}

function CriterionCode({ criterion }: { criterion: Criterion }) {
  const code = criterionDefinition(criterion.evaluator).longText?.(criterion.config) ?? null;
  if (code === null) return null;
  return (
    <details>
      <summary className="cursor-pointer text-ink-2 text-sm">What it goes by</summary>
      <CodeBlock className="mt-1">{code}</CodeBlock>
    </details>
  );
}

function lessonLabel({ mode, lessons }: ExperimentSettings): string {
  const { store, block, topK, tokenBudget, embeddings, pinned, write, check } = lessons;
  const written = {
    learn: `${mode === 'retry' ? 'of failed attempts are kept' : 'are kept'} in the block ${block}`,
    stage: 'are only stored for review',
    off: 'are not written',
  };
  const within = `within about ${tokenBudget} tokens`;
  const recalled = {
    none: 'none are recalled',
    block: `all promoted ones of the block ${block} are recalled, ${within}`,
    recall: `up to ${topK} that fit are recalled, ${within}`,
  };
  return [
    mode === 'retry' || lessons.reflectOnEnd || lessons.alwaysReflect ? written[write] : 'are not written in this mode',
    recalled[store],
    store === 'recall' && embeddings !== null && `by meaning too (${embeddings.provider} / ${embeddings.model})`,
    pinned.length > 0 && `${pinned.length} always given`,
    check !== null && `new ones are checked by ${check.provider} / ${check.model}`,
    lessons.reflectOnEnd && 'reflects at the end of a run',
    lessons.alwaysReflect && 'always reflects on failed and partial runs',
    lessons.lookBackEvery !== null &&
      `looks back over ${lessons.lookBackRuns} of every ${lessons.lookBackEvery} ended runs`,
    lessons.retentionPerAgent === null ? 'all are kept' : `${lessons.retentionPerAgent} of an agent are kept`,
    `agent ${lessons.agent}`,
    store !== 'none' && lessons.recallAgents === 'all' && 'lessons of every agent are recalled',
  ]
    .filter(Boolean)
    .join(', ');
}

function reflectionLabel({ mode, revision, triggers, structuredReflection }: ExperimentSettings): string {
  const revises = [
    `revises by ${STRATEGY_DEFINITIONS[revision.strategy].label}`,
    revision.includeReflectionHistory ? 'with the earlier critiques' : 'without the earlier critiques',
    revision.includePriorVersions && 'with the earlier versions',
    revision.maxTokens !== null && `up to ${revision.maxTokens} tokens`,
    !structuredReflection && 'scores and critiques in plain text',
  ];
  return [
    ...(mode === 'retry' ? [] : revises),
    triggers.onQualityDrop && 'reflects on every drop',
    triggers.onError && 'reflects on unusable answers',
    triggers.stepInterval !== null && `reflects every ${formatNumberOf(triggers.stepInterval, 'turn')} of the agent`,
    triggers.onTools.length > 0 && `reflects after results of ${triggers.onTools.join(', ')}`,
    `a drop is more than ${triggers.qualityDropThreshold}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function nameOf(settings: ExperimentSettings, role: 'generate' | 'evaluate' | 'reflect'): string {
  const { provider, model } = modelFor(settings, role);
  return `${provider} / ${model}`;
}

function evaluatorLabel(criterion: Criterion): string {
  if (isScoredElsewhere(criterion)) return 'scored where the runs come from';
  return criterionDefinition(criterion.evaluator).summary(criterion.config);
}

const CONFIDENCE_TERMS: Record<ExperimentSettings['evaluation']['confidence']['action'], string> = {
  rejudge: 'judged once more, the more confident score counts',
  ask: 'a person is asked for the score',
  unscored: 'counts as unscored',
};

/** The temperature of each role that has one; those of workers only where they differ. */
function temperatureLabel(settings: ExperimentSettings): string {
  const { mode, generator, temperatures } = settings;
  const told = [
    { what: mode === 'tune' ? 'answers' : 'drafts', value: generator.temperature },
    { what: 'revisions', value: mode === 'revise' ? temperatureFor(settings, 'revise') : null },
    { what: 'judges', value: temperatureFor(settings, 'evaluate') },
    { what: mode === 'tune' ? 'proposals' : 'critiques', value: temperatureFor(settings, 'reflect') },
    { what: 'lessons', value: mode === 'tune' ? null : temperatureFor(settings, 'lesson') },
    { what: 'workers', value: generator.base.type === 'supervisor' ? temperatures.worker : null },
  ].flatMap(({ what, value }) => (value === null ? [] : [`${value} for ${what}`]));
  return told.length === 0 ? 'not sent' : told.join(', ');
}

/** How an attempt is made, as terms of the list of settings; nothing where it is a single call. */
function BaseTerms({ base }: { base: BaseSettings }) {
  if (base.type === 'single') return null;
  const who = base.type === 'supervisor' ? 'The supervisor' : 'The agent';
  return (
    <>
      <dt>Made by</dt>
      <dd>
        {base.type === 'supervisor' ? `a supervisor of ${formatNumberOf(base.workers.length, 'worker')}` : 'an agent'},
        up to {formatNumberOf(base.maxSteps, 'turn')}, stalled after the very same calls {base.stallAfter} times running
      </dd>
      {base.type === 'supervisor' ? (
        <>
          <dt>Workers</dt>
          <dd>
            <Workers workers={base.workers} />
          </dd>
        </>
      ) : null}
      <dt>Tools</dt>
      <dd>
        {who} {base.tools.length === 0 ? 'has none' : 'has '}
        <ToolNames tools={base.tools} />
        {base.approve.length > 0 ? (
          <>
            ; a person is asked before <ToolNames tools={base.approve} />
          </>
        ) : null}
        {base.httpHosts.length > 0 ? (
          <>
            ; http_get may ask <ToolNames tools={base.httpHosts} />
          </>
        ) : null}
      </dd>
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
              <summary className="cursor-pointer text-ink-2 text-sm">Its instructions</summary>
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

/** The settings of a tuned prompt, as terms of the list of settings. */
function TuneSettings({ settings: { prompts, tune } }: { settings: ExperimentSettings }) {
  return (
    <>
      <dt>Prompt to tune</dt>
      <dd>
        {tune.prompt ? (
          <p>
            v{tune.prompt.version} of{' '}
            <Link className="link" href={promptPath(tune.prompt.name)}>
              {tune.prompt.name}
            </Link>
          </p>
        ) : null}
        <CodeBlock>{prompts.generate}</CodeBlock>
      </dd>
      <dt>Cases</dt>
      <dd>
        {formatPercent(tune.heldOutShare)} held out,{' '}
        {tune.validationShare === 0
          ? 'candidates are chosen by the training cases'
          : `candidates are chosen by ${formatPercent(tune.validationShare)} of the rest`}
        ; tags decide first, seed {tune.seed}
      </dd>
      <dt>Proposals</dt>
      <dd>
        from {tune.minibatchSize} cases each,{' '}
        {tune.feedback ? 'with what evaluators said' : 'without what evaluators said'},{' '}
        {tune.references ? 'with training references' : 'without references'}, at most{' '}
        {formatCount(tune.maxPromptTokens)} tokens
      </dd>
      <dt>The next starts from</dt>
      <dd>{SELECTION_LABELS[tune.selection]}</dd>
      <dt>Validated if it is</dt>
      <dd>{ACCEPTANCE_LABELS[tune.acceptance]}, on its own cases</dd>
    </>
  );
}
