'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { LabelEvaluation, MovedLabel } from '#lib/prompts/schema.ts';

type Send = (
  work: () => Promise<Result<MovedLabel>>,
  onProblem: (problem: Problem) => void,
  onMoved?: () => void,
) => void;

export type LabelMover = {
  isBusy: boolean;
  /** What was moved last; null where nothing was yet, or it was taken back. */
  done: MovedLabel | null;
  send: Send;
  /** Takes the last move back. */
  undo: (onProblem: (problem: Problem) => void) => void;
  /** Says no more of what was moved last. */
  forget: () => void;
};

/** Sends moves of a prompt's labels one at a time, and knows the last one, so that it can be taken back. */
export function useLabelMoves(name: string, actions: LabelActions): LabelMover {
  const router = useRouter();
  const [done, setDone] = useState<MovedLabel | null>(null);
  const { isBusy, settle } = useSubmit('Hone did not answer. Nothing was moved.');
  const send: Send = (work, onProblem, onMoved) =>
    settle(work(), (result) => {
      if (!result.ok) return onProblem(result.problem);
      setDone(result.value);
      onMoved?.();
      router.refresh();
    });
  return {
    isBusy,
    done,
    send,
    undo: (onProblem) => {
      if (done === null || done.move === null) return;
      const { label, move } = done;
      send(() => actions.rollBack(name, label, { move, reason: 'Undone' }), onProblem);
    },
    forget: () => setDone(null),
  };
}

/** What can be done with the labels of a prompt; each answers once it is stored, or why it is not. */
export type LabelActions = {
  move: (name: string, label: string, input: unknown) => Promise<Result<MovedLabel>>;
  takeOff: (name: string, label: string) => Promise<Result<MovedLabel>>;
  rollBack: (name: string, label: string, input: unknown) => Promise<Result<MovedLabel>>;
  /** What the held-out cases say of a version against another one. */
  evaluate: (name: string, versions: unknown) => Promise<Result<LabelEvaluation>>;
};
