'use client';

import { useRef } from 'react';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { FieldGrid } from '#components/ui/field.tsx';
import { usedTools } from '#lib/core/agents/tool-calls.ts';
import { REVISION_STRATEGIES, STRATEGY_DEFINITIONS } from '#lib/core/revision/strategy.ts';
import { BEST_VERSION_RULES, MODES } from '#lib/core/setting-choices.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { DEFAULT_CONVERGENCE } from '#lib/core/stop-reasons.ts';
import { NOT_TUNED } from './base-fields.tsx';
import { CheckField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';
import { stopFieldsOf } from './stop-settings.ts';
import { ToolChecks } from './tool-checks.tsx';

/** Selects how the loop continues from one version to the next. */
export function LoopFields() {
  const { mode, generator } = useSettingsForm().settings;
  return (
    <>
      <FieldGrid>
        <SelectField
          path="mode"
          label="Mode"
          help={mode === 'tune' && generator.base.type === 'supervisor' ? NOT_TUNED : undefined}
          options={MODES}
          labelOf={(one) => MODE_LABELS[one]}
        />
        {mode === 'retry' ? (
          <NumberField path="maxAttempts" label="Maximum attempts" help="1 to 50, default 3" />
        ) : (
          <NumberField
            path="maxIterations"
            label={mode === 'tune' ? 'Maximum proposals' : 'Maximum revisions'}
            help="0 to 50, default 3"
          />
        )}
        <SelectField
          path="bestVersion"
          label="Best version"
          options={BEST_VERSION_RULES}
          labelOf={(rule) => BEST_LABELS[rule]}
        />
      </FieldGrid>
      <CheckField
        path="preserveAllVersions"
        label="Keep the text of every version"
        help="Default: on. If off, only the first, best, final and accepted versions keep their text after the run ends."
      />
    </>
  );
}

const MODE_LABELS: Record<ExperimentSettings['mode'], string> = {
  revise: 'revise: improve the same text',
  retry: 'retry: start again, with lessons from failed attempts',
  tune: 'tune: improve a prompt with the cases it fails on',
};

const BEST_LABELS: Record<ExperimentSettings['bestVersion'], string> = {
  highest_score: 'highest score',
  latest: 'latest',
  first_satisfactory: 'first that passes the threshold',
  weighted_recency: 'highest score, with a bonus for later versions',
};

/** Edits the conditions for an early stop. */
export function StopFields() {
  const { settings, set } = useSettingsForm();
  const { mode, convergence } = settings;
  const last = useRef(convergence ?? DEFAULT_CONVERGENCE);
  const fields = stopFieldsOf(mode);
  function turn(isOn: boolean) {
    // Restore the last values when early stops are enabled again.
    last.current = convergence ?? last.current;
    set('convergence', isOn ? last.current : null);
  }
  return (
    <>
      <CheckboxField
        label="Stop early without improvement"
        help={
          mode === 'revise'
            ? 'If off, a run ends when it passes, at a cap or budget, or when the same issues return three times without a better score.'
            : 'If off, a run ends only when it passes, or at a cap or budget.'
        }
        path="convergence"
        checked={convergence !== null}
        onChange={({ target }) => turn(target.checked)}
      />
      {convergence === null ? null : (
        <>
          <FieldGrid>
            {fields.map(({ name, label, help }) =>
              isSwitch(name) ? null : (
                <NumberField key={name} path={`convergence.${name}`} label={label(mode)} help={help} />
              ),
            )}
          </FieldGrid>
          {fields.map(({ name, label }) =>
            isSwitch(name) ? <CheckField key={name} path={`convergence.${name}`} label={label(mode)} /> : null,
          )}
        </>
      )}
    </>
  );
}

type Stops = typeof DEFAULT_CONVERGENCE;
type Switch = { [Name in keyof Stops]: Stops[Name] extends boolean ? Name : never }[keyof Stops];

function isSwitch(name: keyof Stops): name is Switch {
  return typeof DEFAULT_CONVERGENCE[name] === 'boolean';
}

/** Edits what a critique covers and how a revision uses it. */
export function ReflectionFields() {
  const { mode, revision, generator } = useSettingsForm().settings;
  const isRevise = mode !== 'retry';
  return (
    <>
      <FieldGrid>
        {isRevise ? (
          <>
            <SelectField
              path="revision.strategy"
              label="Revision strategy"
              help={STRATEGY_DEFINITIONS[revision.strategy].help}
              options={REVISION_STRATEGIES}
              labelOf={(strategy) => STRATEGY_DEFINITIONS[strategy].label}
            />
            <NumberField
              path="revision.maxTokens"
              label="Maximum revision length (tokens)"
              help="1 to 1,000,000. Empty: the limit of drafts, if any."
            />
          </>
        ) : null}
        <NumberField
          path="triggers.qualityDropThreshold"
          label="Quality drop"
          help="0 to 1, default 0.1. A version counts as a drop if it scores lower than its parent by more than this."
        />
      </FieldGrid>
      {isRevise ? (
        <>
          <CheckField
            path="structuredReflection"
            label="Use structured output for scores and critiques"
            help="Default: on. If off, Hone reads the scores from the judge’s plain text."
          />
          <CheckField
            path="revision.includeReflectionHistory"
            label="Include earlier critiques in revision prompts"
            help="Default: on. Adds the issues and suggestions of earlier versions, latest first."
          />
          <CheckField
            path="revision.includePriorVersions"
            label="Include earlier versions in revision prompts"
            help="Default: off. Makes prompts longer, but helps if revisions lose good parts."
          />
        </>
      ) : null}
      <CheckField
        path="triggers.onQualityDrop"
        label="Reflect on every quality drop"
        help="Default: off. After a drop, one more call finds the reason, and the next prompt includes it."
      />
      <CheckField
        path="triggers.onError"
        label="Reflect on unusable responses"
        help="Default: off. After a refusal, an empty or an unreadable response, Hone reflects and retries once before the run fails."
      />
      {generator.base.type === 'single' ? null : <AgentTriggers />}
    </>
  );
}

/** Edits when a working agent is critiqued. The critique is added to its next turn. */
function AgentTriggers() {
  const { settings, set } = useSettingsForm();
  const used = usedTools(settings.generator.base);
  return (
    <>
      <FieldGrid>
        <NumberField
          path="triggers.stepInterval"
          label="Reflect every (turns)"
          help="1 to 100. Default: empty, never. Each reflection takes one more call, and the agent sees it before its next turn."
        />
      </FieldGrid>
      {used.length === 0 ? null : (
        <ToolChecks
          brief
          label="Reflect after results of"
          help="Default: none. Each reflection takes one more call, and the agent sees it before its next turn."
          offered={used.map((name) => ({ name, description: '', server: null }))}
          path="triggers.onTools"
          chosen={settings.triggers.onTools.filter((name) => used.includes(name))}
          onChange={(onTools) => set('triggers.onTools', onTools)}
        />
      )}
    </>
  );
}
