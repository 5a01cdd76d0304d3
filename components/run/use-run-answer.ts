import { useCallback, useEffect, useRef, useState } from 'react';
import { toActionFailure } from '#components/access/to-action-failure.ts';
import { useBusy } from '#components/access/use-submit.ts';
import { useToast } from '#components/ui/toaster.tsx';
import { UNDO_MS, useDelayedSend } from '#components/ui/use-delayed-send.ts';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { decidedMeanwhileLabel } from './decision-labels.ts';
import { focusOn } from './requested-scores.tsx';
import type { DecisionInput } from './run-actions.ts';
import { chosenChanges, type RunPageState } from './use-run-page-state.ts';

export type RunDialog = 'score' | 'guide' | 'edit';

type RunAnswerOptions = {
  record: RunRecord;
  /** The selected version. */
  version: VersionRecord | undefined;
  state: RunPageState;
  decide: (input: DecisionInput) => Promise<Result<unknown>>;
  /** Refetches the run after a request and resolves when that is done. */
  refresh: (result: Result<unknown>) => Promise<void>;
  /** Ids of pauses answered in this window that the record may not reflect yet. */
  answered?: ReadonlySet<string>;
};

/** State of a person's answer to a run: draft decisions, the open dialog and requested scores. */
export function useRunAnswer({ record, version, state, decide, refresh, answered }: RunAnswerOptions) {
  const [dialog, setDialog] = useState<RunDialog | null>(null);
  const askedForm = useRef<HTMLFormElement>(null);
  const decisions = useRunDecisions({
    record,
    decide,
    refresh,
    answered,
    // The run now waits at the version made by hand, so that one is selected.
    onMade: () => state.setVersion(null),
    // The score can make another version the best, which is the default of an ended run.
    onScore: () => {
      if (state.version === null && version) state.setVersion(version.number);
    },
  });
  const { draft } = decisions;
  const chosen = version && record.status === 'waiting' ? chosenChanges(record, version, state) : null;
  const asking = record.waitingFor !== null && record.waitingFor.asks.length > 0 ? record.waitingFor : null;

  function goToScores() {
    if (asking === null) return;
    state.setVersion(asking.version);
    // The form exists only after its version is rendered.
    setTimeout(() => focusOn(askedForm, 0));
  }

  const giveScore = (input: DecisionInput) => decisions.settle(decide(input), () => undefined);

  function sendNow() {
    if (draft === null && chosen !== null) return decisions.proposeMerge(chosen);
    if (asking !== null && draft === null) return askedForm.current?.requestSubmit() ?? goToScores();
    // A key press meant for the previous tool call must not allow one that has just appeared. So this only creates a draft.
    if (draft === null && record.waitingFor?.hook === 'onToolCall') return decisions.proposeAllow();
    if (draft) void decisions.sendDraft();
    else void decisions.continueNow();
  }

  return { decisions, dialog, setDialog, chosen, asking, askedForm, goToScores, giveScore, sendNow };
}

export type RunAnswer = ReturnType<typeof useRunAnswer>;

type RunDecisionsOptions = Pick<RunAnswerOptions, 'record' | 'decide' | 'refresh'> & {
  answered: ReadonlySet<string> | undefined;
  /** Called when a version was made by hand. */
  onMade: () => void;
  /** Called before a score is sent. */
  onScore: () => void;
};

