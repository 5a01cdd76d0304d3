/** Words of a task from which the practice model builds its sentences. */
export type TaskTerms = {
  /** "our rate limits" */
  topic: string;
  /** The topic without article or possessive: "rate limits" */
  name: string;
  /** Target audience: "a new user" */
  audience: string;
  plural: boolean;
};

const REQUEST =
  /^(?:please\s+|can you\s+|could you\s+|i want you to\s+|i need\s+|help me (?:to )?)*(?:(?:explain|describe|summari[sz]e|discuss|outline|analy[sz]e|compare|define|introduce|document|review|translate|present|list|give|tell|show|teach|draft|compose|create|design|implement|write|make|prepare|produce|build|develop|plan|solve|find|name|suggest|argue)\s+(?:me\s+|us\s+|in \w+ (?:words|sentences)\s+)?(?:how to use\s+|what\s+)?)/i;
const KIND_OF_TEXT =
  /^(?:an?|the|one|some|two|three)?\s*(?:(?:\w+-\w+|short|brief|long|clear|friendly|simple|formal|detailed|new|good|one-page)\s+)*(?:explanation|description|summary|essay|article|tutorial|guide|e-?mail|letter|message|note|notice|paragraph|text|story|poem|report|post|blog post|announcement|introduction|overview|page|piece|plan|proposal|review|answer|list|instructions?|documentation|faq)\s+(?:about|on|of|for|to|that explains?|explaining|describing|announcing)\s+/i;
const AUDIENCE =
  /\s+(?:to|for)\s+((?:an?|the|our|my|your|new|non-|first|young|all|every|someone|people|beginners?|users?|readers?|customers?|students?|colleagues?|children|kids|managers?|developers?)\b[^,.;:?!]{0,40})$/i;

const QUESTION = /^(?:what|who|how|why|when|where|which)\s+(?!to\b)/i;

/** Extracts the topic and audience of a task. Returns terms for any text. */
export function taskTerms(task: string): TaskTerms {
  const sentence = (
    task
      .trim()
      .slice(0, 400)
      .split(/(?<=[.?!:;])\s|\n/)[0] ?? ''
  )
    .replace(/[.?!:;]+$/, '')
    .replace(/["“”«»`*#<>]/g, '');
  if (QUESTION.test(sentence)) {
    const topic = `the question "${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}"`;
    return { topic, name: 'this question', audience: 'a reader', plural: false };
  }
  const topicText = sentence
    .trim()
    .replace(REQUEST, '')
    .replace(KIND_OF_TEXT, '')
    .replace(/^(?:our |the |all )?\p{L}+ (?:about|on) (?=\p{L})/iu, '');
  const audience = AUDIENCE.exec(topicText)?.[1] ?? '';
  const words = topicText.replace(AUDIENCE, '').trim().split(/\s+/).slice(0, 8);
  while (words.length > 1 && /^(?:a|an|the|of|to|for|and|or|in|on|with|by|from|that|which)$/i.test(words.at(-1) ?? ''))
    words.pop();
  const topic =
    lowerFirst(
      words
        .join(' ')
        .replace(/[,;:]+$/, '')
        .replace(/ (?:below|above)$/i, ''),
    ) || NO_SUBJECT.topic;
  if (/^(?:this|that|it|these|the following|following)$/i.test(topic))
    return { ...NO_SUBJECT, audience: audience.trim() || NO_SUBJECT.audience };
  const name = topic.replace(/^(?:our|the|an?|my|your|their|its|this|these|those)\s+/i, '') || topic;
  const head = name.split(/\s+(?:of|for|in|on|that|which|with|to|by|from|at)\s+/)[0] ?? name;
  return {
    topic,
    name,
    audience: audience.trim() || NO_SUBJECT.audience,
    plural: /[^s]s$/i.test(head) && !/(?:sis|ics|us|news|gas)$/i.test(head),
  };
}

const NO_SUBJECT: TaskTerms = { topic: 'this subject', name: 'this subject', audience: 'a reader', plural: false };

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lowercases the first letter, except of names and abbreviations: "HTTP", "I", "PostgreSQL". */
function lowerFirst(text: string): string {
  const first = text.split(/\s/)[0] ?? '';
  return /^[A-Z][a-z]*$/.test(first) &&
    /^(?:Our|The|A|An|My|Your|Their|Its|This|These|Those|How|Why|What|When|Where)$/.test(first)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}
