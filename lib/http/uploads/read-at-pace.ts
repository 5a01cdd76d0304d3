import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';

/** How slowly a request body may arrive. */
export type BodyPace = {
  /** The fewest bytes per second, averaged over each `windowMs`. */
  minBytesPerSecond: number;
  windowMs: number;
  /** The longest that the whole body may take. */
  totalMs: number;
};

export type UploadLimits = BodyPace & {
  /** The most uploads of one person at the same time, in one process. */
  perPerson: number;
};

/** The limits of every route. Node's own `requestTimeout` is set longer, so that these are the ones that answer. */
export const UPLOAD_LIMITS: UploadLimits = {
  minBytesPerSecond: 1_000,
  windowMs: 15_000,
  totalMs: 300_000,
  perPerson: 4,
};

/** A timer that fires this much later than it was set for says that the process was busy, not that the client was slow. */
const LATE_MS = 1_000;

/**
 * The pieces of a body as they arrive. Ends with a problem where the body is slower than `pace` allows (`too_slow`) or where its
 * connection breaks (`invalid`). The stream is not cancelled: the connection is to be closed after the answer.
 */
export async function* readAtPace(
  body: ReadableStream<Uint8Array>,
  pace: BodyPace,
): AsyncGenerator<Result<Uint8Array>, void, undefined> {
  const reader = body.getReader();
  const watch = watchPace(pace);
  try {
    while (true) {
      const piece = await watch.orTooSlow(reader.read());
      if (!piece.ok) return yield piece;
      if (piece.value.done) return;
      watch.count(piece.value.value.byteLength);
      yield succeed(piece.value.value);
    }
  } finally {
    watch.stop();
  }
}

type Read = ReadableStreamReadResult<Uint8Array>;

function watchPace({ minBytesPerSecond, windowMs, totalMs }: BodyPace) {
  const needed = (minBytesPerSecond * windowMs) / 1_000;
  let problem: Problem | null = null;
  let giveUp: (() => void) | null = null;
  let arrived = 0;
  let due = performance.now() + windowMs;

  function stopWith(message: string) {
    stop();
    problem = fail('too_slow', `${message} Nothing was stored. ${REMEDY}`).problem;
    giveUp?.();
  }
  function look() {
    const late = performance.now() - due;
    if (arrived < needed && late < LATE_MS)
      return stopWith(`The body arrived at less than ${minBytesPerSecond} bytes per second for ${windowMs / 1_000} s.`);
    arrived = 0;
    due = performance.now() + windowMs;
    timer = setTimeout(look, windowMs);
  }
  let timer = setTimeout(look, windowMs);
  const total = setTimeout(() => stopWith(`The body took longer than ${totalMs / 1_000} s.`), totalMs);
  function stop() {
    clearTimeout(timer);
    clearTimeout(total);
  }

  return {
    stop,
    count(bytes: number) {
      arrived += bytes;
    },
    /** What was read, or the problem as soon as there is one. */
    orTooSlow(read: Promise<Read>): Promise<Result<Read>> {
      return new Promise((resolve) => {
        giveUp = () => problem && resolve({ ok: false, problem });
        giveUp();
        read.then(
          (piece) => resolve(succeed(piece)),
          () => resolve(fail('invalid', BROKEN)),
        );
      });
    },
  };
}

const REMEDY = 'Send it again over a faster connection, or in several smaller parts.';
const BROKEN = 'The connection ended before the whole body had arrived. Nothing was stored. Send it again.';
