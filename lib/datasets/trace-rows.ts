import { isRecord } from '#lib/core/is-record.ts';
import { parseJsonOrText } from '#lib/core/json-values.ts';
import { SPAN_INPUTS, SPAN_OUTPUTS } from './mapped-columns.ts';
import { isInputName } from './suggest-mapping.ts';
import { textOf } from './text-of.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns one row per root span with an input of an exported trace: a request of OTLP as JSON, as the OpenTelemetry Collector writes it to
 * files, or a trace of MLflow. Returns null for other objects.
 */
export function rowsOfTrace(value: Members): Record<string, unknown>[] | null {
  return rowsOfOtlp(value) ?? rowsOfMlflow(value);
}

function rowsOfOtlp({ resourceSpans }: Members): Record<string, unknown>[] | null {
  if (!Array.isArray(resourceSpans)) return null;
  const spans = recordsOf(resourceSpans)
    .flatMap(({ scopeSpans }) => recordsOf(scopeSpans))
    .flatMap(({ spans }) => recordsOf(spans));
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  const contents = new Map<unknown, Members>();
  const rows = spans
    .filter(({ parentSpanId }) => !parentSpanId)
    .map(({ traceId, name, attributes }) => ({ traceId, name, own: withCommonNames(attributesOf(attributes)) }))
    .filter(
      ({ name, own }) => !isWithoutAnswer(name, own['openinference.span.kind'] ?? own[OPERATION], own['input.value']),
    )
    .map(({ traceId, name, own }) => {
      if (hasInput(own)) return { name, trace_id: traceId, attributes: own };
      const content = contents.get(traceId) ?? contentOf(byTrace.get(traceId) ?? []);
      contents.set(traceId, content);
      return { name, trace_id: traceId, attributes: { ...own, ...content } };
    });
  const withInput = rows.filter(({ attributes }) => hasInput(attributes));
  // Attributes of the user's own code can have any names. Those of a model call without an input are no case.
  return withInput.length > 0 ? withInput : rows.filter(({ attributes }) => !Object.hasOwn(attributes, OPERATION));
}

/**
 * Returns true for a span without an answer, as LlamaIndex writes them: a search in an index, an embedding of texts, or a transformation of
 * nodes.
 */
function isWithoutAnswer(name: unknown, kind: unknown, input: unknown): boolean {
  if (WITHOUT_ANSWER.includes(textOf(kind))) return true;
  return textOf(name).endsWith('.__call__') && isRecord(input) && Array.isArray(input.nodes);
}

/** Kinds of spans of OpenInference and MLflow, and operations of OpenTelemetry. */
const WITHOUT_ANSWER = ['EMBEDDING', 'RETRIEVER', 'RERANKER', 'embeddings', 'retrieval'];

/** Attribute that names the operation of a span. LangGraph also has root spans for the creation of agents. */
const OPERATION = 'gen_ai.operation.name';

function hasInput(attributes: Members): boolean {
  return Object.keys(attributes).some((name) => SPAN_INPUTS.includes(name) || isInputName(name));
}

function memberOf(attributes: Members, names: readonly string[]): Record<string, unknown> | null {
  const name = names.find((one) => Object.hasOwn(attributes, one));
  return name === undefined ? null : { [name]: attributes[name] };
}

/** Returns the first input and the last output in a trace whose root span has none, such as those of the OpenAI Agents SDK. */
function contentOf(spans: readonly Members[]): Record<string, unknown> {
  const byTime = (name: string) =>
    spans
      .toSorted((one, other) => Number(textOf(one[name])) - Number(textOf(other[name])))
      .map(({ attributes }) => withCommonNames(attributesOf(attributes)));
  const inputs = byTime('startTimeUnixNano').map((attributes) => memberOf(attributes, SPAN_INPUTS));
  const outputs = byTime('endTimeUnixNano').map((attributes) => memberOf(attributes, SPAN_OUTPUTS));
  return { ...inputs.find((one) => one !== null), ...outputs.findLast((one) => one !== null) };
}

