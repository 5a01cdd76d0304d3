'use client';

import { type ReactNode, useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';

export type SwitchProps = {
  /** Whether it is on, and who said so when; null: nobody ever did. */
  setting: { value: boolean; updatedBy: string; updatedAt: string } | null;
  /** The server's. */
  now: string;
  turn: (on: boolean) => Promise<Result<unknown>>;
};

type SwitchPartProps = SwitchProps & {
  id: string;
  title: string /** As the button names it. */;
  name: string;
  children: ReactNode;
};

/** Turns something on or off for the installation, with what that means. */
export function SwitchPart({ id, title, name, children, setting, now, turn }: SwitchPartProps) {
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
    <Pane aria-labelledby={id}>
      <PaneHeader>
        <h2 id={id}>{title}</h2>
        <Badge tone={isOn ? 'better' : 'default'}>{isOn ? 'on' : 'off'}</Badge>
      </PaneHeader>
      <div className="flex max-w-[70ch] flex-col gap-3">
        {children}
        <div className="flex flex-wrap items-center gap-2">
          <Button variant={isOn ? 'default' : 'primary'} disabled={isTurning} onClick={change}>
            {isOn ? `Turn ${name} off` : `Turn ${name} on`}
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

/** Turns Python tests on or off, with what that means. */
export function PythonPart(props: SwitchProps) {
  return (
    <SwitchPart id="python" title="Python tests" name="Python tests" {...props}>
      <p className="text-ink-2">
        Criteria scored by “Python tests” run code that models wrote, on this machine. The code runs in WebAssembly in a
        separate process with at most 512 MB and a time limit. It has no access to your environment, files, network or
        other programs. Sandboxes like this have been escaped before. Turn it on only if you trust the code of your
        models with the account that Hone runs under, or run Hone in a container.
      </p>
    </SwitchPart>
  );
}

/** Sets whether two people must agree before a lesson is promoted. */
export function ReviewPart(props: SwitchProps) {
  return (
    <SwitchPart id="two-person-review" title="Two-person review" name="two-person review" {...props}>
      <p className="text-ink-2">
        A lesson is promoted only when two people agree. One votes for it or promotes it, then another promotes it.
        Votes apply only to the text they were given for.
      </p>
    </SwitchPart>
  );
}
