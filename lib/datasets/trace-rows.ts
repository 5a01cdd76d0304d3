import { isRecord } from '#lib/core/is-record.ts';
import { parseJsonOrText } from '#lib/core/json-values.ts';
import { SPAN_INPUTS, SPAN_OUTPUTS } from './mapped-columns.ts';
import { contentOfRequest } from './other-conversations.ts';
import { isInputName } from './suggest-mapping.ts';
import { textOf } from './text-of.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns one row per root span with an input of an exported trace: a request of OTLP as JSON, as the OpenTelemetry Collector writes it to
 * files, or a trace of MLflow or Opik. Returns null for other objects.
 */
export function rowsOfTrace(value: Members): Record<string, unknown>[] | null {
  return rowsOfOtlp(value) ?? rowsOfMlflow(value) ?? rowsOfOpik(value);
}

function rowsOfOtlp({ resourceSpans }: Members): Record<string, unknown>[] | null {
  if (!Array.isArray(resourceSpans)) return null;
  const spans = recordsOf(resourceSpans)
    .flatMap(({ scopeSpans }) => recordsOf(scopeSpans))
    .flatMap(({ spans }) => recordsOf(spans));
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  const contents = new Map<unknown, ReturnType<typeof contentOf>>();
  const rows = spans
    .filter(({ parentSpanId }) => !parentSpanId)
    .map(({ traceId, name, attributes }) => ({ traceId, name, own: withCommonNames(attributesOf(attributes)) }))
    .filter(({ name, own }) => !isWithoutAnswer(name, own[KIND] ?? own[OPERATION], own['input.value']))
    .map(({ traceId, name, own }) => {
      if (hasInput(own)) return { name, trace_id: traceId, attributes: own };
      const content = contents.get(traceId) ?? contentOf(byTrace.get(traceId) ?? []);
      contents.set(traceId, content);
      const others = Object.entries(own).filter(([member]) => !SPAN_INPUTS.includes(member));
      const answer = memberOf(own, SPAN_OUTPUTS) === null ? content.output : null;
      return { name, trace_id: traceId, attributes: { ...Object.fromEntries(others), ...content.input, ...answer } };
    });
  const withInput = rows.filter(({ attributes }) => hasInput(attributes));
  // Attributes of the user's own code can have any names. Those of a model call without an input are no case.
  return withInput.length > 0 ? withInput : rows.filter(({ attributes }) => !Object.hasOwn(attributes, OPERATION));
}

/**
 * Returns true for a span without an answer, as LlamaIndex writes them: a search in an index, an embedding of texts, a transformation of
 * nodes, or the end of a stream.
 */
function isWithoutAnswer(name: unknown, kind: unknown, input: unknown): boolean {
  if (WITHOUT_ANSWER.includes(textOf(kind)) || textOf(name).endsWith('.write_response_to_history')) return true;
  return textOf(name).endsWith('.__call__') && isRecord(input) && Array.isArray(input.nodes);
}

/** Kinds of spans of OpenInference and MLflow, and operations of OpenTelemetry. */
const WITHOUT_ANSWER = ['EMBEDDING', 'RETRIEVER', 'RERANKER', 'embeddings', 'retrieval'];

/** Attribute of OpenInference with the kind of a span. */
const KIND = 'openinference.span.kind';

/** Attribute that names the operation of a span. LangGraph also has root spans for the creation of agents. */
const OPERATION = 'gen_ai.operation.name';

function hasInput(attributes: Members): boolean {
  return Object.entries(attributes).some(([name, value]) =>
    SPAN_INPUTS.includes(name) ? !isEmpty(value) : isInputName(name),
  );
}

/** Returns true for the arguments of a function that was called without any, and for other empty values. */
function isEmpty(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object') return value === '' || value === undefined;
  return value === null || (depth < 3 && Object.values(value).every((one) => isEmpty(one, depth + 1)));
}

function memberOf(attributes: Members, names: readonly string[]): Members | null {
  const name = names.find((one) => Object.hasOwn(attributes, one) && !isEmpty(attributes[one]));
  return name === undefined ? null : { [name]: attributes[name] };
}

/**
 * Returns the first input and the last output in a trace whose root span has none, such as those of the OpenAI Agents SDK. Those of model
 * calls come first.
 */
function contentOf(spans: readonly Members[]): { input: Members | undefined; output: Members | undefined } {
  const read = spans.map((span) => ({ span, own: withCommonNames(attributesOf(span.attributes)) }));
  const calls = read.filter(({ own }) => own[KIND] === 'LLM' && !isRecord(own['input.value']) && hasInput(own));
  const byTime = (name: string, names: readonly string[]) =>
    (calls.length > 0 ? calls : read)
      .toSorted((one, other) => Number(textOf(one.span[name])) - Number(textOf(other.span[name])))
      .map(({ own }) => memberOf(own, names))
      .filter((one) => one !== null);
  return { input: byTime('startTimeUnixNano', SPAN_INPUTS)[0], output: byTime('endTimeUnixNano', SPAN_OUTPUTS).at(-1) };
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
  const run = runOfMastra(attributes);
  if (run !== null) return run;
  const request = requestOfModel(attributes);
  if (request !== null) return { ...attributes, ...request };
  const { 'input.value': input, 'output.value': output, ...unnamed } = attributes;
  // A workflow of LlamaIndex: its input is in its model calls.
  if (isRecord(input) && Object.hasOwn(input, 'init_state')) return unnamed;
  // An answer of CrewAI.
  if (isRecord(output) && Object.hasOwn(output, 'pydantic') && typeof output.raw === 'string')
    return { ...attributes, 'output.value': output.raw };
  if (!Array.isArray(all)) return attributes;
  const isAsked = ({ role, parts }: Members) => role === 'user' && recordsOf(parts).some(({ type }) => type === 'text');
  const last = all.findLastIndex((message) => isRecord(message) && isAsked(message));
  return { ...others, 'input.value': all.slice(0, last + 1), 'output.value': final_result };
}

