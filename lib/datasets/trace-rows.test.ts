import { expect, test } from 'vitest';
import { isRecord } from '#lib/core/is-record.ts';
import { type CaseFormat, type CaseRow, readCase, readCaseRows } from './read-case-rows.ts';
import { columnsOf, suggestMapping } from './suggest-mapping.ts';

/** Reads a file as an import with suggested columns does. Returns the input and reference of each case, or the fault of the row. */
async function casesOf(format: CaseFormat, text: string) {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const read: (CaseRow & { kind: 'value' })[] = [];
  for await (const row of readCaseRows(format, bytes())) if (row.ok && row.value.kind === 'value') read.push(row.value);
  const values = read.map(({ value }) => value).filter(isRecord);
  const { mapping } = suggestMapping(columnsOf(values), null, false);
  return read.map((row) => {
    const { case: found, fault } = readCase(row, { mapping, keepOthers: true });
    return found === null ? fault?.message : [found.input, found.reference];
  });
}

const at = (key: string, value: object) => ({ key, value });
const text = (key: string, stringValue: string) => at(key, { stringValue });
/** Spans as the OpenTelemetry Collector writes them to a file. */
const otlp = (...spans: object[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const root = { traceId: 'a', spanId: 'b', parentSpanId: '', name: 'run' };

/** A trace of `to_json()` of mlflow 3.17. */
const mlflow = (inputs: unknown, outputs: unknown) =>
  JSON.stringify({
    info: { trace_id: 'tr-1', state: 'OK', tags: { 'mlflow.traceName': 'answer' }, request_preview: 'What' },
    data: {
      spans: [
        {
          ...{ trace_id: 'Wmjm/G7hJVsRdd71kGvFYg==', span_id: '4SJj2w3QZk4=', parent_span_id: null, name: 'answer' },
          start_time_unix_nano: 'TIME',
          attributes: { 'mlflow.spanInputs': JSON.stringify(inputs), 'mlflow.spanOutputs': JSON.stringify(outputs) },
        },
        { span_id: 'JBxXI6d9pM8=', parent_span_id: '4SJj2w3QZk4=', name: 'llm', attributes: {} },
      ],
    },
  }).replace('"TIME"', '1796005969293374713');
const messages = [{ role: 'user', content: 'Why?' }];

/** Root spans of a file of openinference-instrumentation-llama-index 4.6, with llama-index-core 0.14. */
const LLAMA_INDEX = {
  parser: span(
    'TokenTextSplitter.__call__',
    'CHAIN',
    '{"nodes": ["<Document(id_=9242dd34)>"]}',
    '["<TextNode(id_=f3)>"]',
  ),
  embedding: span(
    'OpenAIEmbedding.get_text_embedding_batch',
    'EMBEDDING',
    '{"texts": ["Paris"], "show_progress": false}',
    '',
  ),
  retriever: span('VectorIndexRetriever.retrieve', 'RETRIEVER', 'Which capital?', '{"nodes": ["Paris"]}'),
  query: span('RetrieverQueryEngine.query', 'CHAIN', 'Which capital?', 'Paris'),
  chat: span(
    ...['ContextChatEngine.chat', 'CHAIN', '{"message": "And of Italy?"}'],
    '{"response": "Rome", "sources": ["ToolOutput()"], "source_nodes": ["<NodeWithScore()>"]}',
  ),
};

function span(name: string, kind: string, input: string, output: string) {
  const attributes = [
    ...[text('openinference.span.kind', kind), text('input.value', input)],
    ...(output === '' ? [] : [text('output.value', output)]),
  ];
  return { ...root, traceId: name, name, attributes };
}
/** Excerpts of openinference-instrumentation-llama-index 4.6: a model call, an agent and the end of a stream. */
const MODEL_CALL = [
  text('openinference.span.kind', 'LLM'),
  text('input.value', `{"messages": ["ChatMessage(role=<MessageRole.SYSTEM: 'system'>)", "ChatMessage()"]}`),
  text('llm.input_messages.0.message.role', 'system'),
  text('llm.input_messages.0.message.content', 'Be dry.'),
  text('llm.input_messages.1.message.role', 'user'),
  text('llm.input_messages.1.message.content', 'How warm is it?'),
  text('output.value', 'assistant: 12 °C'),
  text('llm.output_messages.0.message.role', 'assistant'),
  text('llm.output_messages.0.message.content', '12 °C'),
];
const AGENT = [
  {
    ...span(
      'FunctionAgent.run',
      'CHAIN',
      '{"init_state": {}, "start_event": "AgentWorkflowStartEvent()"}',
      'StopEvent()',
    ),
    traceId: 'a',
  },
  {
    ...span('L._prepare_chat_with_tools', 'LLM', '{"tools": ["<FunctionTool object>"], "user_msg": null}', '{}'),
    ...{ traceId: 'a', parentSpanId: 'b', startTimeUnixNano: '1', endTimeUnixNano: '2' },
  },
  {
    ...{ traceId: 'a', parentSpanId: 'b', name: 'L.achat', startTimeUnixNano: '3', endTimeUnixNano: '4' },
    attributes: MODEL_CALL,
  },
];
const choices = [{ message: { role: 'assistant', content: 'So.' } }];

test.each<[string, CaseFormat, string, unknown[]]>([
  [
    'the root spans of OTLP',
    'jsonl',
    [
      otlp(
        { ...root, attributes: [text('input.value', 'Why?'), text('output.value', 'So.')] },
        { ...root, parentSpanId: 'b' },
      ),
      otlp({ ...root, attributes: [text('input.value', 'When?'), at('n', { intValue: '3' })] }),
    ].join('\n'),
    [
      ['Why?', 'So.'],
      ['When?', null],
    ],
  ],
  [
    'messages of OTLP in one file',
    'json',
    otlp({
      ...root,
      attributes: [
        text('gen_ai.input.messages', '[{"role": "user", "parts": [{"type": "text", "content": "Why?"}]}]'),
        text('gen_ai.output.messages', '[{"role": "assistant", "parts": [{"type": "text", "content": "So."}]}]'),
      ],
    }),
    [['Why?', 'So.']],
  ],
  [
    'OTLP with spans of OpenInference, of gen_ai and of both',
    'jsonl',
    [
      otlp(
        { ...root, attributes: [text('input.value', 'Why?'), text('output.value', 'So.')] },
        {
          ...{ ...root, traceId: 'c', spanId: 'd' },
          attributes: [
            text('gen_ai.input.messages', '[{"role": "user", "parts": [{"type": "text", "content": "When?"}]}]'),
            text('gen_ai.output.messages', '[{"role": "assistant", "parts": [{"type": "text", "content": "Now."}]}]'),
          ],
        },
      ),
      otlp({
        ...{ ...root, traceId: 'e', spanId: 'f' },
        attributes: [
          text('gen_ai.input.messages', '[{"role": "user", "parts": [{"type": "text", "content": "Where?"}]}]'),
          text('input.value', 'Where?'),
          text('gen_ai.output.messages', '[{"role": "assistant", "parts": [{"type": "text", "content": "Here."}]}]'),
          text('output.value', 'Here.'),
        ],
      }),
    ].join('\n'),
    [
      ['Why?', 'So.'],
      ['When?', 'Now.'],
      ['Where?', 'Here.'],
    ],
  ],
  [
    'queries and chats of LlamaIndex, without the spans of its index',
    'jsonl',
    [
      otlp(LLAMA_INDEX.parser, LLAMA_INDEX.embedding, LLAMA_INDEX.retriever),
      otlp(LLAMA_INDEX.query, LLAMA_INDEX.chat),
    ].join('\n'),
    [
      ['Which capital?', 'Paris'],
      ['And of Italy?', 'Rome'],
    ],
  ],
  [
    'model calls of OpenAI in both APIs and of DSPy, without embeddings',
    'jsonl',
    otlp(
      span('ChatCompletion', 'LLM', '{"model": "m", "messages": [{"role": "user", "content": "Why?"}]}', 'So.'),
      span('Response', 'LLM', '{"model": "m", "input": "When?", "instructions": "Be dry."}', 'Now.'),
      span('LM.__call__', 'LLM', '{"prompt": "Where?", "messages": null, "kwargs": {}}', '["Here."]'),
      {
        ...span(
          ...['LM.__call__', 'LLM', '{"prompt": null, "messages": [{"role": "user", "content": "Who?"}]}', '["Ada."]'],
        ),
      },
      {
        ...{ ...root, traceId: 'embeddings' },
        attributes: [
          text('gen_ai.operation.name', 'embeddings'),
          text('gen_ai.input.messages', '[{"role": "user", "parts": [{"type": "text", "content": "text"}]}]'),
        ],
      },
    ),
    [
      ['Why?', 'So.'],
      ['When?', 'Now.'],
      ['Where?', 'Here.'],
      ['Who?', 'Ada.'],
    ],
  ],
  [
    'no model calls whose content was not captured',
    'json',
    otlp({ ...root, attributes: [text('gen_ai.operation.name', 'chat'), text('gen_ai.request.model', 'm')] }),
    [],
  ],
  [
    'calls of a Python function of Langfuse, OpenLLMetry and DSPy',
    'jsonl',
    [
      otlp({ ...root, attributes: [text('langfuse.observation.input', '{"args": ["Why?"], "kwargs": {}}')] }),
      otlp({
        ...root,
        attributes: [text('langfuse.observation.input', '{"args": [], "kwargs": {"question": "When?"}}')],
      }),
      otlp({ ...root, attributes: [text('traceloop.entity.input', '{"args": ["Where?"], "kwargs": {}}')] }),
    ].join('\n'),
    [
      ['Why?', null],
      ['When?', null],
      ['Where?', null],
    ],
  ],
  [
    'modules of DSPy, of which ReAct has its input in another object',
    'jsonl',
    otlp(
      span('ChainOfThought.forward', 'CHAIN', '{"question": "Why?"}', '{"answer": "So."}'),
      span('ReAct.forward', 'CHAIN', '{"input_args": {"question": "When?"}}', '{"answer": "Now."}'),
    ),
    [
      ['Why?', 'So.'],
      ['When?', 'Now.'],
    ],
  ],
  ['no spans of an index', 'json', otlp(LLAMA_INDEX.parser, LLAMA_INDEX.embedding), []],
  [
    'traces of MLflow without the spans of an index',
    'jsonl',
    [
      mlflow({ texts: ['Paris'] }, null).replace(
        '"mlflow.spanInputs"',
        '"mlflow.spanType":"\\"EMBEDDING\\"","mlflow.spanInputs"',
      ),
      mlflow({ nodes: ['Document()'] }, ['TextNode()']).replaceAll(
        '"name":"answer"',
        '"name":"SentenceSplitter.__call__"',
      ),
      mlflow('Why?', 'So.'),
    ].join('\n'),
    [['Why?', 'So.']],
  ],
  [
    'traces of MLflow',
    'jsonl',
    [mlflow({ question: 'Why?' }, 'So.'), mlflow({ messages, model: 'm' }, { choices })].join('\n'),
    [
      ['{\n  "question": "Why?"\n}', 'So.'],
      ['Why?', 'So.'],
    ],
  ],
  ['a list of traces of MLflow', 'json', `[${mlflow('Why?', 'So.')}]`, [['Why?', 'So.']]],
  ['one trace of MLflow', 'json', mlflow('Why?', 'So.'), [['Why?', 'So.']]],
  [
    'an attribute that is nested deep',
    'jsonl',
    otlp({ ...root, attributes: [text('input.value', 'Why?'), { key: 'deep', value: 'DEEP' }] }).replace(
      '"DEEP"',
      () => `${'{"arrayValue":{"values":['.repeat(2_000)}{"stringValue":"a"}${']}}'.repeat(2_000)}`,
    ),
    [['Why?', null]],
  ],
  [
    'attributes of wrong types',
    'jsonl',
    otlp({
      ...root,
      attributes: [
        text('input.value', 'Why?'),
        { key: { toString: 1 }, value: { stringValue: { toString: 1 } } },
        { key: 'n', value: { intValue: { toString: 1 } } },
      ],
    }),
    [['Why?', null]],
  ],
  [
    'the messages of a trace of Pydantic AI up to the answer of the agent',
    'jsonl',
    otlp({
      ...root,
      attributes: [
        text('final_result', '12 °C'),
        text(
          'pydantic_ai.all_messages',
          JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: 'How warm is it?' }] },
            { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: '{}' }] },
            { role: 'user', parts: [{ type: 'tool_call_response', id: 'c1', name: 'look', result: '12' }] },
            { role: 'assistant', parts: [{ type: 'text', content: '12 °C' }] },
          ]),
        ),
      ],
    }),
    [['How warm is it?', '12 °C']],
  ],
  [
    'the first input and the last output of a trace whose root span has none, as of the OpenAI Agents SDK',
    'jsonl',
    otlp(
      {
        ...{ traceId: 'a', spanId: 'd', parentSpanId: 'b', name: 'response' },
        ...{ startTimeUnixNano: '1796034884003000000', endTimeUnixNano: '1796034884004000000' },
        attributes: [
          text('input.value', '[{"role": "user", "content": "Why?"}, {"type": "function_call_output", "output": "x"}]'),
          text(
            'output.value',
            '{"output": [{"role": "assistant", "content": [{"type": "output_text", "text": "So."}]}]}',
          ),
        ],
      },
      {
        ...{ traceId: 'a', spanId: 'c', parentSpanId: 'b', name: 'response' },
        ...{ startTimeUnixNano: '1796034884001000000', endTimeUnixNano: '1796034884002000000' },
        attributes: [
          text('input.value', '[{"role": "user", "content": "Why?"}]'),
          text('output.value', '{"output": []}'),
        ],
      },
      { traceId: 'other', spanId: 'e', parentSpanId: 'f', attributes: [text('input.value', 'Not this one')] },
      { ...root, attributes: [text('openinference.span.kind', 'AGENT')] },
    ),
    [['Why?', 'So.']],
  ],
  [
    'the input and the answer of an agent of the AI SDK',
    'jsonl',
    otlp({
      ...root,
      attributes: [
        text('gen_ai.input.messages', '[{"role": "user", "parts": [{"type": "text", "content": "How warm is it?"}]}]'),
        text(
          'gen_ai.output.messages',
          JSON.stringify([
            {
              role: 'assistant',
              parts: [
                { type: 'text', content: '12 °C' },
                { type: 'tool_call', id: 'c1', name: 'look', arguments: {} },
                { type: 'tool_call_response', id: 'c1', response: '12' },
              ],
            },
          ]),
        ),
      ],
    }),
    [['How warm is it?', '12 °C']],
  ],
  [
    'the input and the answer in the older attributes of the AI SDK',
    'jsonl',
    otlp({
      ...root,
      attributes: [
        text('ai.prompt', '{"system": "Be dry.", "messages": [{"role": "user", "content": "Why?"}]}'),
        text('ai.response.text', 'So.'),
        text('ai.response.toolCalls', '[{"toolName": "look"}]'),
      ],
    }),
    [['Why?', 'So.']],
  ],
  [
    'no root spans without an input, such as the creation of an agent of LangGraph',
    'jsonl',
    [
      otlp({ ...root, name: 'create_agent', attributes: [text('gen_ai.operation.name', 'create_agent')] }),
      otlp(
        { ...root, name: 'GET /health', attributes: [text('http.route', '/health')] },
        { ...root, traceId: 'c', attributes: [text('input.value', 'Why?'), text('output.value', 'So.')] },
      ),
    ].join('\n'),
    [['Why?', 'So.']],
  ],
  [
    'messages of LangChain as pairs of a role and a text',
    'jsonl',
    otlp({
      ...root,
      attributes: [text('input.value', '{"messages": [["user", "Why?"]]}'), text('output.value', 'So.')],
    }),
    [['Why?', 'So.']],
  ],
  [
    'model calls and agents of LlamaIndex by their messages',
    'jsonl',
    [
      otlp({ ...root, name: 'L.chat', attributes: MODEL_CALL }),
      otlp(...AGENT),
      otlp(span('L.complete', 'LLM', '{"args": ["Why?"]}', 'So.')),
      otlp(
        span('StreamingAgentChatResponse.write_response_to_history', 'LLM', '{"memory": "Memory()"}', ''),
        span('ContextChatEngine.stream_chat', 'CHAIN', '{"message": "When?"}', '{"response": "", "source_nodes": []}'),
      ),
    ].join('\n'),
    [
      ['System: Be dry.\n\nUser: How warm is it?', '12 °C'],
      ['System: Be dry.\n\nUser: How warm is it?', '12 °C'],
      ['Why?', 'So.'],
      ['When?', null],
    ],
  ],
  [
    'tool calls and images in the messages of a model call',
    'jsonl',
    otlp({
      ...root,
      attributes: [
        text('openinference.span.kind', 'LLM'),
        text('llm.input_messages.0.message.role', 'user'),
        text('llm.input_messages.0.message.contents.0.message_content.type', 'text'),
        text('llm.input_messages.0.message.contents.0.message_content.text', '[1]'),
        text('llm.input_messages.0.message.contents.1.message_content.type', 'image'),
        text(
          'llm.input_messages.0.message.contents.1.message_content.image.image.url',
          'data:image/png;base64,iVBORw0KGgo=',
        ),
        text('llm.input_messages.1.message.role', 'assistant'),
        text('llm.input_messages.1.message.tool_calls.0.tool_call.id', 'call_1'),
        text('llm.input_messages.1.message.tool_calls.0.tool_call.function.name', 'look'),
        text('llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments', '{"city":"Oslo"}'),
        text('llm.input_messages.2.message.role', 'tool'),
        text('llm.input_messages.2.message.content', '12'),
        text('llm.input_messages.2.message.tool_call_id', 'call_1'),
      ],
    }),
    [['User: [1]\n[image 4c4b6a3b]\n\nAssistant: [calls look {"city":"Oslo"}]\n\nTool: 12', null]],
  ],
  [
    'crews, agents and flows of CrewAI with different inputs, and a crew without inputs',
    'jsonl',
    otlp(
      span('Crew.kickoff', 'CHAIN', '{"city": "Oslo"}', '{"raw": "12 °C", "pydantic": null, "tasks_output": []}'),
      span('Greeter.kickoff', 'AGENT', '{"messages": "Say hi"}', '{"raw": "Hi", "pydantic": null}'),
      span('Flow.kickoff', 'CHAIN', '{"who": "Ada"}', 'Hi, Ada'),
      {
        ...{ ...root, traceId: 'c', name: 'Crew.kickoff' },
        attributes: [text('output.value', '{"raw": "Bye", "pydantic": null}')],
      },
      {
        ...span('Greeter._execute_core', 'AGENT', '{"agent": {"role": "Greeter"}}', ''),
        traceId: 'c',
        parentSpanId: 'b',
      },
      {
        ...span('ChatCompletion', 'LLM', '{"model": "m", "messages": [{"role": "user", "content": "Say bye"}]}', '{}'),
        ...{ traceId: 'c', parentSpanId: 'b' },
      },
    ),
    [
      ['Oslo', '12 °C'],
      ['Say hi', 'Hi'],
      ['Ada', 'Hi, Ada'],
      ['Say bye', 'Bye'],
    ],
  ],
  [
    'the first input in a trace of a function that was called without arguments',
    'jsonl',
    otlp(
      { ...root, attributes: [text('traceloop.entity.input', '{"args": [], "kwargs": {}}')] },
      { ...root, parentSpanId: 'b', attributes: [text('traceloop.entity.input', '{"args": ["Why?"], "kwargs": {}}')] },
    ),
    [['Why?', null]],
  ],
  [
    'the first input in a trace of MLflow of a function that was called without arguments',
    'jsonl',
    mlflow({}, 'So.').replace(
      '"name":"llm","attributes":{}',
      () => `"name":"llm","attributes":{"mlflow.spanInputs":${JSON.stringify(JSON.stringify({ messages }))}}`,
    ),
    [['Why?', 'So.']],
  ],
  [
    'requests of the Responses API in traces of MLflow',
    'jsonl',
    mlflow({ model: 'm', input: 'Why?', instructions: 'Be dry.' }, 'So.'),
    [['Why?', 'So.']],
  ],
  [
    'records of a dataset of MLflow, whose expectation is the reference',
    'jsonl',
    [
      { inputs: { question: 'Why?' }, outputs: {}, expectations: { expected_response: 'So.' } },
      { inputs: { messages }, outputs: { choices }, expectations: { expected_response: 'Because.' } },
      { inputs: { model: 'm', messages, temperature: 0.2 }, outputs: { choices }, expectations: {} },
      { inputs: { model: 'm', input: 'When?', instructions: 'Be dry.' }, outputs: {}, expectations: {} },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    [
      ['Why?', 'So.'],
      ['Why?', 'Because.'],
      ['Why?', null],
      ['When?', null],
    ],
  ],
  [
    'results of DeepEval',
    'json',
    '{"test_results": [{"name": "a", "input": "Why?", "expected_output": "So.", "metrics_data": []}], "run_id": null}',
    [['Why?', 'So.']],
  ],
  [
    'requests and responses that Phoenix exports as text',
    'jsonl',
    JSON.stringify({
      'attributes.input.value': JSON.stringify({ model: 'm', messages }),
      'attributes.output.value': JSON.stringify({ choices }),
    }),
    [['Why?', 'So.']],
  ],
  [
    'agents and workflows of Mastra',
    'jsonl',
    otlp(
      {
        ...root,
        attributes: [
          text('gen_ai.operation.name', 'invoke_agent'),
          text('mastra.agent_run.input', '[{"role":"user","content":"Hi"},{"role":"user","content":"Why?"}]'),
          text('mastra.agent_run.output', '{"text":"So.","files":[]}'),
        ],
      },
      { ...root, traceId: 'c', attributes: [text('mastra.agent_run.input', 'When?')] },
      {
        ...{ ...root, traceId: 'd' },
        attributes: [text('mastra.workflow_run.input', '{"city":"Oslo"}'), text('mastra.workflow_run.output', '12')],
      },
    ),
    [
      ['User: Hi\n\nUser: Why?', 'So.'],
      ['When?', null],
      ['Oslo', '12'],
    ],
  ],
  [
    'results of promptfoo 0.123, whose last case is a conversation',
    'jsonl',
    ['Why?', JSON.stringify([{ role: 'system', content: 'Be dry.' }, ...messages])]
      .map((raw) => ({
        gradingResult: { pass: true, tokensUsed: { prompt: 0, completion: 0 } },
        prompt: { raw, label: '{{city}}', config: {} },
        provider: { id: 'openai:chat:m', label: '' },
        response: { output: 'So.', tokenUsage: { prompt: 9, completion: 3 } },
        vars: { city: 'Oslo' },
      }))
      .map((row) => JSON.stringify(row))
      .join('\n'),
    [
      ['Why?', 'So.'],
      ['System: Be dry.\n\nUser: Why?', 'So.'],
    ],
  ],
  [
    'runs of LangSmith whose outputs are texts or messages',
    'jsonl',
    [
      { inputs: { question: 'Why?' }, outputs: { output: 'So.' } },
      { inputs: { messages }, outputs: { messages: [...messages, { type: 'ai', content: 'Because.' }] } },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    [
      ['Why?', 'So.'],
      ['Why?', 'Because.'],
    ],
  ],
  [
    'a trace of Opik 2, with the input of its first span',
    'json',
    JSON.stringify({
      trace: { id: 't', name: 'app', input: {}, output: { output: 'So.' }, tags: ['a'] },
      spans: [{ id: 's', trace_id: 't', type: 'llm', input: { messages }, output: { choices } }],
      downloaded_at: '2026-12-01T01:11:43',
    }),
    [['Why?', 'So.']],
  ],
  [
    'a dataset of Opik or Phoenix, which has a name',
    'json',
    '{"id": "d", "name": "d", "description": "", "items": [{"input": "Why?", "expected_output": "So."}]}',
    [['Why?', 'So.']],
  ],
  [
    'a text that is JSON with a model unchanged',
    'jsonl',
    '{"question": "{\\"model\\":\\"T\\"}"}',
    [['{"model":"T"}', null]],
  ],
  ['no other object', 'jsonl', '{"input": "a", "info": {}, "data": {"spans": 1}}', [['a', null]]],
])('reads %s', async (_name, format, file, cases) => {
  expect(await casesOf(format, file)).toEqual(cases);
});

test.each([
  ['role', [{ role: { toString: 1 }, content: 'Why?' }]],
  ['type of a part', [{ role: 'user', content: [{ type: { toString: 1 }, text: 'Why?' }] }]],
])('a %s that is no text is a fault of its line', async (_name, input) => {
  expect(await casesOf('jsonl', JSON.stringify({ input }))).toEqual([expect.stringContaining('input')]);
});

test.each<[string, CaseFormat, string]>([
  ['one object', 'json', otlp({ ...root, attributes: [text('gen_ai.operation.name', 'chat')] })],
  ['one line', 'jsonl', otlp({ ...root, attributes: [text('gen_ai.operation.name', 'chat')] })],
  ['several lines', 'jsonl', Array(2).fill(otlp(LLAMA_INDEX.embedding)).join('\n')],
])('a file of traces without inputs is a fault: %s', async (_name, format, file) => {
  async function* bytes() {
    yield Buffer.from(file);
  }
  const rows: unknown[] = [];
  for await (const row of readCaseRows(format, bytes())) rows.push(row);
  const message = expect.stringContaining('Switch on the recording of inputs');
  expect(rows).toEqual([{ ok: true, value: { kind: 'fault', fault: expect.objectContaining({ line: 1, message }) } }]);
});
