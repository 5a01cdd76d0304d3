'use client';

import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { REVISION_STRATEGIES } from '#lib/core/settings.ts';
import { AgentTriggers } from './agent-triggers.tsx';
import type { FormPartProps } from './form-part-props.ts';
import { STRATEGY_LABELS } from './form-summary.ts';

/** What is reflected on, and how a revision is made of it. */
export function ReflectionFields({ draft, change, errorAt }: FormPartProps) {
  const isRevise = draft.mode !== 'retry';
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {isRevise ? (
          <Field label="A revision is" help={STRATEGY_MEANING[draft.strategy]} error={errorAt('revision.strategy')}>
            <Select
              value={draft.strategy}
              onChange={(event) =>
                change({ strategy: REVISION_STRATEGIES.find((one) => one === event.target.value) ?? draft.strategy })
              }
            >
              {REVISION_STRATEGIES.map((strategy) => (
                <option key={strategy} value={strategy}>
                  {STRATEGY_LABELS[strategy]}
                </option>
              ))}
            </Select>
          </Field>
        ) : null}
        {isRevise ? (
          <Field
            label="Longest revision, tokens"
            help="1 to 1,000,000; empty, the default, for the model’s own limit"
            error={errorAt('revision.maxTokens')}
          >
            <Input
              numeric
              value={draft.maxOutputTokens}
              onChange={(event) => change({ maxOutputTokens: event.target.value })}
            />
          </Field>
        ) : null}
        <Field
          label="A drop is"
          help="0 to 1, default 0.1: a version worse by more than the one it came from"
          error={errorAt('triggers.qualityDropThreshold')}
        >
          <Input
            numeric
            value={draft.qualityDropThreshold}
            onChange={(event) => change({ qualityDropThreshold: event.target.value })}
          />
        </Field>
      </div>
      {isRevise ? (
        <>
          <CheckboxField
            label="Scores and critique as structured answers"
            help="On by default. Off: the judge answers with score lines and prose, which are read tolerantly"
            checked={draft.structuredReflection}
            onChange={(event) => change({ structuredReflection: event.target.checked })}
          />
          <CheckboxField
            label="Earlier critiques stand in the prompt of a revision"
            help="On by default: with the issues and suggestions of earlier versions, the latest first"
            checked={draft.includeReflectionHistory}
            onChange={(event) => change({ includeReflectionHistory: event.target.checked })}
          />
          <CheckboxField
            label="Earlier versions stand in the prompt of a revision"
            help="Off by default: longer prompts, for texts that lose what they had"
            checked={draft.includePriorVersions}
            onChange={(event) => change({ includePriorVersions: event.target.checked })}
          />
        </>
      ) : null}
      <CheckboxField
        label="Reflect on every drop"
        help="Off by default. On: when the score drops, one more call asks why, and the next prompt is told"
        checked={draft.onQualityDrop}
        onChange={(event) => change({ onQualityDrop: event.target.checked })}
      />
      <CheckboxField
        label="Reflect on a call that gave nothing to use"
        help="Off by default. On: a refusal, an empty or an unreadable answer is reflected on and tried once more before the run fails"
        checked={draft.onError}
        onChange={(event) => change({ onError: event.target.checked })}
      />
      {draft.base.type === 'single' ? null : <AgentTriggers draft={draft} change={change} errorAt={errorAt} />}
    </>
  );
}

const STRATEGY_MEANING: Record<(typeof REVISION_STRATEGIES)[number], string> = {
  full_rewrite: 'The model answers with the whole new text',
  targeted_edit: 'The model names exact places and what stands there instead; all else stays byte for byte',
  incremental: 'The model adds or mends sections; the others stay as they are',
  hybrid: 'Default: few small issues are edited in place, missing parts are added, all else is rewritten',
};
