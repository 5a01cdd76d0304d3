import { z } from 'zod';
import { SPLITS, type Split } from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { seededNumber } from '#lib/core/text-values.ts';
import type { Landscape } from './landscapes.ts';

const TOPICS =
  'refund invoice crash password delivery warranty discount export login backup update license contract printer survey holiday'.split(
    ' ',
  );
const ACTIONS = [
  'ask for the order number',
  'pass it to the night desk',
  'quote the paragraph of the terms',
  'offer a call back',
  'send the long form',
  'name the person in charge',
];
const HARMFUL = '- Keep every answer under ten words.';
const SHORTCUT = '- Send every ticket to the front desk.';
const BOOSTING = '- Close with the next step and a date.';
/** Sentences that should be removed, by their name in feedback. */
const SENTENCES: Record<string, string> = { length: HARMFUL, desk: SHORTCUT };

export type Texts = Record<string, string>;
export type Ticket = { id: number; split: Split; input: string; topics: string[]; isLong: boolean };

/** A request to the reflection model: a text, and the topics it fails on or the improved texts to combine. */
export type ReflectionRequest = { component: string; text: string; failed: string[]; improved: string[] };

/** A landscape with rules, tickets and initial texts drawn from a seed. */
export type SimulatedApp = {
  landscape: Landscape;
  seed: number;
  tickets: Ticket[];
  /** The initial texts, and the texts with all rules. */
  start: Texts;
  optimum: Texts;
  /** Returns the mean true score over the held-out tickets, without noise. */
  heldOutScore(texts: Texts): number;
  /** Returns the output of the app. `repeat` counts earlier calls with the same ticket and texts. */
  handle(texts: Texts, ticket: number, repeat: number): { output: string; score: number; feedback: string };
  /** Returns the text that the reflection model proposes for the failures. `repeat` counts earlier identical requests. */
  propose(asked: ReflectionRequest, repeat: number): string;
};

/** Creates the app of a seed. Results depend only on the seed and the request, not on the order of requests. */
export function simulatedApp(landscape: Landscape, seed: number): SimulatedApp {
  const { components, known, range, noise, reflection } = landscape;
  const keys = [landscape.name, String(seed)];
  const lot = (...more: (string | number)[]) => seededNumber(...keys, ...more.map(String));
  const topics = shuffle(TOPICS, (topic) => lot('topic', topic)).slice(0, landscape.topics);
  const actionOf = (component: string, topic: string, shift = 0) =>
    ACTIONS[(Math.floor(lot('action', component, topic) * ACTIONS.length) + shift) % ACTIONS.length] ?? '';
  const rule = (component: string, topic: string, shift = 0) =>
    `- Tickets about ${topic}: ${actionOf(component, topic, shift)}.`;
  const textsWith = (count: number): Texts =>
    Object.fromEntries(
      components.map(({ name }) => [
        name,
        [headerOf(name), ...topics.slice(0, count).map((topic) => rule(name, topic))].join('\n'),
      ]),
    );
  const tickets = drawTickets(landscape, topics, lot);

  const isHandled = (texts: Texts, component: string, topic: string) =>
    (texts[component] ?? '').split('\n').includes(rule(component, topic));
  const isHarmed = (texts: Texts, ticket: Ticket) => ticket.isLong && componentsWith(texts, HARMFUL).length > 0;
  const handledShare = (texts: Texts, topic: string) => {
    if (componentsWith(texts, SHORTCUT).length > 0) return landscape.shortcut;
    const handled = components.filter(({ name }) => isHandled(texts, name, topic));
    return handled.length === components.length ? 1 : handled.reduce((sum, { worth }) => sum + worth, 0);
  };
  const trueScore = (texts: Texts, ticket: Ticket) => {
    const share = mean(ticket.topics.map((topic) => handledShare(texts, topic)));
    const harm = isHarmed(texts, ticket) ? landscape.harm : 0;
    const boost = Object.values(texts).some((text) => text.includes(BOOSTING)) ? landscape.boost : 0;
    return cutOff(range[0] + (range[1] - range[0]) * Math.max(0, share - harm) + boost);
  };
  const failures = (texts: Texts, ticket: Ticket) => [
    ...components.flatMap(({ name }) =>
      ticket.topics
        .filter((topic) => !isHandled(texts, name, topic))
        .map((topic) => `Wrong in ${name} on ${topic}: must ${actionOf(name, topic)}.`),
    ),
    ...componentsWith(texts, SHORTCUT).map((name) => `Wrong in ${name} on desk: must not be the same for all.`),
    ...(isHarmed(texts, ticket) ? componentsWith(texts, HARMFUL) : []).map(
      (name) => `Wrong in ${name} on length: must not be that short.`,
    ),
  ];

  return {
    landscape,
    seed,
    tickets,
    start: textsWith(known),
    optimum: textsWith(topics.length),
    heldOutScore: (texts) =>
      mean(tickets.filter(({ split }) => split === 'held_out').map((ticket) => trueScore(texts, ticket))),
    handle: (texts, id, repeat) => {
      const ticket = tickets[id];
      if (ticket === undefined) throw new Error(`there is no ticket ${id}`);
      const wrong = failures(texts, ticket);
      const draw = [JSON.stringify(components.map(({ name }) => texts[name])), id, repeat];
      const score = cutOff(trueScore(texts, ticket) + noise * gauss(lot('noise', ...draw), lot('angle', ...draw)));
      const output = ticket.topics
        .map((topic) => `${topic} ${wrong.some((one) => one.includes(` ${topic}:`)) ? 'by guess' : 'by rule'}`)
        .join(', ');
      return { output, score: roundTo6(score), feedback: wrong.length === 0 ? 'Nothing is wrong.' : wrong.join(' ') };
    },
    propose: ({ component, text, failed, improved }, repeat) => {
      const draw = (...more: (string | number)[]) =>
        lot('reflect', text, failed.join(), improved.join(), repeat, ...more);
      let lines = combinedLines(text, improved).filter((line) => !line.startsWith('(Edition'));
      const chosen = shuffle(failed, (topic) => draw('order', topic)).slice(0, reflection.most);
      for (const topic of chosen) {
        const chance = draw('find', topic);
        const sentence = SENTENCES[topic];
        if (sentence !== undefined) {
          if (chance < reflection.finds) lines = lines.filter((line) => line !== sentence);
          continue;
        }
        if (chance >= reflection.finds + reflection.mistakes) continue;
        const shift = chance < reflection.finds ? 0 : 1 + Math.floor(draw('mistake', topic) * (ACTIONS.length - 1));
        const others = lines.filter((line) => !line.startsWith(`- Tickets about ${topic}:`));
        lines = [...others, rule(component, topic, shift)];
      }
      const rules = lines.filter((line) => line.startsWith('- Tickets'));
      if (draw('drop') < reflection.drops && rules.length > 0) {
        const dropped = rules[Math.floor(draw('dropped') * rules.length)];
        lines = lines.filter((line) => line !== dropped);
      }
      if (draw('harm') < reflection.harms && !lines.includes(HARMFUL)) lines.push(HARMFUL);
      if (draw('shortcut') < reflection.shortcuts && !lines.includes(SHORTCUT)) lines.push(SHORTCUT);
      if (draw('boost') < reflection.boosts && !lines.includes(BOOSTING)) lines.push(BOOSTING);
      // Makes each text unique, as with a real model.
      return [...lines, `(Edition ${Math.floor(draw('edition') * 1_000_000)})`].join('\n');
    },
  };
}

