import { createServer } from 'node:http';
import { z } from 'zod';
import { listenLocally } from '#lib/testing/scripted-server.test-support.ts';
import { readTraceRequest } from './read-protobuf.test-support.ts';

const value = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
  arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string().optional() })) }).optional(),
});
const attributes = z.array(z.object({ key: z.string(), value })).default([]);
const body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes,
              status: z.object({ code: z.number().optional(), message: z.string().optional() }).default({}),
            }),
          ),
        }),
      ),
    }),
  ),
});

type CollectedSpan = {
  traceId: string;
  spanId: string;
  parent: string | null;
  name: string;
  service: unknown;
  attributes: Record<string, unknown>;
  error: string | null;
};

/** Starts a small in-process OpenTelemetry collector for tests: OTLP over HTTP. `status` and `answer`: its response. */
export async function startCollector(status = 200, answer: string | Buffer = '') {
  const spans: CollectedSpan[] = [];
  const requests: { url: string; headers: Record<string, unknown>; raw: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const raw = bytes.toString('utf8');
      const contentType = request.headers['content-type'] ?? '';
      requests.push({ url: request.url ?? '', headers: request.headers, raw });
      if (status === 200)
        spans.push(...readSpans(contentType === 'application/json' ? JSON.parse(raw) : readTraceRequest(bytes)));
      response.writeHead(status, { 'content-type': contentType }).end(answer);
    });
  });
  const { url, close } = await listenLocally(server);
  /** `endpoint`: value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  return { endpoint: url, spans, requests, stop: close };
}

function readSpans(sent: unknown): CollectedSpan[] {
  return body.parse(sent).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = record(resource.attributes)['service.name'];
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parent: span.parentSpanId ?? null,
        name: span.name,
        service,
        attributes: record(span.attributes),
        error: span.status.code === 2 ? (span.status.message ?? '') : null,
      })),
    );
  });
}

function record(list: z.infer<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value: { stringValue, intValue, doubleValue, boolValue, arrayValue } }) => [
      key,
      stringValue ??
        (intValue === undefined ? undefined : Number(intValue)) ??
        doubleValue ??
        boolValue ??
        arrayValue?.values.map((one) => one.stringValue),
    ]),
  );
}
