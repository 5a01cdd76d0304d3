import { distance } from 'fastest-levenshtein';

/** Words of other tools for settings. A word only counts where its setting exists. */
const OTHER_WORDS: Record<string, string> = {
  assertions: 'criteria',
  critic: 'reflectionModel',
  evaluators: 'criteria',
  grader: 'evaluatorModel',
  iterations: 'maxIterations',
  judge: 'evaluatorModel',
  judgemodel: 'evaluatorModel',
  kind: 'evaluator',
  limits: 'budget',
  maxcost: 'maxCostUsd',
  maxretries: 'maxAttempts',
  maxrounds: 'maxIterations',
  memory: 'lessons',
  metrics: 'criteria',
  model: 'generator',
  provider: 'generator',
  retries: 'maxAttempts',
  rounds: 'maxIterations',
  rubric: 'config',
  scorers: 'criteria',
  system: 'instructions',
  systemprompt: 'instructions',
  temperature: 'generator',
  threshold: 'qualityThreshold',
  timeout: 'timeoutSeconds',
  type: 'evaluator',
};

/** Shorter names have too many similarly spelled names. */
const MIN_TWO_TYPO_LENGTH = 6;

/** Returns the known name that an unknown one probably means: another word for it, or the most similar spelling. Null if there is none. */
export function similarSetting(unknown: string, known: readonly string[]): string | null {
  const plain = plainName(unknown);
  const other = Object.hasOwn(OTHER_WORDS, plain) ? OTHER_WORDS[plain] : undefined;
  if (other !== undefined && known.includes(other)) return other;
  const most = plain.length < MIN_TWO_TYPO_LENGTH ? 1 : 2;
  const [nearest] = known
    .filter((name) => Math.abs(name.length - plain.length) <= most)
    .map((name) => ({ name, typos: distance(plainName(name), plain) }))
    .filter(({ typos }) => typos <= most)
    .sort((one, next) => one.typos - next.typos);
  return nearest?.name ?? null;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
