import type { ModelMessage } from 'ai';
import type { AgentMessage, Conversation, ToolCall, ToolDefinition } from '#lib/core/agents/agent-records.ts';

/** Stands on replies that were asked for in this way. */
export const TOOLS_IN_TEXT =
  'The model was told of its tools in the prompt, and its text was read for the ones it uses.';

/** Where a model that works with tools in text must end its turn: what comes next is not for it to write. */
export const STOP_SEQUENCES = ['\nObservation:'];

/**
 * A conversation for models and servers that know no tools: they are told of in the instructions, and used by lines of text, which
 * `readToolText` reads. Source: ReAct (Yao et al. 2022).
 */
export function textConversation(
  { instructions, prompt }: { instructions: string; prompt: string },
  { messages, tools }: Conversation,
): { instructions: string; messages: ModelMessage[] } {
  const told = tools.length === 0 ? NO_TOOLS : toolInstructions(tools);
  return {
    instructions: [instructions.trim(), told].filter((part) => part !== '').join('\n\n'),
    messages: joined([{ role: 'user', text: prompt }, ...messages.map(lineOf)]),
  };
}

const ANSWER_FORM = `When you know the answer, write exactly:
Thought: what you think
Final Answer: the answer`;

const NO_TOOLS = ANSWER_FORM;

function toolInstructions(tools: readonly ToolDefinition[]): string {
  const list = tools.map(
    ({ name, description, parameters }) =>
      `- ${name}: ${description}\n  Arguments (JSON schema): ${JSON.stringify(parameters)}`,
  );
  return `You can use these tools:
${list.join('\n')}

To use a tool, write exactly:
Thought: what you think
Action: the name of one tool
Action Input: its arguments as one JSON object

Then end your turn: the result is given to you as an observation. Never write an observation yourself.

${ANSWER_FORM}`;
}

type Said = { role: 'user' | 'assistant'; text: string };

function lineOf(message: AgentMessage): Said {
  switch (message.role) {
    case 'user':
      return { role: 'user', text: message.text };
    case 'assistant':
      return {
        role: 'assistant',
        text: [`Thought: ${message.text}`.trimEnd(), ...message.calls.map(actionOf)].join('\n'),
      };
    case 'tool':
      return {
        role: 'user',
        text: message.results
          .map(({ tool, text }) =>
            message.results.length === 1 ? `Observation: ${text}` : `Observation of ${tool}: ${text}`,
          )
          .join('\n\n'),
      };
  }
}

function actionOf({ tool, arguments: text }: ToolCall): string {
  return `Action: ${tool}\nAction Input: ${text}`;
}

/** Many chat templates want the two sides to speak by turns. */
function joined(lines: readonly Said[]): ModelMessage[] {
  const messages: Said[] = [];
  for (const line of lines) {
    const last = messages.at(-1);
    if (last?.role === line.role) last.text += `\n\n${line.text}`;
    else messages.push({ ...line });
  }
  return messages.map(({ role, text }) => ({ role, content: text }));
}
