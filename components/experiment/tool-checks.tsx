'use client';

import { type ReactNode, useId, useState } from 'react';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { errorSentence, useErrorAt, useFieldError } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';

type ToolChecksProps = {
  /** Label of the list: `Tools of the agent`. */
  label: string;
  help?: ReactNode;
  offered: readonly ToolChoice[];
  chosen: readonly string[];
  /** Path of the selected tools in the request. */
  path: string;
  /** Shows names only. The descriptions are elsewhere on the page. */
  brief?: boolean;
  onChange: (chosen: string[]) => void;
};

/** Checkboxes for tools, grouped by server. Tool descriptions are rendered as plain text. */
export function ToolChecks(props: ToolChecksProps) {
  const { label, help, offered, chosen, path } = props;
  const groups = groupTools(offered, chosen);
  const id = useId();
  const wrong = useFieldError(path, label, id);
  return (
    <fieldset id={id} className="flex flex-col gap-2" aria-label={label}>
      <span className="font-medium text-ink text-sm">{label}</span>
      {groups.map((group) => (
        // Neither '' nor '?' is a valid server name.
        <Group key={group.server === null ? '' : (group.server ?? '?')} group={group} {...props} />
      ))}
      {wrong ? <InlineError>{errorSentence(label, wrong)}</InlineError> : null}
      {help ? <span className="text-ink-3 text-sm">{help}</span> : null}
    </fieldset>
  );
}

function Group({ group: { server, tools }, ...props }: ToolChecksProps & { group: ToolGroup }) {
  const checks = (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] items-start gap-x-4 gap-y-3">
      {tools.map((tool) => (
        <Check key={tool.name} tool={tool} {...props} />
      ))}
    </div>
  );
  const errorAt = useErrorAt();
  if (server === null || server === undefined) return checks;
  const chosen = tools.filter(({ name }) => props.chosen.includes(name));
  const isWrong = chosen.some(({ name }) => errorAt(`${props.path}.${props.chosen.indexOf(name)}`) !== null);
  return (
    <ServerFold server={server} count={tools.length} chosen={chosen.length} forceOpen={isWrong}>
      {checks}
    </ServerFold>
  );
}

/** Servers with more tools than this are collapsed if none is selected. */
const SHOWN_AT_ONCE = 6;

type ServerFoldProps = { server: string; count: number; chosen: number; forceOpen: boolean; children: ReactNode };

function ServerFold({ server, count, chosen, forceOpen, children }: ServerFoldProps) {
  const [isUnfolded, setOpen] = useState(count <= SHOWN_AT_ONCE || chosen > 0);
  const isOpen = isUnfolded || forceOpen;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="mb-2 cursor-pointer text-ink-2 text-sm">
        <span className="font-mono text-[0.94em]">{server}</span>: {chosen} of {count}
      </summary>
      {/* A server may have hundreds of tools, and each worker lists them all. */}
      {isOpen ? children : null}
    </details>
  );
}

/** Maximum characters of a description. Servers may return any length. */
const MAX_DESCRIPTION_LENGTH = 160;

function Check({ tool, chosen, brief, path, onChange }: ToolChecksProps & { tool: ToolChoice }) {
  const { name, description } = tool;
  const index = chosen.indexOf(name);
  const errorAt = useErrorAt();
  const isWrong = index !== -1 && errorAt(`${path}.${index}`) !== null;
  const short =
    description.length > MAX_DESCRIPTION_LENGTH
      ? `${description.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed()}…`
      : description;
  return (
    <CheckboxField
      label={<span className="wrap-anywhere font-mono text-[0.94em]">{name}</span>}
      help={brief || short === '' ? undefined : <span className="wrap-anywhere">{short}</span>}
      checked={index !== -1}
      aria-invalid={isWrong || (errorAt(path) !== null && index === 0) ? true : undefined}
      onChange={({ target }) => onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))}
    />
  );
}

/** Tool available to agents. `server`: its MCP server. Null for Hone's built-in tools. */
export type ToolChoice = { name: string; description: string; server: string | null };

/** Tools of one origin, Hone's first. `server` is undefined for selected tools that are no longer offered; they come last. */
type ToolGroup = { server: string | null | undefined; tools: ToolChoice[] };

/** Groups the offered tools and the selected tools that are no longer offered. */
export function groupTools(offered: readonly ToolChoice[], chosen: readonly string[]): ToolGroup[] {
  const groups = new Map<string | null | undefined, ToolChoice[]>();
  const add = (server: string | null | undefined, tool: ToolChoice) =>
    groups.set(server, [...(groups.get(server) ?? []), tool]);
  for (const tool of offered) if (tool.server === null) add(null, tool);
  for (const tool of offered) if (tool.server !== null) add(tool.server, tool);
  for (const name of chosen)
    if (!offered.some((tool) => tool.name === name))
      add(undefined, { name, description: 'No longer available', server: null });
  return [...groups].map(([server, tools]) => ({ server, tools }));
}
