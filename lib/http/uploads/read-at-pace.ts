import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';

/** Minimum speed of a request body. */
export type BodyPace = {
  /** Minimum bytes per second, averaged over each `windowMs`. */
  minBytesPerSecond: number;
  windowMs: number;
  /** Maximum time for the whole body. */
  totalMs: number;
};

export type UploadLimits = BodyPace & {
  /** Maximum number of concurrent uploads per person, in one process. */
  perPerson: number;
};

/** Limits of every route. Node's own `requestTimeout` is longer, so that these apply first. */
export const UPLOAD_LIMITS: UploadLimits = {
  minBytesPerSecond: 1_000,
  windowMs: 15_000,
  totalMs: 300_000,
  perPerson: 4,
};

/** If a timer fires this late, the process was busy. The client is then not considered slow. */
const LATE_MS = 1_000;

/**
 * Streams the chunks of a body. Ends with a problem if it is slower than `pace` (`too_slow`) or the connection breaks (`invalid`). Does not
 * cancel the stream: the connection must be closed after the response.
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
    /** Resolves to the read chunk, or to the problem as soon as there is one. */
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
