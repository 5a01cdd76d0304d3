'use client';

import { Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import type { Result } from '#lib/core/problem.ts';

/** Starts a new run of the sample and goes to see it. */
export function RunLiveButton({ start }: { start: () => Promise<Result<{ runId: string }>> }) {
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [isStarting, startStarting] = useTransition();
  function run() {
    startStarting(async () => {
      const result = await start().catch((error: unknown) => refusalOf(error, 'Hone did not answer. Try again.'));
      if (result.ok) router.push(`/runs/${result.value.runId}`);
      else setProblem(result.problem.message);
    });
  }
  return (
    <>
      <MayButton needs="editor" variant="primary" size="large" onClick={run} disabled={isStarting}>
        <Play className="size-3.25" aria-hidden />
        {isStarting ? 'Starting' : 'Run it live'}
      </MayButton>
      {problem ? (
        <p className="text-sm text-worse" role="alert">
          ✕ {problem}
        </p>
      ) : null}
    </>
  );
}