/** Names the input and the answer of an agent or a workflow of Mastra. Returns null for other spans. */
function runOfMastra(attributes: Members): Members | null {
  const input = Object.keys(attributes).find((name) => /^mastra\.\w+_run\.input$/.test(name));
  if (input === undefined) return null;
  const output = input.replace(/input$/, 'output');
  const { [input]: given, [output]: answer, ...others } = attributes;
  const text = isRecord(answer) && typeof answer.text === 'string' ? answer.text : answer;
  return { ...others, 'input.value': given, ...(text !== undefined && { 'output.value': text }) };
}

/**
 * Returns the messages or the text of a request to a model, such as those of OpenAI and DSPy, or those that OpenInference records. Null for
 * other spans.
 */
function requestOfModel(attributes: Members): Members | null {
  const { 'input.value': input, 'llm.input_messages': messages, 'llm.output_messages': answer } = attributes;
  if (attributes[KIND] !== 'LLM') return null;
  const request = isRecord(input) ? (contentOfRequest(input) ?? input.prompt ?? null) : null;
  const isReadable = !Array.isArray(request) || request.every(isRecord);
  if (request !== null && isReadable) return { 'input.value': request };
  if (messages === undefined) return null;
  return { 'input.value': messages, ...(answer !== undefined && { 'output.value': answer }) };
}

/** Returns the message and the answer of a chat engine of LlamaIndex. Null for other spans, and for a chat with earlier messages. */
function chatOfLlamaIndex({ 'input.value': input, 'output.value': output }: Members): Members | null {
  if (!isRecord(input) || !isRecord(output) || !Object.hasOwn(output, 'source_nodes')) return null;
  if (typeof input.message !== 'string' || typeof output.response !== 'string') return null;
  const answer = output.response === '' ? null : output.response;
  return Object.keys(input).length === 1 ? { 'input.value': input.message, 'output.value': answer } : null;
}

/** Source: `mlflow.entities.Trace.to_json()`. The values of its attributes are JSON. */
function rowsOfMlflow({ info, data }: Members): Record<string, unknown>[] | null {
  if (!isRecord(info) || !isRecord(data) || !Array.isArray(data.spans)) return null;
  const { trace_id, request_id, tags, assessments } = info;
  const spans = recordsOf(data.spans);
  const inputOf = ({ attributes }: Members) => {
    const input = isRecord(attributes) ? parseJsonOrText(attributes['mlflow.spanInputs']) : null;
    return isRecord(input) ? (contentOfRequest(input) ?? input) : input;
  };
  return spans
    .filter(({ parent_span_id, parent_id }) => !parent_span_id && !parent_id)
    .flatMap((root) => {
      const { name, attributes } = root;
      const own: Members = isRecord(attributes) ? attributes : {};
      const input = inputOf(root);
      if (isWithoutAnswer(name, parseJsonOrText(own['mlflow.spanType']), input)) return [];
      return {
        name,
        trace_id: trace_id ?? request_id,
        input: isEmpty(input) ? spans.map(inputOf).find((one) => !isEmpty(one)) : input,
        output: parseJsonOrText(own['mlflow.spanOutputs']),
        ...(isRecord(tags) && { tags }),
        ...(Array.isArray(assessments) && assessments.length > 0 && { assessments }),
      };
    });
}

/** Source: `opik export`, which writes one file per trace. */
function rowsOfOpik({ trace, spans }: Members): Record<string, unknown>[] | null {
  if (!isRecord(trace) || !Array.isArray(spans) || !Object.hasOwn(trace, 'input')) return null;
  const inputs = [trace, ...recordsOf(spans)].map(({ input }) => input);
  const input = inputs.find((one) => !isEmpty(one));
  return [{ ...trace, input: isRecord(input) ? (contentOfRequest(input) ?? input) : input }];
}

function recordsOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function attributesOf(list: unknown, depth = 1): Record<string, unknown> {
  const [messages, others] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const { key, value } of recordsOf(list)) {
    const name = textOf(key);
    const isMessage = depth === 1 && /^llm\.(?:in|out)put_messages\.\d/.test(name) && isRecord(value);
    if (isMessage) messages.set(name, value.stringValue ?? attributeValue(value, depth));
    else others.set(name, attributeValue(value, depth));
  }
  return { ...Object.fromEntries(others), ...gathered([...messages]) };
}

/** Gathers the lists that OpenInference writes as one attribute per value, such as `llm.input_messages.0.message.role`. */
function gathered(attributes: readonly (readonly [string, unknown])[], depth = 0): Record<string, unknown> {
  const found = new Map<string, unknown>();
  const lists = new Map<string, [index: string, rest: string, value: unknown][]>();
  for (const [name, value] of attributes) {
    const [, list, index, rest] = (depth < 2 ? /^(.+?)\.(\d+)\.(.+)$/.exec(name) : null) ?? [];
    if (list === undefined || index === undefined || rest === undefined) found.set(name, value);
    else {
      const members = lists.get(list) ?? [];
      members.push([index, rest, value]);
      lists.set(list, members);
    }
  }
  for (const [list, members] of lists) {
    const items = [...Map.groupBy(members, ([index]) => Number(index))].toSorted(([one], [other]) => one - other);
    found.set(
      list,
      items.map(([, item]) =>
        gathered(
          item.map(([, rest, value]) => [rest, value] as const),
          depth + 1,
        ),
      ),
    );
  }
  return Object.fromEntries(found);
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
