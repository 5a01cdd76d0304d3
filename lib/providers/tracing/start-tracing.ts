import { redactSecrets } from '#lib/providers/call/redact-secrets.ts';
import type { TraceProtocol } from './open-tracer.ts';

type Variables = Record<string, string | undefined>;
type Options = {
  /** Reports to the operator that spans are not sent, and why. The message contains no secrets. */
  warn: (message: string) => void;
  /** Maximum time to send the remaining spans at shutdown, in milliseconds (2,000). */
  lastSendMs?: number;
};

/**
 * Starts sending spans if OpenTelemetry's standard variables define an exporter. Otherwise nothing is loaded and calls have no overhead.
 * Returns a function that sends the remaining spans and stops. An exporter failure is reported once and affects nothing else.
 */
export async function startTracing(
  variables: Variables,
  { warn, lastSendMs = 2_000 }: Options,
): Promise<() => Promise<void>> {
  const url = exporterUrl(variables);
  if (url === null) return async () => undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    warn('tracing is off: OTEL_EXPORTER_OTLP_ENDPOINT is not an http:// or https:// address.');
    return async () => undefined;
  }
  const protocol = protocolOf(variables);
  if (protocol === null) {
    warn(
      'tracing is off: OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json. Also set the endpoint to the HTTP port of the collector, usually 4318.',
    );
    return async () => undefined;
  }
  const { openTracer } = await import('./open-tracer.ts');
  let isReported = false;
  const onFailure = (error: unknown) => {
    if (isReported) return;
    isReported = true;
    const status = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
    const message = error instanceof Error ? error.message : String(error);
    const why = redactSecrets(status === null ? message : `${status} ${message}`, null).slice(0, 300);
    const where = new URL(url).origin;
    const remedy = REMEDIES.get(status) ?? '';
    warn(
      `tracing: spans could not be sent to ${where} (${why}).${remedy} Runs continue. Hone keeps trying and does not repeat this message.`,
    );
  };
  const { tracer, close } = openTracer({
    url,
    protocol,
    resource: { 'service.name': 'hone', ...resourceOf(variables) },
    capturesContent: /^(true|span_only|span_and_event)$/i.test(
      variables.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.trim() ?? '',
    ),
    onFailure,
  });
  globalThis.honeTracer = tracer;
  return async () => {
    globalThis.honeTracer = undefined;
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => resolve('late'), lastSendMs);
    const ended = await Promise.race([close().catch(onFailure), late]);
    clearTimeout(timer);
    if (ended === 'late') onFailure('no answer before the end');
  };
}

const AUTHENTICATE = ' Check OTEL_EXPORTER_OTLP_HEADERS.';
/** What to check, by status of the response of a collector. */
const REMEDIES = new Map<number | null, string>([
  [401, AUTHENTICATE],
  [403, AUTHENTICATE],
  [
    404,
    ' Check the path. Hone adds /v1/traces to OTEL_EXPORTER_OTLP_ENDPOINT, but not to OTEL_EXPORTER_OTLP_TRACES_ENDPOINT.',
  ],
]);

/** Returns the URL that spans are sent to. Source: OpenTelemetry protocol exporter specification. */
function exporterUrl(variables: Variables): string | null {
  const of = (name: string) => variables[name]?.trim() || null;
  if (of('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || of('OTEL_TRACES_EXPORTER') === 'none') return null;
  const endpoint = of('OTEL_EXPORTER_OTLP_ENDPOINT');
  return of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (endpoint && `${endpoint.replace(/\/+$/, '')}/v1/traces`);
}

/** Returns the encoding of spans, or null for a protocol that Hone does not send. */
function protocolOf(variables: Variables): TraceProtocol | null {
  const named = variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?.trim() || variables.OTEL_EXPORTER_OTLP_PROTOCOL?.trim();
  switch (named || 'http/protobuf') {
    case 'http/protobuf':
      return 'http/protobuf';
    case 'http/json':
      return 'http/json';
    default:
      return null;
  }
}

/** Returns the resource attributes set by the operator. */
function resourceOf({
  OTEL_RESOURCE_ATTRIBUTES: attributes,
  OTEL_SERVICE_NAME: name,
}: Variables): Record<string, string> {
  const pairs = (attributes ?? '').split(',').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === '' || value.length === 0 ? [] : [[key.trim(), decoded(value.join('=').trim())]];
  });
  return { ...Object.fromEntries(pairs), ...(name?.trim() ? { 'service.name': name.trim() } : {}) };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
