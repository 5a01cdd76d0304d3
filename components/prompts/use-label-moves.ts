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
  /** Last move. Null if there is none or it was undone. */
  done: MovedLabel | null;
  send: Send;
  /** Undoes the last move. */
  undo: (onProblem: (problem: Problem) => void) => void;
  /** Hides the notice of the last move. */
  forget: () => void;
};

/** Sends label moves of a prompt one at a time, and keeps the last one for undo. */
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

/** Actions on the labels of a prompt. Each resolves when it is stored, or with the error. */
export type LabelActions = {
  move: (name: string, label: string, input: unknown) => Promise<Result<MovedLabel>>;
  takeOff: (name: string, label: string) => Promise<Result<MovedLabel>>;
  rollBack: (name: string, label: string, input: unknown) => Promise<Result<MovedLabel>>;
  /** Compares two versions on the held-out cases. */
  evaluate: (name: string, versions: unknown) => Promise<Result<LabelEvaluation>>;
};
