'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Fold, FoldBody } from '#components/ui/fold-section.tsx';
import { Link } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import type { Problem } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { McpServerView, StoredTool } from '#lib/mcp-servers/schema.ts';
import type { McpActions } from './mcp-actions.ts';
import { McpSettings } from './mcp-settings.tsx';
import { McpTestResult } from './mcp-test-result.tsx';
import { parametersLabel } from './parameter-labels.ts';

type McpSectionProps = { server: McpServerView; commands: readonly string[]; actions: McpActions; now: string };

/** One MCP server, folded to a line; opens to test it, read its tools, see who uses them, change and delete it. */
export function McpSection({ server, commands, actions, now }: McpSectionProps) {
  const router = useRouter();
  const { name, tools, test, testedAt, usedBy } = server;
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, startWorking] = useTransition();

  function tryIt() {
    startWorking(async () => {
      const tested = await actions.test(name).catch((error: unknown) => refusalOf(error, 'Hone did not answer.'));
      setProblem(tested.ok ? null : tested.problem);
      router.refresh();
    });
  }

  function save(input: Record<string, unknown>) {
    startWorking(async () => {
      const changed = await actions
        .change(name, input)
        .catch((error: unknown) => refusalOf(error, 'Hone did not answer. Nothing was saved.'));
      setProblem(changed.ok ? null : changed.problem);
      if (changed.ok) router.refresh();
    });
  }

  return (
    <Fold
      size="row"
      data-testid={`mcp-server-${name}`}
      title={<b className="min-w-0 truncate font-medium">{name}</b>}
      summary={
        <>
          {server.url ?? `program ${server.command}`} · {formatNumberOf(tools.length, 'tool')} ·{' '}
          {usedBy.length === 0 ? 'not used yet' : `used by ${formatNumberOf(usedBy.length, 'experiment')}`}
          {testedAt === null ? null : (
            <>
              {' '}
              · tested <TimeAgo moment={testedAt} now={now} />
            </>
          )}
        </>
      }
      mark={<State server={server} isBusy={isBusy} />}
    >
      <FoldBody className="flex flex-col gap-4 pb-4 *:max-w-none">
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" onClick={tryIt} disabled={isBusy}>
            {isBusy ? 'Working' : 'Test and list tools'}
          </Button>
          {usedBy.length === 0 ? (
            <span className="ml-auto">
              <DeleteButton
                needs="owner"
                name={name}
                what="The server, its headers and the list of its tools"
                remove={() => actions.remove(name)}
                goTo="/settings"
              />
            </span>
          ) : null}
        </div>
        {problem !== null && !isAtField(problem) ? (
          <p className="text-sm text-worse" role="alert">
            ✕ {problem.message}
          </p>
        ) : null}
        {test === null ? null : <McpTestResult test={test} />}
        {tools.length === 0 ? null : <ListedTools tools={tools} />}
        {usedBy.length === 0 ? null : <Users usedBy={usedBy} />}
        <McpSettings
          // A form that was saved begins anew from what is stored.
          key={server.updatedAt}
          server={server}
          commands={commands}
          problem={problem}
          isBusy={isBusy}
          save={save}
        />
      </FoldBody>
    </Fold>
  );
}

/** Whether the form shows it beside what it is about. */
function isAtField({ field }: Problem): boolean {
  return /^(?:url|command|timeoutMs|headers\..*)$/.test(field ?? '');
}

function State({ server: { test }, isBusy }: { server: McpServerView; isBusy: boolean }) {
  if (isBusy) return <Badge>working</Badge>;
  if (test === null) return <Badge>not tested</Badge>;
  return test.ok ? <Badge tone="better">✓ works</Badge> : <Badge tone="worse">✕ failed</Badge>;
}

function Users({ usedBy }: Pick<McpServerView, 'usedBy'>) {
  return (
    <div className="text-sm">
      <p className="text-ink-2">
        Used by these experiments. Remove its tools from their settings to delete the server:
      </p>
      <ul>
        {usedBy.map(({ id, name, tools }) => (
          <li key={id} className="wrap-anywhere">
            <Link href={`/experiments/${id}`}>{name}</Link> <span className="text-ink-2">{tools.join(', ')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Tools that are shown before the rest is folded. */
const SHOWN = 10;

/** The tools of a server as agents are told of them: name, description, what they take. What a server says is shown as text. */
function ListedTools({ tools }: { tools: readonly StoredTool[] }) {
  const rest = tools.slice(SHOWN);
  return (
    <div className="flex flex-col gap-3">
      <Tools tools={tools.slice(0, SHOWN)} label="Tools" />
      {rest.length === 0 ? null : (
        <details>
          <summary className="text-ink-2 text-sm">and {formatNumberOf(rest.length, 'more tool')}</summary>
          <div className="mt-3">
            <Tools tools={rest} label="More tools" />
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
            {description === '' ? <span className="text-ink-2">No description.</span> : description}
          </p>
          <p className="wrap-anywhere text-ink-2 text-sm">
            Parameters: {parametersLabel(parameters)}.
            {note === null ? null : <span className="text-wait"> ▲ {note}</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}
