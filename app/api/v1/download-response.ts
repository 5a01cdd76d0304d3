import type { Download } from '#lib/runs/exchange/download.ts';

/** A file that a browser saves, read only as fast as it is taken; a HEAD request gets its headers alone. */
export function downloadResponse(request: Request, { type, name, chunks }: Download): Response {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
  return new Response(request.method === 'HEAD' ? null : streamOf(chunks), { headers });
}

/** Left in the middle, the rest is not read at all. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
