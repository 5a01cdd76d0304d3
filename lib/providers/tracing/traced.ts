/** What a span tells; `undefined` is left out. Names: OpenTelemetry's semantic conventions for generative AI, and `hone.*`. */
export type SpanAttributes = Record<string, string | number | boolean | string[] | undefined>;

/** `inherited` goes to every span inside of it too. */
export type SpanStart = {
  name: string;
  kind: 'client' | 'internal';
  attributes: SpanAttributes;
  inherited?: SpanAttributes;
};
/** `error`: its type, and a message fit to be sent away. */
export type SpanEnd = { attributes?: SpanAttributes; error?: { type: string; message: string } | null };

export type Tracer = {
  /** Whether spans may hold what was said, redacted; the person who started Hone decides. */
  capturesContent: boolean;
  /** Does `work` in a span. What goes wrong with the span itself is never seen by the work. */
  inSpan<Value>(start: SpanStart, work: () => Promise<Value>, endOf: (value: Value) => SpanEnd): Promise<Value>;
};

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeTracer: Tracer | undefined;
}

/** Does some work, in a span where an exporter is configured. Nothing is made of the span where none is. */
export function traced<Value>(
  startOf: (capturesContent: boolean) => SpanStart,
  work: () => Promise<Value>,
  endOf: (value: Value, capturesContent: boolean) => SpanEnd,
): Promise<Value> {
  const tracer = globalThis.honeTracer;
  if (tracer === undefined) return work();
  const { capturesContent } = tracer;
  return tracer.inSpan(startOf(capturesContent), work, (value) => endOf(value, capturesContent));
}
