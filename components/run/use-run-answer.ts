import { useRef, useState } from 'react';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { focusOn } from './asked-scores.tsx';
import { chosenChanges } from './chosen-changes.ts';
import type { DecisionInput, RunActions } from './run-actions.ts';
import type { RunDialog } from './run-dialogs.tsx';
import { isAboutScores, isByHand, unreachable, useRunDecisions } from './use-run-decisions.ts';
import type { RunPageState } from './use-run-page-state.ts';

type RunAnswerOptions = {
  record: RunRecord;
  /** The one that is looked at. */
  version: VersionRecord | undefined;
  state: RunPageState;
  decide: RunActions['decide'];
  refresh: () => void;
  /** A verdict was sent: on to the next that waits. */
  onSent: () => Promise<void>;
};

/** All that a person can answer a run with: decisions as drafts, the question that is open before one, scores that are asked. */
export function useRunAnswer({ record, version, state, decide, refresh, onSent }: RunAnswerOptions) {
  const [dialog, setDialog] = useState<RunDialog | null>(null);
  const askedForm = useRef<HTMLFormElement>(null);
  // What was made by hand is what the run now waits at.
  const decisions = useRunDecisions({ record, decide, refresh, onMade: () => state.setVersion(null) });
  const { draft } = decisions;
  const chosen = version && record.status === 'waiting' ? chosenChanges(record, version, state) : null;
  const asking = record.waitingFor !== null && record.waitingFor.asks.length > 0 ? record.waitingFor : null;

  function goToScores() {
    if (asking === null) return;
    state.setVersion(asking.version);
    // The form is there once its version is shown.
    setTimeout(() => focusOn(askedForm, 0));
  }

  async function giveScore(input: DecisionInput) {
    const result = await decide(input).catch(unreachable);
    refresh();
    return result;
  }

  async function sendAndGoOn() {
    if (draft === null && chosen !== null) return decisions.proposeMerge(chosen);
    if (asking !== null && draft === null) return askedForm.current?.requestSubmit() ?? goToScores();
    // A score answers no pause, and a version by hand is asked about again: the run still waits here.
    if (draft && (isAboutScores(draft.input) || isByHand(draft.input))) return void decisions.sendDraft();
    // A use of a tool that came into sight only now must not be allowed by a key that was meant for the one before it.
    if (draft === null && record.waitingFor?.hook === 'onToolCall') return decisions.proposeAllow();
    const isSent = draft ? await decisions.sendDraft() : (await decisions.continueNow()).ok;
    if (isSent) await onSent();
  }

  return { decisions, dialog, setDialog, chosen, asking, askedForm, goToScores, giveScore, sendAndGoOn };
}

export type RunAnswer = ReturnType<typeof useRunAnswer>;
