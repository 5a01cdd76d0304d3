'use client';

import { usedTools } from '#lib/core/agents/base-settings.ts';
import { REVISION_STRATEGIES, STRATEGY_DEFINITIONS } from '#lib/core/revision/strategy.ts';
import { CheckField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';
import { ToolChecks } from './tool-checks.tsx';

/** What is reflected on, and how a revision is made of it. */
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
              label="A revision is"
              help={STRATEGY_DEFINITIONS[revision.strategy].help}
              options={REVISION_STRATEGIES}
              labelOf={(strategy) => STRATEGY_DEFINITIONS[strategy].label}
            />
            <NumberField
              path="revision.maxTokens"
              label="Longest revision, tokens"
              help="1 to 1,000,000; empty, the default, for the model’s own limit"
            />
          </>
        ) : null}
        <NumberField
          path="triggers.qualityDropThreshold"
          label="A drop is"
          help="0 to 1, default 0.1: a version worse by more than the one it came from"
        />
      </div>
      {isRevise ? (
        <>
          <CheckField
            path="structuredReflection"
            label="Scores and critique as structured answers"
            help="On by default. Off: the judge answers with score lines and prose, which are read tolerantly"
          />
          <CheckField
            path="revision.includeReflectionHistory"
            label="Earlier critiques stand in the prompt of a revision"
            help="On by default: with the issues and suggestions of earlier versions, the latest first"
          />
          <CheckField
            path="revision.includePriorVersions"
            label="Earlier versions stand in the prompt of a revision"
            help="Off by default: longer prompts, for texts that lose what they had"
          />
        </>
      ) : null}
      <CheckField
        path="triggers.onQualityDrop"
        label="Reflect on every drop"
        help="Off by default. On: when the score drops, one more call asks why, and the next prompt is told"
      />
      <CheckField
        path="triggers.onError"
        label="Reflect on a call that gave nothing to use"
        help="Off by default. On: a refusal, an empty or an unreadable answer is reflected on and tried once more before the run fails"
      />
      {generator.base.type === 'single' ? null : <AgentTriggers />}
    </>
  );
}

/** When an agent is reflected on while it is at work; what comes of it is told to it before its next turn. */
function AgentTriggers() {
  const { settings, set } = useSettingsForm();
  const used = usedTools(settings.generator.base);
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <NumberField
          path="triggers.stepInterval"
          label="Reflect every so many turns"
          help="1 to 100; empty, the default, for never. One more call each time; the agent is told before its next turn"
        />
      </div>
      {used.length === 0 ? null : (
        <ToolChecks
          brief
          label="Reflect after each result of"
          help="None by default. One more call each time; the agent is told before its next turn"
          offered={used.map((name) => ({ name, description: '', server: null }))}
          path="triggers.onTools"
          chosen={settings.triggers.onTools.filter((name) => used.includes(name))}
          onChange={(onTools) => set('triggers.onTools', onTools)}
        />
      )}
    </>
  );
}
