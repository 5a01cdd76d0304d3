import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type ApiBody, callApi } from '#components/api/call-api.ts';
import { fromOptionsDraft, type OptionsDraft, toOptionsDraft } from '#components/prompt-editor/options-draft.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { isSamePrompt, type PromptBody } from '#lib/prompts/prompt.ts';
import type { KeptDraft, PromptDraft } from '#lib/prompts/schema.ts';

/** Version a draft is based on. */
export type DraftBase = { number: number } & PromptBody;

/** Prompt in the editor. Each edit creates a new object. */
export type EditedPrompt = { text: string; options: OptionsDraft };

/** Converts a stored prompt to form values. */
export function toEdited({ text, ...options }: PromptBody): EditedPrompt {
  return { text, options: toOptionsDraft(options) };
}

/** Converts form values to the request. */
export function fromEdited({ text, options }: EditedPrompt): PromptBody {
  return { text, ...fromOptionsDraft(options) };
}

/**
 * Save status of the draft: `same` as its base version, `typing` (not saved yet), `kept`, `failed` (refused or no response; retried on the
 * next edit), or `changed` in another window.
 */
type DraftStatus = 'same' | 'typing' | 'kept' | 'failed' | 'changed';

const isUnsaved = (status: DraftStatus) => status === 'typing' || status === 'failed';

/** Debounce of draft saves, in milliseconds. */
const PAUSE_MS = 500;
/** Maximum number of earlier saves that a request names. */
const MAX_UNANSWERED = 10;
/** Maximum size of the prompts in a request that is sent while the page closes, in bytes. Browsers refuse requests of more than 64 KiB. */
const MAX_LEAVING_BYTES = 60_000;

/**
 * Manages the user's draft of a prompt. Saves it after each pause and when the page is left. If two windows edit it, the later one shows a
 * conflict for the user to resolve.
 */
