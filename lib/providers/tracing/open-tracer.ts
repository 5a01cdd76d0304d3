import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import {
  BatchSpanProcessor,
  type SpanExporter,
  TracerProvider,
  type TracerProviderOptions,
} from '@opentelemetry/sdk-trace';
import type { SpanAttributes, SpanEnd, SpanStart, Tracer } from './spans.ts';

/** Encodings of OTLP over HTTP by their standard names. */
const ENCODINGS = {
  'http/protobuf': { contentType: 'application/x-protobuf', serializer: ProtobufTraceSerializer },
  'http/json': { contentType: 'application/json', serializer: JsonTraceSerializer },
};
export type TraceProtocol = keyof typeof ENCODINGS;

type Options = {
  url: string;
  protocol: TraceProtocol;
  resource: Record<string, string>;
  capturesContent: boolean;
  onFailure: (error: unknown) => void;
};

/** Time that spans are batched before they are sent, in milliseconds. */
const GATHER_MS = 1_000;
const MAX_ATTRIBUTE_LENGTH = 200_000;

type SpanScope = { context: Context; inherited: SpanAttributes };

/** Opens a tracer that sends its spans by OTLP over HTTP. The standard variables define headers, timeout and compression. */
export function openTracer({ url, protocol, resource, capturesContent, onFailure }: Options): {
  tracer: Tracer;
  close: () => Promise<void>;
} {
  const exporter = exporterOf(url, protocol, onFailure);
  const provider = new TracerProvider({
    resource: resourceWith(resource),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: GATHER_MS })],
  });
  const openTelemetry = provider.getTracer('hone');
  const inside = new AsyncLocalStorage<SpanScope>();

  const begin = ({ name, kind, attributes, inherited }: SpanStart): { span: Span; here: SpanScope } => {
    const outer = inside.getStore();
    const passedOn = { ...outer?.inherited, ...inherited };
    const parent = outer?.context ?? ROOT_CONTEXT;
    const options = {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: present({ ...passedOn, ...attributes }),
    };
    const span = openTelemetry.startSpan(name, options, parent);
    return { span, here: { context: trace.setSpan(parent, span), inherited: passedOn } };
  };

  const inSpan: Tracer['inSpan'] = async (start, work, endOf) => {
    const begun = attempt(() => begin(start), onFailure);
    if (begun === null) return work();
    const end = (spanEnd: () => SpanEnd) =>
      attempt(() => {
        const { attributes = {}, error = null } = spanEnd();
        begun.span.setAttributes(present(attributes));
        if (error !== null) {
          begun.span.setAttribute('error.type', error.type);
          begun.span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
        }
        begun.span.end();
      }, onFailure);
    try {
      const value = await inside.run(begun.here, work);
      end(() => endOf(value));
      return value;
    } catch (error) {
      // A bug's message may contain anything, so only its name is sent.
      end(() => ({ error: { type: error instanceof Error ? error.name : 'unknown', message: '' } }));
      throw error;
    }
  };
  return { tracer: { capturesContent, inSpan }, close: () => provider.shutdown() };
}

function attempt<Value>(work: () => Value, onFailure: (error: unknown) => void): Value | null {
  try {
    return work();
  } catch (error) {
    onFailure(error);
    return null;
  }
}

/** Returns an exporter that reports its failures, also spans that the collector rejects from a batch that it accepts. */
function exporterOf(url: string, protocol: TraceProtocol, onFailure: (error: unknown) => void): SpanExporter {
  const { contentType, serializer } = ENCODINGS[protocol];
  const options = convertLegacyHttpOptions({ url }, 'TRACES', 'v1/traces', { 'Content-Type': contentType });
  // The exporter sends a stream, and some receivers cannot read chunks. A retry reads the headers again, so each export has its own length.
  const sent = new AsyncLocalStorage<{ length: Record<string, string> }>();
  const exporter = createOtlpHttpExportDelegate(
    { ...options, headers: async () => ({ ...(await options.headers()), ...sent.getStore()?.length }) },
    {
      serializeRequest: (spans) => {
        const bytes = serializer.serializeRequest(spans);
        const scope = sent.getStore();
        if (scope !== undefined && bytes !== undefined && options.compression === 'none')
          scope.length = { 'Content-Length': String(bytes.byteLength) };
        return bytes;
      },
      deserializeResponse: (data) => {
        const response = serializer.deserializeResponse(data);
        const { rejectedSpans, errorMessage } = response.partialSuccess ?? {};
        if (Number(rejectedSpans) > 0)
          onFailure(`${rejectedSpans} spans rejected: ${errorMessage ?? 'no reason given'}`);
        return response;
      },
    },
    'otlp_http_span_exporter',
    TraceExporterMetricsHelper,
    undefined,
  );
  return {
    export: (spans, done) =>
      sent.run({ length: {} }, () =>
        exporter.export(spans, (result) => {
          if (result.error !== undefined || result.code !== 0) onFailure(result.error ?? 'refused');
          done(result);
        }),
      ),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}

function resourceWith(attributes: Record<string, string>): NonNullable<TracerProviderOptions['resource']> {
  const resource: NonNullable<TracerProviderOptions['resource']> = {
    attributes,
    merge: (other) => resourceWith({ ...attributes, ...Object.fromEntries(texts(other?.attributes ?? {})) }),
    getRawAttributes: () => Object.entries(attributes),
  };
  return resource;
}

function texts(attributes: Record<string, unknown>): [string, string][] {
  return Object.entries(attributes).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
}

function present(attributes: SpanAttributes): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
