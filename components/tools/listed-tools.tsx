import { formatNumberOf } from '#lib/format.ts';
import type { StoredTool } from '#lib/reflection/agents/mcp-server-view.ts';
import { parametersInWords } from './parameters-in-words.ts';

/** Tools that are shown before the rest is folded. */
const SHOWN = 10;

/** The tools of a server as agents are told of them: name, description, what they take. What a server says is shown as text. */
export function ListedTools({ tools }: { tools: readonly StoredTool[] }) {
  const rest = tools.slice(SHOWN);
  return (
    <div className="flex flex-col gap-3">
      <Tools tools={tools.slice(0, SHOWN)} label="Its tools" />
      {rest.length === 0 ? null : (
        <details>
          <summary className="text-ink-2 text-sm">and {formatNumberOf(rest.length, 'more tool')}</summary>
          <div className="mt-3">
            <Tools tools={rest} label="More of its tools" />
          </div>
        </details>
      )}
    </div>
  );
}

function Tools({ tools, label }: { tools: readonly StoredTool[]; label: string }) {
  return (
    <ul className="flex flex-col gap-3" aria-label={label}>
      {tools.map(({ name, description, parameters, note }) => (
        <li key={name} className="min-w-0">
          <code className="wrap-anywhere font-medium">{name}</code>
          <p className="wrap-anywhere max-w-[80ch] whitespace-pre-line text-sm">
            {description === '' ? <span className="text-ink-2">It says nothing of itself.</span> : description}
          </p>
          <p className="wrap-anywhere text-ink-2 text-sm">
            Takes {parametersInWords(parameters)}.{note === null ? null : <span className="text-wait"> ▲ {note}</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}
