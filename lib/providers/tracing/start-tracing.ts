import { redactSecrets } from '#lib/providers/call/redact-secrets.ts';

type Variables = Record<string, string | undefined>;
type Options = {
  /** Tells the person who started Hone that spans are not sent, and why; no secret in it. */
  tell: (message: string) => void;
  /** How long what is not sent yet may take at the end, in milliseconds (2,000). */
  lastSendMs?: number;
};

/**
 * Begins to send spans where the standard variables of OpenTelemetry name an exporter; else nothing is loaded and calls cost nothing
 * more. Answers what sends the rest and ends it. An exporter that fails is told of once, and touches nothing else.
 */
export async function startTracing(
  variables: Variables,
  { tell, lastSendMs = 2_000 }: Options,
): Promise<() => Promise<void>> {
  const url = exporterUrl(variables);
  if (url === null) return async () => undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    tell('tracing is off: OTEL_EXPORTER_OTLP_ENDPOINT is not an http:// or https:// address.');
    return async () => undefined;
  }
  const { openTracer } = await import('./open-tracer.ts');
  let isTold = false;
  const onFailure = (error: unknown) => {
    if (isTold) return;
    isTold = true;
    const why = redactSecrets(error instanceof Error ? error.message : String(error), null).slice(0, 300);
    const where = new URL(url).origin;
    tell(
      `tracing: spans could not be sent to ${where} (${why}). Runs continue. Hone keeps trying and does not repeat this message.`,
    );
  };
  const { tracer, close } = openTracer({
    url,
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

/** Where spans go. Source: OpenTelemetry protocol exporter specification. */
function exporterUrl(variables: Variables): string | null {
  const of = (name: string) => variables[name]?.trim() || null;
  if (of('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || of('OTEL_TRACES_EXPORTER') === 'none') return null;
  const endpoint = of('OTEL_EXPORTER_OTLP_ENDPOINT');
  return of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (endpoint && `${endpoint.replace(/\/+$/, '')}/v1/traces`);
}

/** What the person who started Hone says of it. */
function resourceOf({ OTEL_RESOURCE_ATTRIBUTES: given, OTEL_SERVICE_NAME: name }: Variables): Record<string, string> {
  const pairs = (given ?? '').split(',').flatMap((pair) => {
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
