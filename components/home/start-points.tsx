'use client';

import { Play } from 'lucide-react';
import { useState } from 'react';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { useGoTo } from '#components/layout/page-progress.tsx';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { Result } from '#lib/core/problem.ts';

type PointKind = 'tune' | 'review' | 'learn';
const POINTS: { kind: PointKind; title: string; text: string; button: string }[] = [
  {
    kind: 'tune',
    title: 'Tune a prompt',
    text: 'A prompt that sorts mail is rewritten from its failures, and each candidate is scored on held-out cases.',
    button: 'Start tuning',
  },
  {
    kind: 'review',
    title: 'Improve an output with review',
    text: 'A help text is drafted, judged and revised. Before it ends, you accept it, edit it or guide the next revision.',
    button: 'Start a run',
  },
  {
    kind: 'learn',
    title: 'Learn lessons over a dataset',
    text: '20 sums are tried again after each mistake. What was learned becomes a lesson that helps the next attempt.',
    button: 'Start a batch',
  },
];

type StartPointsProps = {
  /** Existing sample experiment of each start point. */
  samples: Partial<Record<PointKind, string>>;
  start: (kind: PointKind) => Promise<Result<{ path: string }>>;
};

/** Offers three ways to a first result on the practice model. Users who may not start runs see the sample results. */
export function StartPoints({ samples, start }: StartPointsProps) {
  const goTo = useGoTo();
  const { may } = useRoleAccess('editor');
  const [starting, setStarting] = useState<PointKind | null>(null);
  const { isBusy, problem, submit } = useSubmit();
  function run(kind: PointKind) {
    setStarting(kind);
    submit(start(kind), ({ path }) => goTo(path));
  }
  return (
    <>
      <Columns from="narrow" className="narrow:grid-cols-3 border-t" aria-label="Starting points">
        {POINTS.map(({ kind, title, text, button }) => (
          <Pane key={kind} className="flex flex-col items-start gap-1.5 border-b-0" data-testid={`start-${kind}`}>
            <h2>{title}</h2>
            <p className="flex-1 text-ink-2">{text}</p>
            {samples[kind] === undefined ? (
              <p className="text-ink-3 text-sm">The sample was deleted.</p>
            ) : may ? (
              <Button className="mt-1" disabled={isBusy} onClick={() => run(kind)}>
                <Play />
                {isBusy && starting === kind ? 'Starting' : button}
              </Button>
            ) : (
              <TextLink href={`/experiments/${samples[kind]}`}>See the sample</TextLink>
            )}
          </Pane>
        ))}
      </Columns>
      {problem === null ? null : <InlineError className="px-6 py-2 max-narrow:px-4">{problem.message}</InlineError>}
    </>
  );
}