export function usePromptDraft(name: string, initialBase: DraftBase, initial: PromptDraft | null) {
  const [base, setBase] = useState(initialBase);
  const [edited, setEdited] = useState(() => toEdited(initial ?? initialBase));
  const [status, setStatus] = useState<DraftStatus>(initial === null ? 'same' : 'kept');
  const [theirs, setTheirs] = useState<PromptDraft | null>(null);
  const [failure, setFailure] = useState('');
  const now = useRef({ edited, base, status, since: initial?.updatedAt ?? null });
  now.current.edited = edited;
  now.current.base = base;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const keeping = useRef<Promise<void>>(Promise.resolve());
  /** Bodies of saves that have no response yet. */
  const unanswered = useRef<PromptBody[]>([]);

  const become = useCallback((next: DraftStatus) => {
    now.current.status = next;
    setStatus(next);
  }, []);

  /** Changes the ref too, because a save may start before the next render. */
  const show = useCallback((next: EditedPrompt) => {
    now.current.edited = next;
    setEdited(next);
  }, []);

  const keepOnce = useCallback(async () => {
    const { edited: sent, base: from, since, status: before } = now.current;
    if (!isUnsaved(before)) return;
    const body = fromEdited(sent);
    // Edits made during the request have their own timer.
    const becomeUnlessEdited = (next: DraftStatus) => now.current.edited === sent && become(next);
    if (isSamePrompt(body, from)) {
      const left = since === null ? succeed(null) : await deletePromptDraft(name, since);
      if (left.ok) now.current.since = null;
      else setFailure(left.problem.message);
      becomeUnlessEdited(left.ok ? 'same' : 'failed');
      return;
    }
    const count = unanswered.current.push(body);
    const save = (over: string | null) => putPromptDraft(name, { ...body, baseVersion: from.number, since: over });
    let answer = await save(since);
    const stored = answer.ok && answer.value.status === 'changed' ? answer.value.draft : null;
    // This window stored it, but the response was lost. This happens if the page was left during the save and later restored.
    if (stored !== null && unanswered.current.some((one) => isSamePrompt(one, stored)))
      answer = await save(stored.updatedAt);
    if (!answer.ok) {
      setFailure(answer.problem.message);
      return become('failed');
    }
    unanswered.current.splice(0, count);
    const saved = answer.value;
    if (saved.status === 'changed') {
      setTheirs(saved.draft);
      return become('changed');
    }
    now.current.since = saved.updatedAt;
    becomeUnlessEdited('kept');
  }, [name, become]);

  /** Saves run sequentially, because each names the state stored by the previous one. */
  const keep = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    keeping.current = keeping.current.then(keepOnce);
    return keeping.current;
  }, [keepOnce]);

  const edit = useCallback(
    (changes: Partial<EditedPrompt>) => {
      show({ ...now.current.edited, ...changes });
      if (now.current.status === 'changed') return;
      become('typing');
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = setTimeout(keep, PAUSE_MS);
    },
    [become, keep, show],
  );

  useEffect(() => {
    const leave = () => {
      const { edited: sent, base: from, since, status: last } = now.current;
      const body = fromEdited(sent);
      if (!isUnsaved(last) || isSamePrompt(body, from)) return;
      // A save before it may be stored, but its response will not be read.
      const before = listFittingSaves(unanswered.current, body);
      unanswered.current.push(body);
      void putPromptDraft(name, { ...body, baseVersion: from.number, since, unanswered: before }, true);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      void keep();
    };
  }, [name, keep]);

  return {
    ...edited,
    /** Draft in the format of the request. */
    body: useMemo(() => fromEdited(edited), [edited]),
    base,
    status,
    /** Reason the save failed, if the status is `failed`. */
    failure,
    theirs,
    edit,
    keep,
    /** Replaces the local draft by the other window's draft or saved version. */
    takeTheirs: (other: PromptDraft | null) => {
      now.current.since = other?.updatedAt ?? null;
      show(toEdited(other ?? now.current.base));
      setTheirs(null);
      become(other === null ? 'same' : 'kept');
    },
    /** Overwrites the other window's draft with the local one. */
    keepMine: (other: PromptDraft | null) => {
      now.current.since = other?.updatedAt ?? null;
      setTheirs(null);
      become('typing');
      void keep();
    },
    /** Changes the version the draft is based on. */
    rebase: (next: DraftBase) => {
      now.current.base = next;
      setBase(next);
      show(toEdited(next));
      become('typing');
      void keep();
    },
    /** Called after the draft was saved as a version. The server has deleted the draft. */
    saved: (version: DraftBase) => {
      now.current.since = null;
      now.current.base = version;
      setBase(version);
      if (isSamePrompt(fromEdited(now.current.edited), version)) become('same');
    },
  };
}
export type PromptDraftState = ReturnType<typeof usePromptDraft>;

/** Returns the newest earlier saves that fit into one request with the draft while the page closes. */
function listFittingSaves(saves: readonly PromptBody[], draft: PromptBody): PromptBody[] {
  const sizeOf = (body: PromptBody) => new TextEncoder().encode(JSON.stringify(body)).length;
  const fitting: PromptBody[] = [];
  let left = MAX_LEAVING_BYTES - sizeOf(draft);
  for (const save of saves.slice(-MAX_UNANSWERED).toReversed()) {
    left -= sizeOf(save);
    if (left < 0) break;
    fitting.push(save);
  }
  return fitting;
}

/** Saves a draft, or returns the error. `isLeaving`: the page may close before the response arrives. */
function putPromptDraft(
  name: string,
  body: ApiBody<'PUT /api/v1/prompts/{name}/draft'>,
  isLeaving = false,
): Promise<Result<KeptDraft>> {
  return callApi('PUT /api/v1/prompts/{name}/draft', { params: { name }, body, keepalive: isLeaving });
}

/** Deletes the draft last saved at `since`, or returns the error. */
async function deletePromptDraft(name: string, since: string): Promise<Result<null>> {
  const left = await callApi('DELETE /api/v1/prompts/{name}/draft', { params: { name }, query: { since } });
  return left.ok ? succeed(null) : left;
}