/**
 * Gives the answer the name that OpenInference uses, if it has that of the AI SDK up to version 6 or of Pydantic AI. Pydantic AI stores the
 * whole conversation of an agent. Its input ends with the last message of the user, so that it has no answers.
 */
function withCommonNames(attributes: Members): Members {
  const { 'pydantic_ai.all_messages': all, final_result, 'ai.response.text': answer, ...others } = attributes;
  if (typeof answer === 'string') return { ...others, 'output.value': answer };
  const chat = chatOfLlamaIndex(attributes);
  if (chat !== null) return { ...attributes, ...chat };
  const request = inputOfModel(attributes);
  if (request !== null) return { ...attributes, 'input.value': request };
  if (!Array.isArray(all)) return attributes;
  const isAsked = ({ role, parts }: Members) => role === 'user' && recordsOf(parts).some(({ type }) => type === 'text');
  const last = all.findLastIndex((message) => isRecord(message) && isAsked(message));
  return { ...others, 'input.value': all.slice(0, last + 1), 'output.value': final_result };
}

/** Returns the messages or the text of a request to a model, such as those of OpenAI and DSPy. Null for other spans. */
function inputOfModel({ 'openinference.span.kind': kind, 'input.value': input }: Members): unknown {
  return kind === 'LLM' && isRecord(input) ? (input.messages ?? input.input ?? input.prompt ?? null) : null;
}

/** Returns the message and the answer of a chat engine of LlamaIndex. Null for other spans, and for a chat with earlier messages. */
function chatOfLlamaIndex({ 'input.value': input, 'output.value': output }: Members): Members | null {
  if (!isRecord(input) || !isRecord(output) || !Object.hasOwn(output, 'source_nodes')) return null;
  if (typeof input.message !== 'string' || typeof output.response !== 'string') return null;
  return Object.keys(input).length === 1 ? { 'input.value': input.message, 'output.value': output.response } : null;
}

/** Source: `mlflow.entities.Trace.to_json()`. The values of its attributes are JSON. */
function rowsOfMlflow({ info, data }: Members): Record<string, unknown>[] | null {
  if (!isRecord(info) || !isRecord(data) || !Array.isArray(data.spans)) return null;
  const { trace_id, request_id, tags, assessments } = info;
  return recordsOf(data.spans)
    .filter(({ parent_span_id, parent_id }) => !parent_span_id && !parent_id)
    .flatMap(({ name, attributes }) => {
      const own: Members = isRecord(attributes) ? attributes : {};
      const input = parseJsonOrText(own['mlflow.spanInputs']);
      if (isWithoutAnswer(name, parseJsonOrText(own['mlflow.spanType']), input)) return [];
      return {
        name,
        trace_id: trace_id ?? request_id,
        input: isRecord(input) && Array.isArray(input.messages) ? input.messages : input,
        output: parseJsonOrText(own['mlflow.spanOutputs']),
        ...(isRecord(tags) && { tags }),
        ...(Array.isArray(assessments) && assessments.length > 0 && { assessments }),
      };
    });
}

function recordsOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function attributesOf(list: unknown, depth = 1): Record<string, unknown> {
  return Object.fromEntries(recordsOf(list).map(({ key, value }) => [textOf(key), attributeValue(value, depth)]));
}

/** Maximum depth of lists and objects in an attribute. */
const MAX_ATTRIBUTE_DEPTH = 20;

/** Converts a value of OTLP. A text that is an object or a list as JSON is parsed, because attributes hold only simple values. */
function attributeValue(value: unknown, depth: number): unknown {
  if (!isRecord(value) || depth > MAX_ATTRIBUTE_DEPTH) return null;
  const { stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue } = value;
  if (typeof stringValue === 'string') return /^\s*[[{]/.test(stringValue) ? parseJsonOrText(stringValue) : stringValue;
  if (isRecord(arrayValue)) return recordsOf(arrayValue.values).map((one) => attributeValue(one, depth + 1));
  if (isRecord(kvlistValue)) return attributesOf(kvlistValue.values, depth + 1);
  return boolValue ?? doubleValue ?? integerOf(intValue);
}

/** Converts an integer, which OTLP writes as text. One too large for a number stays a text. */
function integerOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
