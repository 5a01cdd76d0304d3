import { MODEL_ROLES } from '#lib/core/settings.ts';
import { formatList, formatNumberOf, formatTitle } from '#lib/format.ts';
import { toolsOfDraft } from './base-draft.ts';
import type { ExperimentDraft } from './experiment-draft.ts';
import type { FormPart } from './form-part.ts';
import { stopsLabel } from './stop-settings.ts';

/** What a folded part of the form says. */
export function summaryOf(part: FormPart, draft: ExperimentDraft): string {
  switch (part) {
    case 'tuning': {
      const from =
        draft.tunePrompt === null ? 'a prompt of its own' : `${draft.tunePrompt.name} v${draft.tunePrompt.version}`;
      return `${from}, ${draft.minibatchSize || '?'} cases a proposal, ${draft.heldOutShare || '?'} held out${draft.tuneFeedback ? '' : ', without feedback'}${draft.tuneReferences ? '' : ', without references'}`;
    }
    case 'task':
      return [formatTitle(draft.instructions, 80) || 'no instructions', draft.model].filter(Boolean).join(' · ');
    case 'base':
      return baseSummary(draft);
    case 'prompts': {
      const roles = draft.mode === 'tune' ? (['evaluate'] as const) : MODEL_ROLES;
      const own = roles.filter((role) => draft.prompts[role].trim() !== '');
      if (draft.mode === 'tune') return own.length === 0 ? 'Hone’s own for the judge' : 'own for the judge';
      return own.length === 0 ? 'Hone’s own for every role' : `own for ${own.join(', ')}`;
    }
    case 'criteria':
      return `${formatNumberOf(draft.criteria.length, 'criterion', 'criteria')}, weights ${draft.criteria.map(({ weight }) => weight || '?').join(' ')}, good from ${draft.qualityThreshold}`;
    case 'loop':
      return loopLabel(draft.mode, draft.maxAttempts, draft.maxIterations);
    case 'reflection': {
      const extra = [
        draft.onQualityDrop && 'drops',
        draft.onError && 'unusable answers',
        draft.base.type !== 'single' && draft.onTools.length > 0 && `results of ${draft.onTools.join(', ')}`,
      ].filter((one) => one !== false);
      return [
        draft.mode === 'retry' ? 'lessons of failed attempts' : STRATEGY_LABELS[draft.strategy],
        extra.length > 0 ? `reflects on ${formatList(extra)} too` : '',
        draft.base.type !== 'single' &&
          draft.stepInterval.trim() !== '' &&
          `reflects every ${draft.stepInterval} turns`,
      ]
        .filter(Boolean)
        .join('; ');
    }
    case 'lessons': {
      const most = draft.lessonStore === 'recall' ? `, up to ${draft.lessonTopK || '?'}` : '';
      const pinned = draft.pinnedLessons.filter((id) => id.trim() !== '').length;
      return [
        `recalls ${STORE_LABELS[draft.lessonStore]}${most}`,
        pinned > 0 && `${pinned} always given`,
        `what it learns is ${WRITE_LABELS[draft.lessonWrite]}`,
        draft.reflectOnEnd && 'reflects at its end',
        draft.alwaysReflect && 'always reflects on failed and partial runs',
        draft.lookBackEvery.trim() !== '' && `looks back every ${draft.lookBackEvery} runs`,
      ]
        .filter(Boolean)
        .join('; ');
    }
    case 'stops':
      return draft.earlyStops ? stopsLabel(draft.mode, draft.stops) : 'only when it is good or the cap is reached';
    case 'people': {
      const limits = [
        draft.maxCostUsd && `$${draft.maxCostUsd}`,
        draft.maxCalls && `${draft.maxCalls} calls`,
        draft.maxTokens && `${draft.maxTokens} tokens`,
        draft.maxSeconds && `${draft.maxSeconds} s`,
        draft.maxExperimentCostUsd && `$${draft.maxExperimentCostUsd} over all runs`,
        draft.maxExperimentTokens && `${draft.maxExperimentTokens} tokens over all runs`,
      ].filter(Boolean);
      const waits = draft.timeoutSeconds.trim() === '' ? '' : `, waits ${draft.timeoutSeconds} s`;
      const escalates = draft.mode === 'retry' && draft.escalate ? ', unsolved runs come to a person' : '';
      const webhook = draft.decidingWebhook === '' ? '' : `, beside the webhook ${draft.decidingWebhook}`;
      const looks = reviewLabel(draft.mode, { drafts: draft.reviewDrafts, revisions: draft.reviewRevisions });
      return `${pauseLabel(draft.pause, draft.mode)}${looks === null ? '' : `, shows ${looks}`}${webhook}${escalates}${waits}; ${limits.length > 0 ? limits.join(', ') : 'no budget'}`;
    }
  }
}

