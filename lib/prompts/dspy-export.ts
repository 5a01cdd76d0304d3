import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { usesInput } from '#lib/core/chat/chat-request.ts';
import { KNOWN_VARIABLE, templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { takeExamples, type WorkedExample } from '#lib/core/prompts/worked-examples.ts';
import { splitComponents } from '#lib/core/targets/component-texts.ts';

export const DSPY_MODULES = ['predict', 'chain_of_thought'] as const;
/** DSPy module that loads the program: `dspy.Predict` or `dspy.ChainOfThought`. */
export type DspyModule = (typeof DSPY_MODULES)[number];

type DspyField = { prefix: string; description: string };
type DspyPredictor = {
  traces: [];
  train: [];
  demos: Record<string, string>[];
  signature: { instructions: string; fields: DspyField[] };
  lm: null;
};

/**
 * File of a program in the format of DSPy's `program.save("….json")`. A single predictor is the whole file. Several are stored under their
 * names.
 */
type DspyProgram = Record<string, unknown>;

/** Name of the output field. */
const OUTPUT = 'output';
/** Empty, because DSPy only checks the versions that are listed. */
const METADATA = { metadata: { dependency_versions: {} } };

/**
 * Converts a prompt to a program that DSPy loads. Variables become input fields, and `output` is the answer. Worked examples, and pairs of
 * user and assistant messages, become demos. Each component becomes a predictor with its name.
 */
export function writeDspyProgram(text: string, module: DspyModule): DspyProgram {
  const components = dspyComponents(text);
  if (components.size === 0) {
    const only = predictor(text, module);
    return module === 'predict' ? { ...only, ...METADATA } : { predict: only, ...METADATA };
  }
  const suffix = module === 'predict' ? '' : '.predict';
  return {
    ...Object.fromEntries([...components].map(([name, part]) => [name + suffix, predictor(part, module)])),
    ...METADATA,
  };
}

/** Returns the components of a prompt by predictor name. `metadata` gets a numeric suffix because the file has its own metadata. */
export function dspyComponents(text: string): Map<string, string> {
  const components = splitComponents(text);
  let again = 2;
  while (components.has(`metadata_${again}`)) again += 1;
  return new Map([...components].map(([name, part]) => [name === 'metadata' ? `metadata_${again}` : name, part]));
}

/** Returns the signature to create the program with before loading the file, for example `input, tone -> output`. */
export function dspySignature(text: string): string {
  return `${[...fieldNames(text).values()].join(', ')} -> ${OUTPUT}`;
}

function predictor(prompt: string, module: DspyModule): DspyPredictor {
  const { instructions, demos } = partsOf(prompt);
  const names = fieldNames(prompt);
  const outputs = module === 'predict' ? [OUTPUT] : ['reasoning', OUTPUT];
  return {
    ...{ traces: [], train: [] },
    demos: demos.map((demo) => renamed(demo, names, outputs)),
    signature: {
      instructions: instructions.replace(KNOWN_VARIABLE, (_whole, name: string) => `\`${names.get(name) ?? name}\``),
      fields: [...names.values(), ...outputs].map((name) => ({ prefix: prefixOf(name), description: `$\{${name}}` })),
    },
    lm: null,
  };
}

/** Splits a prompt into instructions and demos. In a chat prompt, pairs of user and assistant messages are demos too. */
function partsOf(prompt: string): { instructions: string; demos: WorkedExample[] } {
  const messages = messagesOfPrompt(prompt);
  if (messages === null) {
    const { text, examples } = takeExamples(prompt);
    return { instructions: text.trim(), demos: examples };
  }
  const texts: string[] = [];
  const demos: WorkedExample[] = [];
  for (let at = 0; at < messages.length; at++) {
    const [message, next] = [messages[at], messages[at + 1]];
    // Skip a message that is only a variable: DSPy adds the input fields itself.
    if (message === undefined || message.role === 'history' || /^\{\{[^{}]*\}\}$/.test(message.text)) continue;
    const isPair = message.role === 'user' && next?.role === 'assistant';
    if (isPair && templateVariables(message.text + next.text).length === 0) {
      demos.push({ input: message.text, [OUTPUT]: next.text });
      at += 1;
    } else {
      const { text, examples } = takeExamples(message.text);
      texts.push(text.trim());
      demos.push(...examples);
    }
  }
  return { instructions: texts.join('\n\n'), demos };
}

/** Returns field names by variable. A prompt without variables, and a chat prompt followed by the input, get the field `input`. */
function fieldNames(prompt: string): Map<string, string> {
  const found = templateVariables(prompt).flatMap(({ name, known }) => (known ? [name] : []));
  const addsInput = found.length === 0 || (messagesOfPrompt(prompt) !== null && !usesInput(prompt));
  const names = new Map<string, string>();
  for (const variable of addsInput ? [...found, 'input'] : found) {
    const wanted = fieldName(variable.replace(/^metadata\./, ''));
    let name = wanted;
    for (let again = 2; [OUTPUT, 'reasoning', ...names.values()].includes(name); again++) name = `${wanted}_${again}`;
    names.set(variable, name);
  }
  return names;
}

/** Returns a valid Python identifier. */
function fieldName(text: string): string {
  const name = text.replaceAll(/\W+/g, '_');
  return /^[a-z]/i.test(name) && !PYTHON_KEYWORDS.has(name) ? name : `field_${name}`;
}

const PYTHON_KEYWORDS = new Set(
  [
    'False None True and as assert async await break class continue def',
    'del elif else except finally for from global if import in is',
    'lambda nonlocal not or pass raise return try while with yield',
  ].flatMap((words) => words.split(' ')),
);

/** Returns DSPy's default prefix for a field: `Due Date:` for `due_date`. */
function prefixOf(name: string): string {
  return `${name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')}:`;
}

/** Renames the fields of a demo. Outputs keep their names, even if a variable has the same name. */
function renamed(
  demo: WorkedExample,
  names: ReadonlyMap<string, string>,
  outputs: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(demo).map(([name, text]) => [
      outputs.includes(name) ? name : (names.get(name) ?? names.get(`metadata.${name}`) ?? name),
      text,
    ]),
  );
}