type ReadRequest = { asked: ReflectionRequest; answerWith(text: string): string };

/** Parses a request for a new text from Hone or gepa. The response has the format that the request requires. */
export function readReflectionRequest({ start }: SimulatedApp, prompt: string): ReadRequest {
  const own = /<(current_prompt[^>]*)>\n([\s\S]*?)\n<\/\1>/.exec(prompt);
  const theirs = /^I provided an assistant[^\n]*\n```\n([\s\S]*?)\n```\n/.exec(prompt);
  const text = own?.[2] ?? theirs?.[1] ?? '';
  const component = Object.keys(start).find((name) => text.startsWith(headerOf(name)));
  if (component === undefined) throw new Error(`no text to improve was found in: ${prompt.slice(0, 500)}`);
  const accepted = /<(accepted_prompts[^>]*)>\n([\s\S]*?)\n<\/\1>/.exec(prompt)?.[2] ?? '';
  const improved = accepted
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [improvedSchema.parse(JSON.parse(line)).prompt]));
  const failures = [...prompt.matchAll(/Wrong in (\w+) on (\w+): must/g)].filter(([, name]) => name === component);
  const failed = [...new Set(failures.map(([, , topic = '']) => topic))].sort();
  return {
    asked: { component, text, failed: improved.length > 0 ? [] : failed, improved },
    answerWith: (proposed) =>
      own === null ? `\`\`\`\n${proposed}\n\`\`\`` : `Some rules are missing.\n~~~~\n${proposed}\n~~~~`,
  };
}

const improvedSchema = z.object({ prompt: z.string() });

/** Applies the line removals and additions of the improved texts to a text. */
function combinedLines(text: string, improved: readonly string[]): string[] {
  const before = text.split('\n');
  const lines = improved.map((one) => one.split('\n'));
  const kept = before.filter((line) => lines.every((one) => one.includes(line)));
  return [...new Set([...kept, ...lines.flat().filter((line) => !before.includes(line))])];
}

/** Returns the first line of a text, from which the reflection model identifies the component. */
function headerOf(component: string): string {
  return `These are the rules for the ${component} of a support ticket.`;
}

function componentsWith(texts: Texts, sentence: string): string[] {
  return Object.keys(texts).filter((name) => texts[name]?.split('\n').includes(sentence));
}

function drawTickets(
  { cases, known, rare }: Landscape,
  topics: string[],
  lot: (...more: (string | number)[]) => number,
): Ticket[] {
  const counts = { train: cases.train, validation: cases.validation, held_out: cases.heldOut };
  const splits = SPLITS.flatMap((split) => Array.from({ length: counts[split] }, () => split));
  return splits.map((split, id) => {
    const isRare = rare !== null && lot('rare', id) < rare;
    const [common, others] = rare === null ? [topics, []] : [topics.slice(0, known), topics.slice(known)];
    const drawn = shuffle(common, (topic) => lot('ticket', id, topic));
    const count = 1 + Math.floor(lot('count', id) * 3);
    const own = isRare ? [pick(others, lot('other', id)), ...drawn.slice(1, count)] : drawn.slice(0, count);
    return { id, split, topics: own, isLong: lot('long', id) < 0.3, input: `Ticket ${id} about ${own.join(', ')}.` };
  });
}

function pick(items: readonly string[], lot: number): string {
  return items[Math.floor(lot * items.length)] ?? '';
}

function shuffle<Item>(items: readonly Item[], lotOf: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, lot: lotOf(item) }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ item }) => item);
}

/** Returns a normally distributed number from two uniform ones (Box and Muller 1958). */
function gauss(one: number, other: number): number {
  return Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
}

function cutOff(score: number): number {
  return Math.max(0, Math.min(1, score));
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
