import { useCallback, useEffect, useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { useToast } from '#components/ui/toaster.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { decidedMeanwhile } from './decision-labels.ts';
import type { DecisionInput, RunActions } from './run-actions.ts';
import { useDraftDecision } from './use-draft-decision.ts';

type RunDecisionsOptions = {
  record: RunRecord;
  decide: RunActions['decide'];
  refresh: () => void;
  /** A version by hand was made. */
  onMade: () => void;
};

/** What a person says to a run, held back as a draft until it can no longer be undone; and what became of it. */
export function useRunDecisions({ record, decide: sendDecision, refresh, onMade }: RunDecisionsOptions) {
  const toast = useToast();
  const [isBusy, startSending] = useTransition();
  const [problem, setProblem] = useState<Problem | null>(null);

  const send = useCallback(
    (action: Promise<Result<unknown>>, done: string) =>
      new Promise<Result<unknown>>((resolve) =>
        startSending(async () => {
          const result = await action.catch(unreachable);
          setProblem(result.ok ? null : result.problem);
          if (result.ok) toast(done);
          refresh();
          resolve(result);
        }),
      ),
    [toast, refresh],
  );
  async function decide(input: DecisionInput, done: string) {
    const result = await send(sendDecision(input), done);
    if (result.ok && isByHand(input)) onMade();
    return result;
  }
  const { draft, propose, undo, sendNow } = useDraftDecision(decide);
  const pauseId = record.waitingFor?.pauseId;
  // What was said of one use of a tool is said of no other.
  const overtaken = draft !== null && isAboutTool(draft.input) ? decidedMeanwhile(record, draft.input.pauseId) : null;
  useEffect(() => {
    if (overtaken === null) return;
    undo();
    setProblem({ code: 'conflict', message: overtaken, field: null });
  }, [overtaken, undo]);
  const hook = record.waitingFor?.hook;
  const unjudged = hook === 'onGeneration' || hook === 'onRevision' ? (record.waitingFor?.version ?? null) : null;
  const tool = record.waitingFor?.toolCall?.tool ?? 'the tool';
  const [goOn, goingOn] =
    unjudged === null ? ['continue', 'Going on'] : [`have v${unjudged} judged as it is`, `v${unjudged} is judged now`];
  const atPause = pauseId === undefined ? {} : { pauseId };
  const next = `v${record.versions.length}`;
  const proposeAtPause = (input: DecisionInput, words: string, done: string) =>
    propose({ input: { ...input, ...atPause }, words, done });

  return {
    isBusy,
    problem,
    setProblem,
    send,
    draft: overtaken === null ? draft : null,
    undo,
    /** Sends the draft; one that was refused goes to the pause there is now. */
    sendDraft: () => sendNow(draft?.sendsAt === null ? atPause : {}),
    sendNow,
    continueNow: () => decide({ decision: 'continue', ...atPause }, goingOn),
    proposeContinue: () => proposeAtPause({ decision: 'continue' }, goOn, goingOn),
    proposeAllow: () => proposeAtPause({ decision: 'allow' }, `allow the use of ${tool}`, `${tool} is used`),
    proposeAllowWith: (toolArguments: string) =>
      proposeAtPause(
        { decision: 'allow', toolArguments },
        `allow the use of ${tool} with your arguments`,
        `${tool} is used with your arguments`,
      ),
    proposeRefuse: (reason: string) =>
      proposeAtPause(
        { decision: 'refuse', ...(reason === '' ? {} : { reason }) },
        `refuse the use of ${tool}${reason === '' ? '' : ', with your reason'}`,
        `${tool} is not used; the agent is told`,
      ),
    proposeStop: () => proposeAtPause({ decision: 'stop' }, 'stop the run here', 'Stopped'),
    proposeAccept: (version: number) =>
      proposeAtPause(
        { decision: 'accept', version },
        [
          `accept v${version}`,
          ...(version === unjudged ? ['unscored'] : []),
          ...(pauseId === undefined ? [] : ['which ends the run']),
        ].join(', '),
        `Accepted v${version}`,
      ),
    proposeGuide: (version: number, guidance: string) =>
      proposeAtPause(
        { decision: 'revise', version, guidance },
        `revise v${version} as you say${unjudged === null ? '' : `, without having v${unjudged} judged`}`,
        `v${version} is revised as you said`,
      ),
    proposeRevert: (version: number) =>
      proposeAtPause(
        { decision: 'revert', version },
        `go back to v${version}: the next revision starts from it`,
        `Going on from v${version}`,
      ),
    proposeEdit: (version: number, output: string) =>
      proposeAtPause(
        { decision: 'edit', version, output },
        `make ${next} of your edit of v${version}, and score it`,
        `${next} is yours; it is scored now`,
      ),
    proposeMerge: ({ parents, output, words }: { parents: [number, number]; output: string; words: string }) =>
      proposeAtPause(
        { decision: 'merge', parents, output },
        `${words}. This makes ${next} and scores it`,
        `${next} is made; it is scored now`,
      ),
    proposeRestore: (version: number) =>
      propose({
        input: { decision: 'restore', version },
        words: `restore the score that v${version} had`,
        done: `The score of v${version} stands as it was`,
      }),
    proposeScore: (input: DecisionInput, version: number) =>
      propose({ input, words: `add your score of v${version}`, done: `Your score of v${version} is added` }),
  };
}

export type RunDecisions = ReturnType<typeof useRunDecisions>;

/** Whether a decision makes a version: the run is scored and waits again. */
export function isByHand({ decision }: Pick<DecisionInput, 'decision'>): boolean {
  return decision === 'edit' || decision === 'merge';
}

/** Whether a decision speaks of the one use of a tool that was asked about. */
function isAboutTool({ decision }: Pick<DecisionInput, 'decision'>): boolean {
  return decision === 'allow' || decision === 'refuse';
}

/** Whether a decision only says what a version is worth: it answers no pause. */
export function isAboutScores({ decision }: Pick<DecisionInput, 'decision'>): boolean {
  return decision === 'override' || decision === 'restore';
}

/** What a person is told when the app refused, or itself did not answer. */
export function unreachable(error: unknown): Result<never> {
  return refusalOf(error, 'Hone did not answer. Check that it still runs, then try again.');
}
