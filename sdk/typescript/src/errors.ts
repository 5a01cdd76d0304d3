export type HoneErrorDetails = {
  /** HTTP status. 0 if there was no response. */
  status: number;
  /** Code of the API, such as `invalid` or `not_found`, or `unreachable`, `timeout`, `held` and `malformed` of the SDK. */
  code: string;
  message: string;
  /** The field of the request that caused it, such as `criteria.0.name`. */
  field?: string | null;
  /** What to do about it, where the message does not say so itself. */
  remedy?: string | null;
  /** Seconds after which Hone accepts the request again. */
  retryAfterSeconds?: number | null;
};

/** A request that Hone refused or did not answer. The message says what happened and what to do. */
export class HoneError extends Error {
  override name = 'HoneError';
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly remedy: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(details: HoneErrorDetails, cause?: unknown) {
    const { status, code, message, field = null, remedy = null, retryAfterSeconds = null } = details;
    super(remedy === null ? message : `${message} ${remedy}`, { cause });
    this.status = status;
    this.code = code;
    this.field = field;
    this.remedy = remedy;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True if Hone is down or busy, so that the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}
