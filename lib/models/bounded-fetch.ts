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
    if (response.body === null) return response;
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new ReplyTooLargeError(maxBytes));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(bound), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}
