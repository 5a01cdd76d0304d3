import type { UIMessageChunk } from 'ai';

/** Step in the trace of a stream. */
type StreamStep = { name: string; input?: unknown; output?: unknown; error?: string; [field: string]: unknown };

/**
 * Joins the parts of a UI message stream into an output and the steps of a trace. A tool call with its result, and a piece of reasoning with
 * all its deltas, are one step each. Steps are in the order in which they began. The output is the text of the last step of the model that
 * has one, like `text` in the AI SDK. Earlier texts are steps of the trace. Source: the UI message stream protocol of the AI SDK.
 */
export function createStreamTrace() {
  const steps: StreamStep[] = [];
  let answer: (StreamStep & { output: string }) | null = null;
  let isNewStep = false;
  /** Open steps by part kind and id, so that ids of different kinds do not collide. */
  const open = new Map<string, StreamStep>();
  const stepAt = (key: string, name: string): StreamStep => {
    const known = open.get(key);
    if (known !== undefined) return known;
    const begun: StreamStep = { name };
    open.set(key, begun);
    steps.push(begun);
    return begun;
  };
  const ofTool = (id: string, name = 'tool') => stepAt(`tool ${id}`, name);
  const add = (part: UIMessageChunk): void => {
    switch (part.type) {
      case 'start-step':
        isNewStep = true;
        return;
      case 'text-delta':
        if (part.delta === '') return;
        if (answer === null || isNewStep) {
          answer = { name: 'text', output: '' };
          steps.push(answer);
        }
        isNewStep = false;
        answer.output += part.delta;
        return;
      case 'tool-input-available':
        ofTool(part.toolCallId, part.toolName).input = part.input;
        return;
      case 'tool-input-error':
        Object.assign(ofTool(part.toolCallId, part.toolName), { input: part.input, error: part.errorText });
        return;
      case 'tool-output-available':
        ofTool(part.toolCallId).output = part.output;
        return;
      case 'tool-output-error':
        ofTool(part.toolCallId).error = part.errorText;
        return;
      case 'reasoning-delta': {
        const step = stepAt(`reasoning ${part.id}`, 'reasoning');
        step.output = `${step.output ?? ''}${part.delta}`;
        return;
      }
      case 'reasoning-end':
        // Later reasoning can have the same id.
        open.delete(`reasoning ${part.id}`);
        return;
      case 'source-url':
      case 'source-document': {
        const { type, ...source } = part;
        steps.push({ name: type, output: source });
        return;
      }
      default:
        if (isData(part)) {
          const step = part.id === undefined ? { name: part.type } : stepAt(`${part.type} ${part.id}`, part.type);
          if (part.id === undefined) steps.push(step);
          step.output = part.data;
        }
    }
  };
  const finish = () => ({ output: answer?.output ?? '', trace: steps.filter((step) => step !== answer) });
  return { add, finish };
}

type DataPart = Extract<UIMessageChunk, { type: `data-${string}` }>;

function isData(part: UIMessageChunk): part is DataPart {
  return part.type.startsWith('data-');
}