/** Holds a person's decisions as drafts until they can no longer be undone, and reports their results. */
function useRunDecisions({ record, decide: sendDecision, refresh, answered, onMade, onScore }: RunDecisionsOptions) {
  const toast = useToast();
  const { isBusy, during } = useBusy();
  const [problem, setProblem] = useState<Problem | null>(null);

  /** Stays busy until the run is refetched, because an earlier key press would answer the previous pause. */
  const settle = useCallback(
    (action: Promise<Result<unknown>>, onResult: (result: Result<unknown>) => void) =>
      during(async () => {
        const result = await action.catch(unreachable);
        onResult(result);
        // A rejected decision changes nothing in the run, so its draft does not wait for the refetch.
        if (result.ok) await refresh(result);
        else void refresh(result);
        return result;
      }),
    [during, refresh],
  );
  const send = useCallback(
    (action: Promise<Result<unknown>>, done: string) =>
      settle(action, (result) => {
        setProblem(result.ok ? null : result.problem);
        if (result.ok) toast(done);
      }),
    [toast, settle],
  );
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  async function decide(input: DecisionInput, done: string) {
    if (isAboutScores(input) && !isLeft.current) onScore();
    const result = await send(sendDecision(input), done);
    // After the page was left, the URL belongs to another page.
    if (result.ok && createsVersion(input) && !isLeft.current) onMade();
    return result;
  }
  const { draft, propose, undo, sendNow } = useDraftDecision(decide);
  const pauseId = record.waitingFor?.pauseId;
  // A decision about one tool call must not apply to another.
  const overtaken =
    draft !== null && isAboutTool(draft.input) ? decidedMeanwhileLabel(record, draft.input.pauseId) : null;
  useEffect(() => {
    if (overtaken === null) return;
    undo();
    setProblem({ code: 'conflict', message: overtaken, field: null });
  }, [overtaken, undo]);
  const atPause = pauseOf(record);

  return {
    isBusy: isBusy || (pauseId !== undefined && answered?.has(pauseId) === true),
    problem,
    setProblem,
    settle,
    send,
    draft: overtaken === null ? draft : null,
    undo,
    /** Sends the draft. A previously rejected draft is sent to the current pause. */
    sendDraft: () => sendNow(draft?.sendsAt === null ? atPause : {}),
    sendNow,
    continueNow: () => decide({ decision: 'continue', ...atPause }, continueLabels(record).done),
    ...proposals(record, propose),
  };
}

/** Returns the pause that a decision answers. Empty if the run does not wait. */
function pauseOf({ waitingFor }: RunRecord): Pick<DecisionInput, 'pauseId'> {
  return waitingFor === null ? {} : { pauseId: waitingFor.pauseId };
}

/** Returns the version that waits to be scored. Null if there is none. */
function unscoredVersion({ waitingFor }: RunRecord): number | null {
  return waitingFor?.hook === 'onGeneration' || waitingFor?.hook === 'onRevision' ? waitingFor.version : null;
}

function continueLabels(record: RunRecord): { description: string; done: string } {
  const version = unscoredVersion(record);
  return version === null
    ? { description: 'continue', done: 'Continuing' }
    : { description: `score v${version} unchanged`, done: `Scoring v${version}` };
}

/** Returns the functions that draft a decision, each with its description and the message after it was sent. */
function proposals(record: RunRecord, propose: (decision: Omit<DraftDecision, 'sendsAt'>) => void) {
  const unjudged = unscoredVersion(record);
  const tool = record.waitingFor?.toolCall?.tool ?? 'the tool';
  const next = `v${record.versions.length}`;
  const proposeAtPause = (input: DecisionInput, description: string, done: string) =>
    propose({ input: { ...input, ...pauseOf(record) }, description, done });
  const { description: goOn, done: goingOn } = continueLabels(record);

  return {
    proposeContinue: () => proposeAtPause({ decision: 'continue' }, goOn, goingOn),
    proposeAllow: () => proposeAtPause({ decision: 'allow' }, `allow ${tool}`, `Allowed ${tool}`),
    proposeAllowWith: (toolArguments: string) =>
      proposeAtPause(
        { decision: 'allow', toolArguments },
        `allow ${tool} with your arguments`,
        `Allowed ${tool} with your arguments`,
      ),
    proposeRefuse: (reason: string) =>
      proposeAtPause(
        { decision: 'refuse', ...(reason === '' ? {} : { reason }) },
        `refuse ${tool}${reason === '' ? '' : ', with your reason'}`,
        `Refused ${tool}`,
      ),
    proposeStop: () => proposeAtPause({ decision: 'stop' }, 'stop the run here', 'Stopped'),
    proposeAccept: (version: number) =>
      proposeAtPause(
        { decision: 'accept', version },
        [
          `accept v${version}`,
          ...(version === unjudged ? ['unscored'] : []),
          ...(record.waitingFor === null ? [] : ['which ends the run']),
        ].join(', '),
        `Accepted v${version}`,
      ),
    proposeGuide: (version: number, guidance: string) =>
      proposeAtPause(
        { decision: 'revise', version, guidance },
        `revise v${version} with your guidance${unjudged === null ? '' : `, without scoring v${unjudged}`}`,
        `Revising v${version} with your guidance`,
      ),
    proposeRevert: (version: number) =>
      proposeAtPause({ decision: 'revert', version }, `revert to v${version}`, `Reverted to v${version}`),
    proposeEdit: (version: number, output: string) =>
      proposeAtPause(
        { decision: 'edit', version, output },
        `create ${next} from your edit of v${version} and score it`,
        `Created ${next} from your edit`,
      ),
    proposeMerge: ({ parents, output, label }: { parents: [number, number]; output: string; label: string }) =>
      proposeAtPause(
        { decision: 'merge', parents, output },
        `${label}. This creates ${next} and scores it`,
        `Created ${next}`,
      ),
    proposeRestore: (version: number) =>
      propose({
        input: { decision: 'restore', version },
        description: `restore the previous score of v${version}`,
        done: `Restored the score of v${version}`,
      }),
    proposeScore: (input: DecisionInput, version: number) =>
      propose({ input, description: `add your score for v${version}`, done: `Added your score for v${version}` }),
  };
}

