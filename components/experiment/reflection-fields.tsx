'use client';

import { usedTools } from '#lib/core/agents/used-tools.ts';
import { REVISION_STRATEGIES, STRATEGY_DEFINITIONS } from '#lib/core/revision/strategy.ts';
import { CheckField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';
import { ToolChecks } from './tool-checks.tsx';

/** Edits what a critique covers and how a revision uses it. */
export function ReflectionFields() {
  const { mode, revision, generator } = useSettingsForm().settings;
  const isRevise = mode !== 'retry';
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
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
      </div>
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
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <NumberField
          path="triggers.stepInterval"
          label="Reflect every (turns)"
          help="1 to 100. Default: empty, never. Each reflection takes one more call, and the agent sees it before its next turn."
        />
      </div>
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
