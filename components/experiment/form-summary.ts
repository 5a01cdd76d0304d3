import { formatList, formatNumberOf, formatTitle } from '#lib/format.ts';
import { MODEL_ROLES } from '#lib/reflection/settings.ts';
import type { ExperimentDraft } from './experiment-draft.ts';
import type { FormPart } from './form-part.ts';

/** What a folded part of the form says. */
export function summaryOf(part: FormPart, draft: ExperimentDraft): string {
  switch (part) {
    case 'task':
      return [formatTitle(draft.instructions, 80) || 'no instructions', draft.model].filter(Boolean).join(' · ');
    case 'prompts': {
      const own = MODEL_ROLES.filter((role) => draft.prompts[role].trim() !== '');
      return own.length === 0 ? 'Hone’s own for every role' : `own for ${own.join(', ')}`;
    }
    case 'criteria':
      return `${formatNumberOf(draft.criteria.length, 'criterion', 'criteria')}, weights ${draft.criteria.map(({ weight }) => weight || '?').join(' ')}, good from ${draft.qualityThreshold}`;
    case 'loop':
      return draft.mode === 'retry'
        ? `retry, up to ${draft.maxAttempts} attempts`
        : `revise, up to ${draft.maxIterations} revisions`;
    case 'reflection': {
      const extra = [draft.onQualityDrop && 'drops', draft.onError && 'unusable answers'].filter(Boolean);
      return [
        draft.mode === 'retry' ? 'lessons of failed attempts' : STRATEGY_WORDS[draft.strategy],
        extra.length > 0 ? `reflects on ${extra.join(' and ')} too` : '',
      ]
        .filter(Boolean)
        .join('; ');
    }
    case 'lessons': {
      const most = draft.lessonStore === 'recall' ? `, up to ${draft.lessonTopK || '?'}` : '';
      const pinned = draft.pinnedLessons.filter((id) => id.trim() !== '').length;
      return [
        `recalls ${STORE_WORDS[draft.lessonStore]}${most}`,
        pinned > 0 && `${pinned} always given`,
        `what it learns is ${WRITE_WORDS[draft.lessonWrite]}`,
        draft.reflectOnEnd && 'reflects at its end',
      ]
        .filter(Boolean)
        .join('; ');
    }
    case 'stops':
      return draft.earlyStops
        ? [
            `patience ${draft.plateauIterations}`,
            `gain under ${draft.improvementThreshold}`,
            draft.detectOscillation ? 'oscillation' : '',
            draft.detectStability ? 'stability' : '',
          ]
            .filter(Boolean)
            .join(', ')
        : 'only when it is good or the cap is reached';
    case 'people': {
      const limits = [
        draft.maxCostUsd && `$${draft.maxCostUsd}`,
        draft.maxTokens && `${draft.maxTokens} tokens`,
        draft.maxSeconds && `${draft.maxSeconds} s`,
      ].filter(Boolean);
      const waits = draft.timeoutSeconds.trim() === '' ? '' : `, waits ${draft.timeoutSeconds} s`;
      const escalates = draft.mode === 'retry' && draft.escalate ? ', unsolved runs come to a person' : '';
      const webhook = draft.decidingWebhook === '' ? '' : `, beside the webhook ${draft.decidingWebhook}`;
      const looks = reviewWords(draft.mode, { drafts: draft.reviewDrafts, revisions: draft.reviewRevisions });
      return `${PAUSE_WORDS[draft.pause]}${looks === null ? '' : `, shows ${looks}`}${webhook}${escalates}${waits}; ${limits.length > 0 ? limits.join(', ') : 'no budget'}`;
    }
  }
}

/** What is looked at before it is judged: `first drafts and revisions before they are judged`; null where nothing is. */
export function reviewWords(
  mode: string,
  { drafts, revisions }: { drafts: boolean; revisions: boolean },
): string | null {
  const parts = mode === 'retry' ? [drafts && 'attempts'] : [drafts && 'first drafts', revisions && 'revisions'];
  const named = parts.filter((part) => part !== false);
  return named.length === 0 ? null : `${formatList(named)} before they are judged`;
}

export const PAUSE_WORDS: Record<ExperimentDraft['pause'], string> = {
  never: 'never asks',
  before_revision: 'asks before each revision',
  on_quality_drop: 'asks when the score drops',
  before_finish: 'asks before finishing',
  always: 'asks after each version',
};

export const TIMEOUT_WORDS: Record<ExperimentDraft['onTimeout'], string> = {
  auto: 'the rules decide',
  stop: 'the run is stopped',
};

export const STRATEGY_WORDS: Record<ExperimentDraft['strategy'], string> = {
  full_rewrite: 'a whole new text',
  targeted_edit: 'exact edits',
  incremental: 'sections added or mended',
  hybrid: 'whichever fits the issues',
};

export const STORE_WORDS: Record<ExperimentDraft['lessonStore'], string> = {
  recall: 'those that fit best',
  block: 'all of its block',
  none: 'none',
};

export const WRITE_WORDS: Record<ExperimentDraft['lessonWrite'], string> = {
  learn: 'stored',
  stage: 'staged for review',
  off: 'not written',
};
