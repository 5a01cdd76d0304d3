'use client';

import { Plus, RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { MayButton } from '#components/team/may-button.tsx';
import { refusalOf } from '#components/team/refusal-of.ts';
import { Badge } from '#components/ui/badge.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatNumberOf } from '#lib/format.ts';
import type { Result } from '#lib/reflection/problem.ts';
import { freeName } from './free-name.ts';
import type { ProviderActions, ShownServer } from './shown-provider.ts';

type LocalServersProps = {
  taken: readonly string[];
  find: () => Promise<Result<ShownServer[]>>;
  actions: Pick<ProviderActions, 'add' | 'test'>;
};

/** Models of a server that are named. */
const NAMED = 4;

/** Looks, when asked to, which servers of models run on this machine, and adds those one wants. */
export function LocalServers({ taken, find, actions }: LocalServersProps) {
  const router = useRouter();
  const toast = useToast();
  const [servers, setServers] = useState<ShownServer[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, startWorking] = useTransition();

  function look() {
    startWorking(async () => {
      const found = await find().catch((error: unknown) => refusalOf(error, 'Hone did not answer.'));
      setProblem(found.ok ? null : found.problem.message);
      if (found.ok) setServers(found.value);
    });
  }

  function add({ name: known, baseUrl, label }: ShownServer) {
    const name = freeName(known, taken);
    startWorking(async () => {
      const added = await actions
        .add({ name, kind: 'openai-compatible', baseUrl })
        .catch((error: unknown) => refusalOf(error, 'Hone did not answer. Nothing was saved.'));
      setProblem(added.ok ? null : added.problem.message);
      if (!added.ok) return;
      setServers((all) => all?.map((one) => (one.baseUrl === baseUrl ? { ...one, addedAs: name } : one)) ?? null);
      const tested = await actions.test(name, null).catch(() => null);
      toast(
        tested?.ok && tested.value.ok ? `Added ${label} as ${name}` : `Added ${label} as ${name}; its test failed`,
        tested?.ok && tested.value.ok ? 'done' : 'problem',
      );
      router.refresh();
    });
  }

  return (
    <section className="pane" aria-labelledby="local-servers">
      <div className="ph">
        <h2 id="local-servers">Local servers on this machine</h2>
        <span className="end">
          <MayButton needs="owner" variant="ghost" size="small" onClick={look} disabled={isBusy}>
            <RefreshCw className="i s" aria-hidden />
            {isBusy ? 'Looking' : servers === null ? 'Look for servers' : 'Look again'}
          </MayButton>
        </span>
      </div>
      {problem === null ? null : (
        <p className="sm worse" role="alert">
          ✕ {problem}
        </p>
      )}
      {servers === null ? (
        <p className="sm muted">
          Asks the usual ports of Ollama, LM Studio, vLLM and others on 127.0.0.1 for their models, when you say so. No
          other machine is asked.
        </p>
      ) : (
        <>
          <p className="vh" role="status">
            {formatNumberOf(servers.filter(({ state }) => state === 'found').length, 'server')} found
          </p>
          <ul className="border-t border-line">
            {servers.map((server) => (
              <li key={server.baseUrl} className="row wrap gap-x-3 gap-y-0.5 border-b border-line py-1.5">
                <b className="md5 w-40">{server.label}</b>
                <span className="mono sm muted w-32">
                  {server.baseUrl.replace(/^http:\/\/|\/.*$/g, '').replace(/\/.*$/, '')}
                </span>
                <span className="sm muted min-w-0 flex-[1_1_10rem] wrap-anywhere">{whatAnswers(server)}</span>
                {server.addedAs !== null ? (
                  <Badge tone="better">✓ added as {server.addedAs}</Badge>
                ) : server.state === 'found' || server.state === 'needs_key' ? (
                  <MayButton needs="owner" size="small" onClick={() => add(server)} disabled={isBusy}>
                    <Plus className="i s" aria-hidden />
                    Add and test
                    <span className="vh"> {server.label}</span>
                  </MayButton>
                ) : (
                  <Badge>not found</Badge>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function whatAnswers({ state, models }: ShownServer): string {
  switch (state) {
    case 'found': {
      if (models.length === 0) return 'runs, without a model: load one there';
      const names = models.slice(0, NAMED).join(', ');
      const rest = models.length > NAMED ? ` and ${models.length - NAMED} more` : '';
      return `${formatNumberOf(models.length, 'model')}: ${names}${rest}`;
    }
    case 'needs_key':
      return 'answers, but asks for a key: add it, then enter the key';
    case 'other':
      return 'something answers there that lists no models';
    case 'nothing':
      return 'nothing answers';
  }
}
