import { AsyncLocalStorage } from 'node:async_hooks';

/** What one try at a call changes in its request, and how far it has come. */
export type TryContext = {
  /** Top-level fields of the request's JSON body to rename (by a name) or to leave out (null). */
  bodyEdits: Readonly<Record<string, string | null>>;
  /** The whole request was handed to the network. */
  isSent: boolean;
  /** A response with a good status began. */
  isAnswered: boolean;
  /** Tokens of the request, estimated by its length. */
  inputTokens: number;
  /** Characters received so far: text, thinking and arguments of tools. */
  receivedLength: number;
};

/** The AI SDK gives `fetch` nothing of the call it belongs to. */
const tries = new AsyncLocalStorage<TryContext>();

export function newTryContext(bodyEdits: TryContext['bodyEdits'] = {}): TryContext {
  return { bodyEdits, isSent: false, isAnswered: false, inputTokens: 0, receivedLength: 0 };
}

/** Performs a try; requests made meanwhile find its context by `currentTry`. */
export function inTry<Value>(context: TryContext, work: () => Value): Value {
  return tries.run(context, work);
}

export function currentTry(): TryContext | undefined {
  return tries.getStore();
}

/** A request's JSON body with the try's changes; a body that is no JSON object is left alone. */
export function editedBody(body: string, edits: TryContext['bodyEdits']): string {
  if (Object.keys(edits).length === 0) return body;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return body;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return body;
  const edited = Object.entries(parsed).flatMap(([name, value]) => {
    if (!Object.hasOwn(edits, name)) return [[name, value]];
    const newName = edits[name];
    return newName === null || newName === undefined ? [] : [[newName, value]];
  });
  return JSON.stringify(Object.fromEntries(edited));
}
