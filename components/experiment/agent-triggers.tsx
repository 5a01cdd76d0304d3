'use client';

import { Field, Input } from '#components/ui/field.tsx';
import { toolsOfDraft } from './base-draft.ts';
import type { FormPartProps } from './form-part-props.ts';
import { ToolChecks } from './tool-checks.tsx';

/** When an agent is reflected on while it is at work; what comes of it is told to it before its next turn. */
export function AgentTriggers({ draft, change, errorAt }: FormPartProps) {
  const used = toolsOfDraft(draft.base);
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field
          label="Reflect every so many turns"
          help="1 to 100; empty, the default, for never. One more call each time; the agent is told before its next turn"
          error={errorAt('triggers.stepInterval')}
        >
          <Input
            numeric
            value={draft.stepInterval}
            onChange={(event) => change({ stepInterval: event.target.value })}
          />
        </Field>
      </div>
      {used.length === 0 ? null : (
        <ToolChecks
          brief
          label="Reflect after each result of"
          help="None by default. One more call each time; the agent is told before its next turn"
          offered={used.map((name) => ({ name, description: '', server: null }))}
          chosen={draft.onTools.filter((name) => used.includes(name))}
          error={errorAt('triggers.onTools')}
          errorOf={(index) => errorAt(`triggers.onTools.${index}`)}
          onChange={(onTools) => change({ onTools })}
        />
      )}
    </>
  );
}
