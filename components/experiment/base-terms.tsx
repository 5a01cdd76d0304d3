import { CodeBlock } from '#components/ui/code-block.tsx';
import type { AgentBase, BaseSettings } from '#lib/core/agents/base-settings.ts';
import { formatNumberOf } from '#lib/format.ts';

/** How an attempt is made, as terms of the list of settings; nothing where it is a single call. */
export function BaseTerms({ base }: { base: BaseSettings }) {
  if (base.type === 'single') return null;
  const who = base.type === 'supervisor' ? 'The supervisor' : 'The agent';
  return (
    <>
      <dt>Made by</dt>
      <dd>
        {base.type === 'supervisor' ? `a supervisor of ${formatNumberOf(base.workers.length, 'worker')}` : 'an agent'},
        up to {formatNumberOf(base.maxSteps, 'turn')}, stalled after the very same calls {base.stallAfter} times running
      </dd>
      {base.type === 'supervisor' ? (
        <>
          <dt>Workers</dt>
          <dd>
            <Workers workers={base.workers} />
          </dd>
        </>
      ) : null}
      <dt>Tools</dt>
      <dd>
        {who} {base.tools.length === 0 ? 'has none' : 'has '}
        <ToolNames tools={base.tools} />
        {base.approve.length > 0 ? (
          <>
            ; a person is asked before <ToolNames tools={base.approve} />
          </>
        ) : null}
        {base.httpHosts.length > 0 ? (
          <>
            ; http_get may ask <ToolNames tools={base.httpHosts} />
          </>
        ) : null}
      </dd>
    </>
  );
}

function Workers({ workers }: { workers: Extract<AgentBase, { type: 'supervisor' }>['workers'] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {workers.map(({ name, description, instructions, provider, model, tools, maxSteps }) => (
        <li key={name} className="wrap-anywhere">
          <b className="font-medium font-mono text-[0.94em]">{name}</b>, up to {formatNumberOf(maxSteps, 'turn')}
          {provider === null ? '' : `, ${provider} / ${model}`}
          {tools.length === 0 ? (
            ', without tools'
          ) : (
            <>
              , with <ToolNames tools={tools} />
            </>
          )}
          {description === '' ? null : <span className="text-ink-2"> – {description}</span>}
          {instructions === '' ? null : (
            <details>
              <summary className="cursor-pointer text-ink-2 text-sm">Its instructions</summary>
              <CodeBlock className="mt-1">{instructions}</CodeBlock>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function ToolNames({ tools }: { tools: readonly string[] }) {
  return tools.map((tool, index) => (
    <span key={tool}>
      {index > 0 ? ', ' : ''}
      <code className="wrap-anywhere">{tool}</code>
    </span>
  ));
}
