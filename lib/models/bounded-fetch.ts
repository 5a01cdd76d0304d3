/** A provider sent more than `maxBytes` in one reply. */
export class ReplyTooLargeError extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the reply is larger than ${Math.round(maxBytes / 1_000_000)} MB`);
    this.name = 'ReplyTooLargeError';
    this.maxBytes = maxBytes;
  }
}

/**
 * `fetch` that reads at most `maxBytes` of a reply's body; reading on throws a ReplyTooLargeError. It follows no redirects:
 * a key must not go to another address than the one it was entered for.
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (response.body === null || saysItFits(response, maxBytes)) return response;
    return new Response(boundedBody(response.body, maxBytes), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/** An uncompressed body ends at the length its header says, so nothing need be counted. */
function saysItFits({ headers }: Response, maxBytes: number): boolean {
  const length = headers.get('content-length');
  return length !== null && /^\d+$/.test(length) && Number(length) <= maxBytes && !headers.has('content-encoding');
}

function boundedBody(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        bytes += value.byteLength;
        if (bytes <= maxBytes) return controller.enqueue(value);
        controller.error(new ReplyTooLargeError(maxBytes));
        await reader.cancel();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
