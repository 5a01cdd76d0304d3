'use client';

import { Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatNumberOf } from '#lib/format.ts';
import type { FoundServer } from '#lib/models/detect-local-servers.ts';
import { PROVIDER_PRESETS } from '#lib/providers/provider-kinds.ts';
import { freeName, testProvider } from './shown-provider.ts';

/** Maximum number of models listed per server. */
const NAMED = 4;

/** Finds model servers on this machine on request, and adds the selected ones. */
export function LocalServers({ taken }: { taken: readonly string[] }) {
  const toast = useToast();
  const [servers, setServers] = useState<FoundServer[] | null>(null);
  const { isBusy, problem, submit } = useSubmit('Hone did not respond.');

  function find() {
    submit(submitApi('POST /api/v1/local-servers'), ({ items }) => setServers(items), { refreshes: false });
  }

  function add({ name: known, baseUrl, label }: FoundServer) {
    const kind = PROVIDER_PRESETS.find((preset) => preset.name === known)?.kind ?? 'openai-compatible';
    const name = freeName(known, taken);
    submit(submitApi('POST /api/v1/providers', { body: { name, kind, baseUrl } }), async () => {
      setServers((all) => all?.map((one) => (one.baseUrl === baseUrl ? { ...one, addedAs: name } : one)) ?? null);
      const tested = await testProvider(name, null).catch(() => null);
      toast(
        tested?.ok && tested.value.ok ? `Added ${label} as ${name}` : `Added ${label} as ${name}, but its test failed`,
        tested?.ok && tested.value.ok ? 'done' : 'problem',
      );
    });
  }

  return (
    <Pane aria-labelledby="local-servers">
      <PaneHeader titleId="local-servers" title="Local servers on this machine">
        <span className="ml-auto">
          <RoleButton needs="owner" variant="ghost" size="small" onClick={find} disabled={isBusy}>
            <RefreshCw />
            {isBusy ? 'Looking' : servers === null ? 'Look for servers' : 'Look again'}
          </RoleButton>
        </span>
      </PaneHeader>
      {problem === null ? null : <InlineError>{problem.message}</InlineError>}
      {servers === null ? (
        <p className="text-ink-2 text-sm">
          Checks the usual ports of Ollama, LM Studio, vLLM and others on 127.0.0.1. Sends nothing to other machines.
        </p>
      ) : (
        <>
          <p className="sr-only" role="status">
            {formatNumberOf(servers.filter(({ state }) => state === 'found').length, 'server')} found
          </p>
          <ul className="border-line border-t">
            {servers.map((server) => (
              <li
                key={server.baseUrl}
                className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-b py-1.5"
              >
                <b className="w-40 font-medium">{server.label}</b>
                <span className="w-32 font-mono text-ink-2 text-sm">
                  {server.baseUrl.replace(/^http:\/\/|\/.*$/g, '').replace(/\/.*$/, '')}
                </span>
                <span className="wrap-anywhere min-w-0 flex-[1_1_10rem] text-ink-2 text-sm">
                  {serverStateLabel(server)}
                </span>
                {server.addedAs !== null ? (
                  <Badge tone="better">✓ added as {server.addedAs}</Badge>
                ) : server.state === 'found' || server.state === 'needs_key' ? (
                  <RoleButton needs="owner" size="small" onClick={() => add(server)} disabled={isBusy}>
                    <Plus />
                    Add and test
                    <span className="sr-only"> {server.label}</span>
                  </RoleButton>
                ) : (
                  <Badge>not found</Badge>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Pane>
  );
}

function serverStateLabel({ state, models }: FoundServer): string {
  switch (state) {
    case 'found': {
      if (models.length === 0) return 'running without a model. Load a model there.';
      const names = models.slice(0, NAMED).join(', ');
      const rest = models.length > NAMED ? ` and ${models.length - NAMED} more` : '';
      return `${formatNumberOf(models.length, 'model')}: ${names}${rest}`;
    }
    case 'needs_key':
      return 'requires a key. Add it, then enter the key.';
    case 'other':
      return 'another service responds there';
    case 'nothing':
      return 'no response';
  }
}
