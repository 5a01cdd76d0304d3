import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { Hone } from 'hone-sdk';

const model = new ChatOpenAI({
  model: 'demo',
  apiKey: 'none',
  configuration: { baseURL: process.env.MODEL_URL ?? 'http://127.0.0.1:8788/v1' },
});
const State = Annotation.Root({ ticket: Annotation<string>, prompt: Annotation<string>, label: Annotation<string> });
const graph = new StateGraph(State)
  .addNode('read', ({ ticket }) => ({ ticket: ticket.trim() }))
  .addNode('sort', async ({ ticket, prompt }) => {
    const reply = await model.invoke([new SystemMessage(prompt), new HumanMessage(`Ticket: ${ticket}`)]);
    return { label: String(reply.content) };
  })
  .addEdge(START, 'read')
  .addEdge('read', 'sort')
  .addEdge('sort', END)
  .compile();

// The code below connects the app to Hone.
const components = { system_prompt: { text: 'Sort the ticket. Answer with one word.' } };
await new Hone().target(
  'langgraph',
  async ({ case: { input }, components: texts, signal }) => {
    const { label } = await graph.invoke({ ticket: input, prompt: texts.system_prompt ?? '', label: '' }, { signal });
    return { output: label };
  },
  { components },
);
