import { useCallback, useEffect, useRef, useState } from 'react';
import { type ApiBody, callApi } from '#components/api/call-api.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { KeptDraft, PromptDraft } from '#lib/prompts/schema.ts';

/** The version that a draft was made from. */
export type DraftBase = { number: number; text: string };

/**
 * How what is typed is kept: `same` as the version it was made from, `typing` (not kept yet), `kept`, `failed` (refused, or Hone did not
 * answer; tried again with the next word), or `changed` in another window.
 */
type DraftStatus = 'same' | 'typing' | 'kept' | 'failed' | 'changed';

/** Typing that pauses for so long is kept, in milliseconds. */
const PAUSE_MS = 500;

/** A person's draft of a prompt: kept shortly after they pause, and as they leave. The later of two windows is told, and decides. */
export function usePromptDraft(name: string, initialBase: DraftBase, initial: PromptDraft | null) {
  const [base, setBase] = useState(initialBase);
  const [text, setShown] = useState(initial?.text ?? initialBase.text);
  const [status, setStatus] = useState<DraftStatus>(initial === null ? 'same' : 'kept');
  const [theirs, setTheirs] = useState<PromptDraft | null>(null);
  const [failure, setFailure] = useState('');
  const now = useRef({ text, base, status, since: initial?.updatedAt ?? null });
  now.current.text = text;
  now.current.base = base;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const keeping = useRef<Promise<void>>(Promise.resolve());

  const become = useCallback((next: DraftStatus) => {
    now.current.status = next;
    setStatus(next);
  }, []);

  const keepOnce = useCallback(async () => {
    const { text: sent, base: from, since, status: before } = now.current;
    if (before !== 'typing' && before !== 'failed') return;
    if (sent === from.text) {
      const left = since === null ? succeed(null) : await fetchLeftDraft(name, since);
      if (left.ok) now.current.since = null;
      else setFailure(left.problem.message);
      if (now.current.text === sent) become(left.ok ? 'same' : 'failed');
      return;
    }
    const answer = await fetchKeptDraft(name, { text: sent, baseVersion: from.number, since });
    if (!answer.ok) {
      setFailure(answer.problem.message);
      return become('failed');
    }
    const kept = answer.value;
    if (kept.status === 'changed') {
      setTheirs(kept.draft);
      return become('changed');
    }
    now.current.since = kept.updatedAt;
    // What was typed meanwhile has its own timer.
    if (now.current.text === sent) become('kept');
  }, [name, become]);

  /** One after another: each names the state that the one before it made. */
  const keep = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    keeping.current = keeping.current.then(keepOnce);
    return keeping.current;
  }, [keepOnce]);

  const setText = useCallback(
    (next: string) => {
      now.current.text = next;
      setShown(next);
      if (now.current.status === 'changed') return;
      become('typing');
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = setTimeout(keep, PAUSE_MS);
    },
    [become, keep],
  );

  useEffect(() => {
    const leave = () => {
      const { text: sent, base: from, since, status: last } = now.current;
      if (last !== 'typing' || sent === from.text) return;
      void fetchKeptDraft(name, { text: sent, baseVersion: from.number, since }, true);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      void keep();
    };
  }, [name, keep]);

  return {
    text,
    base,
    status,
    /** Why it was not kept, where its status is `failed`. */
    failure,
    theirs,
    setText,
    keep,
    /** What the other window kept, or the version it saved, takes the place of what is here. */
    takeTheirs: (other: PromptDraft | null) => {
      now.current.since = other?.updatedAt ?? null;
      const next = other?.text ?? now.current.base.text;
      now.current.text = next;
      setShown(next);
      setTheirs(null);
      become(other === null ? 'same' : 'kept');
    },
    /** What is here takes the place of what the other window kept. */
    keepMine: (other: PromptDraft | null) => {
      now.current.since = other?.updatedAt ?? null;
      setTheirs(null);
      become('typing');
      void keep();
    },
    /** Another version is what is edited from now on; the text goes with it unless another one is given. */
    rebase: (next: DraftBase, nextText = next.text) => {
      now.current.base = next;
      setBase(next);
      now.current.text = nextText;
      setShown(nextText);
      become('typing');
      void keep();
    },
    /** The draft was saved as a version: the server has dropped it. */
    saved: (version: DraftBase) => {
      now.current.since = null;
      now.current.base = version;
      setBase(version);
      if (now.current.text === version.text) become('same');
    },
  };
}
export type PromptDraftState = ReturnType<typeof usePromptDraft>;

/** Keeps a draft, or says why it is not kept. `isLeaving`: the page may be gone before the answer comes. */
function fetchKeptDraft(
  name: string,
  body: ApiBody<'PUT /api/v1/prompts/{name}/draft'>,
  isLeaving = false,
): Promise<Result<KeptDraft>> {
  return callApi('PUT /api/v1/prompts/{name}/draft', { params: { name }, body, keepalive: isLeaving });
}

/** Forgets the draft that was last kept at `since`, or says why it is still there. */
async function fetchLeftDraft(name: string, since: string): Promise<Result<null>> {
  const left = await callApi('DELETE /api/v1/prompts/{name}/draft', { params: { name }, query: { since } });
  return left.ok ? succeed(null) : left;
}