function baseSummary({ base }: ExperimentDraft): string {
  if (base.type === 'single') return 'one call';
  const tools = toolsOfDraft(base);
  const asks = base.approve.filter((name) => tools.includes(name));
  const names = base.workers.map(({ name }) => name.trim() || '?').join(', ');
  return [
    base.type === 'react' ? 'an agent' : `a supervisor of ${names || 'nobody yet'}`,
    tools.length === 0 ? 'without tools' : `with ${tools.join(', ')}`,
    asks.length > 0 && `asks before ${asks.join(', ')}`,
    `up to ${base.maxSteps || '?'} turns`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** How a loop goes on, and up to where: `revise, up to 3 revisions`. */
export function loopLabel(
  mode: ExperimentDraft['mode'],
  maxAttempts: string | number,
  maxIterations: string | number,
): string {
  switch (mode) {
    case 'retry':
      return `retry, up to ${maxAttempts} attempts`;
    case 'revise':
      return `revise, up to ${maxIterations} revisions`;
    case 'tune':
      return `tune, up to ${maxIterations} proposals`;
  }
}

/** What is looked at before it is judged: `first drafts and revisions before they are judged`; null where nothing is. */
export function reviewLabel(
  mode: string,
  { drafts, revisions }: { drafts: boolean; revisions: boolean },
): string | null {
  if (mode === 'tune') return revisions ? 'proposals before they are tried' : null;
  const parts = mode === 'retry' ? [drafts && 'attempts'] : [drafts && 'first drafts', revisions && 'revisions'];
  const named = parts.filter((part) => part !== false);
  return named.length === 0 ? null : `${formatList(named)} before they are judged`;
}

/** When a person is asked. */
export function pauseLabel(rule: ExperimentDraft['pause'], mode: string): string {
  if (mode === 'tune' && rule === 'before_revision') return 'asks before each proposal';
  if (mode === 'tune' && rule === 'always') return 'asks after each proposal';
  return PAUSE_LABELS[rule];
}

const PAUSE_LABELS: Record<ExperimentDraft['pause'], string> = {
  never: 'never asks',
  before_revision: 'asks before each revision',
  on_quality_drop: 'asks when the score drops',
  before_finish: 'asks before finishing',
  always: 'asks after each version',
};

export const TIMEOUT_LABELS: Record<ExperimentDraft['onTimeout'], string> = {
  auto: 'the rules decide',
  stop: 'the run is stopped',
};

export const STRATEGY_LABELS: Record<ExperimentDraft['strategy'], string> = {
  full_rewrite: 'a whole new text',
  targeted_edit: 'exact edits',
  incremental: 'sections added or mended',
  hybrid: 'whichever fits the issues',
};

export const STORE_LABELS: Record<ExperimentDraft['lessonStore'], string> = {
  recall: 'those that fit best',
  block: 'all of its block',
  none: 'none',
};

export const WRITE_LABELS: Record<ExperimentDraft['lessonWrite'], string> = {
  learn: 'stored',
  stage: 'staged for review',
  off: 'not written',
};
