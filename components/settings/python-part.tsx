'use client';

import { useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';

type PythonPartProps = {
  /** Whether it is on, and who said so when; null: nobody ever did. */
  setting: { value: boolean; updatedBy: string; updatedAt: string } | null;
  /** The server's. */
  now: string;
  turn: (on: boolean) => Promise<Result<unknown>>;
};

/** Turns Python tests on or off, with what that means. */
export function PythonPart({ setting, now, turn }: PythonPartProps) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isTurning, startTurning] = useTransition();
  const isOn = setting?.value === true;

  function change() {
    startTurning(async () => {
      const result = await turn(!isOn).catch((error: unknown) => refusalOf(error, 'Hone did not answer. Try again.'));
      setProblem(result.ok ? null : result.problem);
    });
  }

  return (
    <Pane aria-labelledby="python">
      <PaneHeader>
        <h2 id="python">Python tests</h2>
        <Badge tone={isOn ? 'better' : 'default'}>{isOn ? 'on' : 'off'}</Badge>
      </PaneHeader>
      <div className="flex max-w-[70ch] flex-col gap-3">
        <p className="text-ink-2">
          Criteria of the kind “tests in Python” run code that models wrote, on this machine. It runs in a process of
          its own, in WebAssembly, without your environment, files, network or other programs, with at most 512 MB, and
          is ended at its time limit. Sandboxes of this kind have been broken out of before: turn it on where you would
          also let the account that Hone runs under be used by what your models write, or run Hone in a container.
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <Button variant={isOn ? 'default' : 'primary'} disabled={isTurning} onClick={change}>
            {isOn ? 'Turn Python tests off' : 'Turn Python tests on'}
          </Button>
          {setting ? (
            <span className="text-ink-3 text-sm">
              Turned {isOn ? 'on' : 'off'} by {setting.updatedBy}, <TimeAgo moment={setting.updatedAt} now={now} />
            </span>
          ) : null}
        </div>
        {problem ? (
          <p className="text-sm text-worse" role="alert">
            ✕ {problem.message}
          </p>
        ) : null}
      </div>
    </Pane>
  );
}