export type RunDecisions = ReturnType<typeof useRunDecisions>;

/** True if a decision creates a version. The run then scores it and waits again. */
export function createsVersion({ decision }: Pick<DecisionInput, 'decision'>): boolean {
  return decision === 'edit' || decision === 'merge';
}

/** True if a decision concerns only the tool call of the current pause. */
function isAboutTool({ decision }: Pick<DecisionInput, 'decision'>): boolean {
  return decision === 'allow' || decision === 'refuse';
}

/** True if a decision only changes scores and answers no pause. */
export function isAboutScores({ decision }: Pick<DecisionInput, 'decision'>): boolean {
  return decision === 'override' || decision === 'restore';
}

/** Returns the error shown when the app rejected a request or did not respond. */
export function unreachable(error: unknown): Result<never> {
  return toActionFailure(error, 'Hone did not respond. Check that it is running, then try again.');
}

/** An unsent decision. `sendsAt` (epoch, ms) is null for a rejected decision that was kept. */
export type DraftDecision = { input: DecisionInput; description: string; done: string; sendsAt: number | null };

type Send = (input: DecisionInput, done: string) => Promise<Result<unknown>>;

/** Delays a decision so that it can be undone. A rejected decision is kept as a draft. Leaving the page sends the draft. */
function useDraftDecision(send: Send) {
  const [draft, setDraft] = useState<DraftDecision | null>(null);
  const toast = useToast();
  const latest = useRef({ draft, send, toast });
  latest.current = { draft, send, toast };

  const sendNow = useCallback(async (changes: Partial<DecisionInput> = {}): Promise<boolean> => {
    const { draft: unsent } = latest.current;
    if (unsent === null) return false;
    // Clears the draft first, so that neither the timer nor a second key press sends it twice.
    setDraft(null);
    latest.current.draft = null;
    const result = await latest.current.send({ ...unsent.input, ...changes }, unsent.done);
    if (!result.ok) setDraft({ ...unsent, sendsAt: null });
    return result.ok;
  }, []);

  useDelayedSend(draft?.sendsAt ?? null, sendNow);
  useEffect(
    () => () => {
      const { draft: unsent, send: sendIt, toast: showToast } = latest.current;
      if (unsent?.sendsAt == null) return;
      void sendIt(unsent.input, unsent.done).then((result) => {
        if (!result.ok) showToast(`Not sent: ${unsent.description}. ${result.problem.message}`, 'problem');
      });
    },
    [],
  );

  return {
    draft,
    /** Replaces any previous draft. */
    propose: useCallback(
      (decision: Omit<DraftDecision, 'sendsAt'>) => setDraft({ ...decision, sendsAt: Date.now() + UNDO_MS }),
      [],
    ),
    undo: useCallback(() => setDraft(null), []),
    sendNow,
  };
}
