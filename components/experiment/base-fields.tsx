'use client';

import { MayTextLink } from '#components/access/may-link.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { BASE_TYPES } from '#lib/core/agents/base-settings.ts';
import { type BaseDraft, toolsOfDraft } from './base-draft.ts';
import { linesOf } from './draft-entries.ts';
import type { FormPartProps } from './form-part-props.ts';
import type { ProviderChoice } from './model-choice.tsx';
import { ToolChecks } from './tool-checks.tsx';
import type { ToolChoice } from './tool-choice.ts';
import { WorkersEditor } from './workers-editor.tsx';

type BaseFieldsProps = FormPartProps & { providers: readonly ProviderChoice[]; tools: readonly ToolChoice[] };

/** How an attempt is made: by one call, by an agent with tools, or by a supervisor with workers. */
export function BaseFields({ draft, change, errorAt, providers, tools }: BaseFieldsProps) {
  const { base } = draft;
  const changeBase = (changes: Partial<BaseDraft>) => change({ base: { ...base, ...changes } });
  const errorIn = (field: string) => errorAt(`generator.base.${field}`);
  const used = toolsOfDraft(base);
  const who = base.type === 'supervisor' ? 'supervisor' : 'agent';
  return (
    <>
      <Field
        label={draft.mode === 'retry' ? 'An attempt is' : 'The first draft is'}
        help={BASE_MEANING[base.type]}
        error={errorIn('type') ?? errorAt('generator.base')}
      >
        <Select
          value={base.type}
          onChange={({ target }) => changeBase({ type: BASE_TYPES.find((type) => type === target.value) ?? base.type })}
        >
          {BASE_TYPES.map((type) => (
            <option key={type} value={type}>
              {BASE_LABELS[type]}
            </option>
          ))}
        </Select>
      </Field>
      {base.type === 'single' ? null : (
        <>
          {base.type === 'supervisor' ? (
            <WorkersEditor
              workers={base.workers}
              providers={providers}
              tools={tools}
              errorAt={errorIn}
              onChange={(workers) => changeBase({ workers })}
            />
          ) : null}
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
            chosen={base.tools}
            error={errorIn('tools')}
            errorOf={(index) => errorIn(`tools.${index}`)}
            onChange={(chosen) => changeBase({ tools: chosen })}
          />
          {used.length === 0 ? null : (
            <ToolChecks
              brief
              label="A person is asked before each use of"
              help="None by default. The run waits in the inbox; what is not allowed the agent is told, with the reason. Without an answer in time it is not used, or the run is stopped, as “People and budget” says."
              offered={used.map((name) => ({ name, description: '', server: null }))}
              chosen={base.approve.filter((name) => used.includes(name))}
              error={errorIn('approve')}
              errorOf={(index) => errorIn(`approve.${index}`)}
              onChange={(approve) => changeBase({ approve })}
            />
          )}
          {used.includes('http_get') || base.httpHosts !== '' ? (
            <Field
              label="Hosts that http_get may ask"
              help="One a line: example.org, or *.example.org for all below it. No other host is asked."
              error={hostsError(base, errorIn)}
            >
              <Textarea
                rows={2}
                className="font-mono text-code"
                spellCheck={false}
                value={base.httpHosts}
                onChange={(event) => changeBase({ httpHosts: event.target.value })}
              />
            </Field>
          ) : null}
          <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
            <Field label="Turns at most" help="1 to 200, default 10; each is one call" error={errorIn('maxSteps')}>
              <Input numeric value={base.maxSteps} onChange={(event) => changeBase({ maxSteps: event.target.value })} />
            </Field>
            <Field
              label="Stalled after"
              help="2 to 20, default 3: so many times running the very same calls"
              error={errorIn('stallAfter')}
            >
              <Input
                numeric
                value={base.stallAfter}
                onChange={(event) => changeBase({ stallAfter: event.target.value })}
              />
            </Field>
          </div>
          <p className="text-ink-2 text-sm">
            An {draft.mode === 'retry' ? 'attempt' : 'agent'} that comes to no answer is cut off: it is kept, but
            neither scored nor reflected on.{' '}
            {draft.mode === 'retry'
              ? 'The next attempt follows, without a lesson from it.'
              : 'The run then ends, and can be resumed. Revisions are single calls.'}
          </p>
        </>
      )}
    </>
  );
}

export const BASE_LABELS: Record<BaseDraft['type'], string> = {
  single: 'one call',
  react: 'an agent: thinks and uses tools, turn by turn',
  supervisor: 'a supervisor: gives tasks to workers of your own',
};

const BASE_MEANING: Record<BaseDraft['type'], string> = {
  single: 'Default. The model answers at once',
  react: 'Each turn is a thought and either tools to use or the answer (ReAct). The instructions are the agent’s',
  supervisor: 'An agent whose tasks are done by named workers, side by side where it gives several at once',
};

function hostsError({ httpHosts }: BaseDraft, errorIn: (field: string) => string | null): string | null {
  const own = linesOf(httpHosts).map((_, index) => errorIn(`httpHosts.${index}`));
  return errorIn('httpHosts') ?? own.find((error) => error !== null) ?? null;
}
