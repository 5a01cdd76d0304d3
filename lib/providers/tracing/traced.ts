/** Attributes of a span. `undefined` ones are left out. Names: OpenTelemetry's semantic conventions for generative AI, and `hone.*`. */
export type SpanAttributes = Record<string, string | number | boolean | string[] | undefined>;

/** Start of a span. `inherited` attributes are also set on every span inside it. */
export type SpanStart = {
  name: string;
  kind: 'client' | 'internal';
  attributes: SpanAttributes;
  inherited?: SpanAttributes;
};
/** End of a span. `error` has a type and a message that is safe to export. */
export type SpanEnd = { attributes?: SpanAttributes; error?: { type: string; message: string } | null };

export type Tracer = {
  /** True if spans may contain message content, redacted. The operator decides. */
  capturesContent: boolean;
  /** Runs `work` in a span. Errors of the span itself do not affect the work. */
  inSpan<Value>(start: SpanStart, work: () => Promise<Value>, endOf: (value: Value) => SpanEnd): Promise<Value>;
};

declare global {
  // Pages, routes and the worker are separate module instances that share only `globalThis`.
  var honeTracer: Tracer | undefined;
}

/** Runs some work, in a span if an exporter is configured. Otherwise no span data is computed. */
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
