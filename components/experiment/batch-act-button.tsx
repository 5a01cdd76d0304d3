'use client';

import { Play, Square } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';

/** What can be done with a batch as a whole. */
export type BatchAct =
  | { kind: 'stop'; send: () => Promise<Result<{ stopped: number }>> }
  | { kind: 'resume'; send: () => Promise<Result<{ resumed: number }>>; count: number };

/** Stops a batch, or resumes what is missing of it, and says what came of it. */
export function BatchActButton({ act }: { act: BatchAct }) {
  const router = useRouter();
  const toast = useToast();
  const [isSending, startSending] = useTransition();
  const [isAsked, setAsked] = useState(false);
  function send() {
    startSending(async () => {
      const said = await outcomeOf(act).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Look at the runs.'),
      );
      if (said.ok) setAsked(true);
      toast(said.ok ? said.value : said.problem.message, said.ok ? 'done' : 'problem');
      router.refresh();
    });
  }
  return (
    <MayButton needs="editor" size="small" className="ml-auto" disabled={isSending || isAsked} onClick={send}>
      {act.kind === 'stop' ? <Square className="size-3.25" aria-hidden /> : <Play className="size-3.25" aria-hidden />}
      {isSending ? DOING[act.kind] : act.kind === 'stop' ? 'Stop' : `Resume ${formatNumberOf(act.count, 'run')}`}
    </MayButton>
  );
}

const DOING = { stop: 'Stopping', resume: 'Resuming' };

async function outcomeOf(act: BatchAct): Promise<Result<string>> {
  switch (act.kind) {
    case 'stop': {
      const result = await act.send();
      return result.ok ? { ok: true, value: 'Stopping; what is stored stays' } : result;
    }
    case 'resume': {
      const result = await act.send();
      return result.ok ? { ok: true, value: `${formatNumberOf(result.value.resumed, 'run')} go on` } : result;
    }
  }
}
