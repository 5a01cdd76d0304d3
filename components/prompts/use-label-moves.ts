'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { useToast } from '#components/ui/toaster.tsx';
import { fail, type Problem, type Result } from '#lib/reflection/problem.ts';
import type { MovedLabel } from '#lib/reflection/prompt-record.ts';
import type { LabelActions } from './label-actions.ts';

/** Sends moves of a prompt's labels, says what became of them, and offers to take each back. */
export function useLabelMoves(name: string, actions: LabelActions) {
  const router = useRouter();
  const toast = useToast();
  const [isBusy, startMoving] = useTransition();

  function send(work: () => Promise<Result<MovedLabel>>, onProblem: (problem: Problem) => void, onMoved?: () => void) {
    startMoving(async () => {
      const result = await work().catch(() => fail('unavailable', 'Hone did not answer. Nothing was moved.'));
      if (!result.ok) return onProblem(result.problem);
      const { label, move } = result.value;
      const undo = () =>
        move !== null &&
        send(
          () => actions.rollBack(name, label, { move, reason: 'Undone' }),
          (problem) => toast(problem.message, 'problem'),
        );
      toast(
        movedWords(result.value),
        'done',
        move === null ? null : { label: 'Undo', does: `Take the move of ${label} back`, act: undo },
      );
      onMoved?.();
      router.refresh();
    });
  }
  return { isBusy, send };
}

function movedWords({ label, version, moved, proof }: MovedLabel): string {
  if (version === null) return `${label} is taken off`;
  if (!moved) return `${label} is at v${version} already`;
  return `${label} is at v${version} now${proof?.verdict === 'unproven' ? '; nothing is proven on held-out cases' : ''}`;
}
