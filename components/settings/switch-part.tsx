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
  title: string;
  /** As the button names it. */
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
