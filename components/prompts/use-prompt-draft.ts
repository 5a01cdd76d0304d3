import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type ApiBody, callApi } from '#components/api/call-api.ts';
import { fromOptionsDraft, type OptionsDraft, toOptionsDraft } from '#components/prompt-editor/options-draft.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { isSamePrompt, type PromptBody } from '#lib/prompts/prompt-body.ts';
import type { KeptDraft, PromptDraft } from '#lib/prompts/schema.ts';

/** The version that a draft was made from. */
export type DraftBase = { number: number } & PromptBody;

/** A prompt while it is edited. Each edit makes another object. */
export type EditedPrompt = { text: string; options: OptionsDraft };

/** A stored prompt ready to be edited. */
export function toEdited({ text, ...options }: PromptBody): EditedPrompt {
  return { text, options: toOptionsDraft(options) };
}

/** An edited prompt as it is sent. */
export function fromEdited({ text, options }: EditedPrompt): PromptBody {
  return { text, ...fromOptionsDraft(options) };
}

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
  const [edited, setShown] = useState(() => toEdited(initial ?? initialBase));
  const [status, setStatus] = useState<DraftStatus>(initial === null ? 'same' : 'kept');
  const [theirs, setTheirs] = useState<PromptDraft | null>(null);
  const [failure, setFailure] = useState('');
  const now = useRef({ edited, base, status, since: initial?.updatedAt ?? null });
  now.current.edited = edited;
  now.current.base = base;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const keeping = useRef<Promise<void>>(Promise.resolve());

  const become = useCallback((next: DraftStatus) => {
    now.current.status = next;
    setStatus(next);
  }, []);

  const keepOnce = useCallback(async () => {
    const { edited: sent, base: from, since, status: before } = now.current;
    if (before !== 'typing' && before !== 'failed') return;
    const body = fromEdited(sent);
    if (isSamePrompt(body, from)) {
      const left = since === null ? succeed(null) : await fetchLeftDraft(name, since);
      if (left.ok) now.current.since = null;
      else setFailure(left.problem.message);
      if (now.current.edited === sent) become(left.ok ? 'same' : 'failed');
      return;
    }
    const answer = await fetchKeptDraft(name, { ...body, baseVersion: from.number, since });
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
    if (now.current.edited === sent) become('kept');
  }, [name, become]);

  /** One after another: each names the state that the one before it made. */
  const keep = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    keeping.current = keeping.current.then(keepOnce);
    return keeping.current;
  }, [keepOnce]);

  const edit = useCallback(
    (changes: Partial<EditedPrompt>) => {
      const next = { ...now.current.edited, ...changes };
      now.current.edited = next;
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
      const { edited: sent, base: from, since, status: last } = now.current;
      const body = fromEdited(sent);
      if (last !== 'typing' || isSamePrompt(body, from)) return;
      void fetchKeptDraft(name, { ...body, baseVersion: from.number, since }, true);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      void keep();
    };
  }, [name, keep]);

  return {
    ...edited,
    /** As it is sent. */
    body: useMemo(() => fromEdited(edited), [edited]),
    base,
    status,
    /** Why it was not kept, where its status is `failed`. */
    failure,
    theirs,
    edit,
    keep,
    /** What the other window kept, or the version it saved, takes the place of what is here. */
    takeTheirs: (other: PromptDraft | null) => {
      now.current.since = other?.updatedAt ?? null;
      const next = toEdited(other ?? now.current.base);
      now.current.edited = next;
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
    /** Another version is what is edited from now on. */
    rebase: (next: DraftBase) => {
      now.current.base = next;
      setBase(next);
      now.current.edited = toEdited(next);
      setShown(now.current.edited);
      become('typing');
      void keep();
    },
    /** The draft was saved as a version: the server has dropped it. */
    saved: (version: DraftBase) => {
      now.current.since = null;
      now.current.base = version;
      setBase(version);
      if (isSamePrompt(fromEdited(now.current.edited), version)) become('same');
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
