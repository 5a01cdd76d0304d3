'use client';

import { MayTextLink } from '#components/access/may-link.tsx';
import { BASE_TYPES, type BaseSettings, usedTools } from '#lib/core/agents/base-settings.ts';
import type { ProviderChoice } from './model-choice.tsx';
import { LinesField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';
import { ToolChecks } from './tool-checks.tsx';
import type { ToolChoice } from './tool-choice.ts';
import { WorkersEditor } from './workers-editor.tsx';

type BaseFieldsProps = { providers: readonly ProviderChoice[]; tools: readonly ToolChoice[] };

/** How an attempt is made: by one call, by an agent with tools, or by a supervisor with workers. */
export function BaseFields({ providers, tools }: BaseFieldsProps) {
  const { settings, set } = useSettingsForm();
  const { base } = settings.generator;
  const isRetry = settings.mode === 'retry';
  const used = usedTools(base);
  const who = base.type === 'supervisor' ? 'supervisor' : 'agent';
  return (
    <>
      <SelectField
        path="generator.base.type"
        also="generator.base"
        label={isRetry ? 'An attempt is' : 'The first draft is'}
        help={BASE_MEANING[base.type]}
        options={BASE_TYPES}
        labelOf={(type) => BASE_LABELS[type]}
      />
      {base.type === 'single' ? null : (
        <>
          {base.type === 'supervisor' ? <WorkersEditor providers={providers} tools={tools} /> : null}
          <ToolChecks
            label={`Tools of the ${who}`}
            help={
              <>
                A use that is under way when Hone is killed may happen a second time: give away only what can be
                repeated. An owner adds tools of MCP servers under{' '}
                <MayTextLink needs="owner" href="/settings">
                  Settings
                </MayTextLink>
                .
              </>
            }
            offered={tools}
            path="generator.base.tools"
            chosen={base.tools}
            onChange={(chosen) => set('generator.base.tools', chosen)}
          />
          {used.length === 0 ? null : (
            <ToolChecks
              brief
              label="A person is asked before each use of"
              help="None by default. The run waits in the inbox; what is not allowed the agent is told, with the reason. Without an answer in time it is not used, or the run is stopped, as “People and budget” says."
              offered={used.map((name) => ({ name, description: '', server: null }))}
              path="generator.base.approve"
              chosen={base.approve.filter((name) => used.includes(name))}
              onChange={(approve) => set('generator.base.approve', approve)}
            />
          )}
          {used.includes('http_get') || base.httpHosts.length > 0 ? (
            <LinesField
              path="generator.base.httpHosts"
              label="Hosts that http_get may ask"
              help="One a line: example.org, or *.example.org for all below it. No other host is asked."
            />
          ) : null}
          <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
            <NumberField
              path="generator.base.maxSteps"
              label="Turns at most"
              help="1 to 200, default 10; each is one call"
            />
            <NumberField
              path="generator.base.stallAfter"
              label="Stalled after"
              help="2 to 20, default 3: so many times running the very same calls"
            />
          </div>
          <p className="text-ink-2 text-sm">
            An {isRetry ? 'attempt' : 'agent'} that comes to no answer is cut off: it is kept, but neither scored nor
            reflected on.{' '}
            {isRetry
              ? 'The next attempt follows, without a lesson from it.'
              : 'The run then ends, and can be resumed. Revisions are single calls.'}
          </p>
        </>
      )}
    </>
  );
}

const BASE_LABELS: Record<BaseSettings['type'], string> = {
  single: 'one call',
  react: 'an agent: thinks and uses tools, turn by turn',
  supervisor: 'a supervisor: gives tasks to workers of your own',
};

const BASE_MEANING: Record<BaseSettings['type'], string> = {
  single: 'Default. The model answers at once',
  react: 'Each turn is a thought and either tools to use or the answer (ReAct). The instructions are the agent’s',
  supervisor: 'An agent whose tasks are done by named workers, side by side where it gives several at once',
};
