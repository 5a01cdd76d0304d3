'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import type { Result } from '#lib/core/problem.ts';
import { type RefusedParameter, refusedParameterText } from '#lib/providers/refused-parameter-record.ts';

type RefusedParametersProps = {
  provider: string;
  refused: readonly RefusedParameter[];
  /** Sends a model's refused parameters again, from its next call on. */
  forget: (model: string) => Promise<Result<unknown>>;
};

/** What models of a provider refused and Hone no longer sends; nothing where there is none. */
export function RefusedParameters({ provider, refused, forget }: RefusedParametersProps) {
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, startForgetting] = useTransition();
  if (refused.length === 0) return null;
  const models = [...new Set(refused.map(({ model }) => model))];

  function send(model: string) {
    startForgetting(async () => {
      const result = await forget(model).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing was changed.'),
      );
      setProblem(result.ok ? null : result.problem.message);
      if (result.ok) router.refresh();
    });
  }

  return (
    <section aria-label="Refused parameters">
      <h3 className="mb-2">Refused parameters</h3>
      <ul className="flex flex-col gap-2">
        {models.map((model) => (
          <li key={model} className="flex flex-wrap items-center gap-2">
            <div className="min-w-0 flex-[1_1_16rem]">
              {refused
                .filter((one) => one.model === model)
                .map(({ parameter, message }) => (
                  <p key={parameter} className="wrap-anywhere text-sm" title={message}>
                    ▲ {refusedParameterText(`${provider}/${model}`, parameter)}
                  </p>
                ))}
            </div>
            <MayButton needs="owner" size="small" disabled={isBusy} onClick={() => send(model)}>
              Send again<span className="sr-only"> to {model}</span>
            </MayButton>
          </li>
        ))}
      </ul>
      {problem === null ? null : (
        <p className="text-sm text-worse" role="alert">
          ✕ {problem}
        </p>
      )}
    </section>
  );
}
