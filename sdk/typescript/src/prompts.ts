import { HoneError } from './errors.ts';
import type { Api } from './generated/api.ts';
import type { PromptText } from './generated/types.ts';

export type PromptOptions = {
  /** The label of the version to read. Without label and version: the newest. */
  label?: string;
  version?: number;
  /** Cache duration of a text in seconds. Default: 60. */
  ttlSeconds?: number;
  /** The text to use if Hone is down and no text is cached. */
  fallback?: string;
};

export type Prompt = {
  name: string;
  text: string;
  /** Tools that the model may call. Your app runs them. */
  tools: PromptText['tools'];
  /** JSON Schema of the response. Null: free text. */
  responseSchema: PromptText['responseSchema'];
  /** Null for a fallback. */
  version: number | null;
  labels: string[];
  /** `stale`: cached longer ago than `ttlSeconds`, because Hone is down. */
  source: 'hone' | 'stale' | 'fallback';
};

/** Seconds without further requests after Hone did not respond. */
const RETRY_SECONDS = 10;
const TIMEOUT_SECONDS = 5;

type Entry = { prompt: Prompt | null; freshUntil: number; reading: Promise<Prompt> | null };

/** Prompts of the library, cached in memory so that an app works while Hone is down. */
export class Prompts {
  readonly #api: Api;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(api: Api, now: () => number = Date.now) {
    this.#api = api;
    this.#now = now;
  }

  /** Returns the text of a prompt. Throws if Hone rejects the request, or if it is down and there is no cached text and no fallback. */
  async get(name: string, options: PromptOptions = {}): Promise<Prompt> {
    const { label, version, ttlSeconds = 60, fallback } = options;
    const key = JSON.stringify([name, label, version]);
    const entry = this.#entries.get(key) ?? { prompt: null, freshUntil: 0, reading: null };
    this.#entries.set(key, entry);
    const isFresh = this.#now() < entry.freshUntil;
    if (isFresh && entry.prompt !== null) return entry.prompt;
    if (isFresh && fallback !== undefined) return fallbackPrompt(name, fallback);
    try {
      entry.reading ??= this.#read(name, { ...(label && { label }), ...(version && { version }) });
      entry.prompt = await entry.reading;
      entry.freshUntil = this.#now() + ttlSeconds * 1000;
      return entry.prompt;
    } catch (error) {
      if (!(error instanceof HoneError && error.isTemporary)) throw error;
      entry.freshUntil = this.#now() + Math.min(ttlSeconds, RETRY_SECONDS) * 1000;
      if (entry.prompt !== null) {
        entry.prompt = { ...entry.prompt, source: 'stale' };
        return entry.prompt;
      }
      if (fallback === undefined) throw error;
      return fallbackPrompt(name, fallback);
    } finally {
      entry.reading = null;
    }
  }

  async #read(name: string, query: { label?: string; version?: number }): Promise<Prompt> {
    const options = { timeoutSeconds: TIMEOUT_SECONDS, retries: 0 };
    const read = await this.#api.getPromptText(name, query, options);
    // Older servers do not send these fields.
    const { text, tools = [], responseSchema = null, version, labels } = read;
    return { name: read.name, text, tools, responseSchema, version, labels, source: 'hone' };
  }
}

function fallbackPrompt(name: string, text: string): Prompt {
  return { name, text, tools: [], responseSchema: null, version: null, labels: [], source: 'fallback' };
}
