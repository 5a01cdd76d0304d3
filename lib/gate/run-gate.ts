import { z } from 'zod';
import { type ArmName, readArmName, writeArmName } from '#lib/compare/arm-name.ts';
import { type Comparison, comparisonSchema, isUnscoredMoreOften } from '#lib/compare/schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { decimalsToDistinguish } from '#lib/statistics/format-statistics.ts';
import { COMPARED_METRICS, type ComparedMetric, type PairedVerdict } from '#lib/statistics/paired-verdict.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { parseArguments } from '#lib/system/read-arguments.ts';

/** Options of the gate: the experiments to compare, and the thresholds. */
type GateOptions = {
  experiment: ArmName;
  baseline: ArmName;
  /** Null: the more informative metric. */
  metric: ComparedMetric | null;
  /** Accepted loss of the score or of the share solved, from 0 to below 1. */
  margin: number;
  /** Minimum number of cases that both ran. With fewer, the result is unclear. */
  leastCases: number;
  isJson: boolean;
  /** URL of a running Hone, without a trailing slash. */
  address: string;
  /** API token, required if Hone runs in team mode. */
  token: string | null;
};

/** With fewer cases, only very large losses are detectable. */
const MIN_CASES = 20;

const GATE_USAGE = `Usage: ${commandLine('gate', '--experiment <id[@version]> --baseline <id[@version]> [options]')}

Compares an experiment with a baseline, case by case. Exit codes:
  0  no regression: any loss is within noise or within the margin
  1  a regression
  2  unclear: too few cases, a significantly larger share of runs without a score than the baseline, runs in progress,
     Hone not reachable, or invalid options

Options
  --metric <score|solved>   what to compare: the mean best score or the share of solved cases
                            (default: solved if all scores are 0 or 1, else score)
  --margin <0 to 1>         loss that is still accepted, such as 0.02 (default 0)
  --least-cases <number>    cases that both must have run, 6 or more (default ${MIN_CASES})
  --address <url>           where Hone runs (default: APP_URL, else http://127.0.0.1:<PORT or 3000>)
  --json                    print the result as JSON
  --help                    print this help

In team mode, set HONE_API_TOKEN to an API token with the scope runs:read.`;

const GATE_OPTIONS = {
  experiment: { type: 'string' },
  baseline: { type: 'string' },
  metric: { type: 'string' },
  margin: { type: 'string' },
  'least-cases': { type: 'string' },
  address: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** Parses the command line of the gate. Returns `help` if it was requested. */
export function readGateOptions(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Result<GateOptions | 'help'> {
  const parsed = parseArguments(args, { options: GATE_OPTIONS });
  if (!parsed.ok) return parsed;
  const { values } = parsed.value;
  if (values.help === true) return succeed('help');
  const experiment = readArm(values.experiment, 'experiment');
  if (!experiment.ok) return experiment;
  const baseline = readArm(values.baseline, 'baseline');
  if (!baseline.ok) return baseline;
  if (writeArmName(experiment.value) === writeArmName(baseline.value))
    return fail('invalid', '--experiment and --baseline are the same. Name two experiments or versions.', 'baseline');
  const metric = COMPARED_METRICS.find((known) => known === values.metric) ?? null;
  if (values.metric !== undefined && metric === null) return wrong('metric', values.metric, 'score or solved');
  const margin = readNumber(values.margin ?? '0');
  if (margin === null || margin < 0 || margin >= 1)
    return wrong('margin', values.margin, 'a number from 0 to below 1, such as 0.02');
  const leastCases = readNumber(values['least-cases'] ?? String(MIN_CASES));
  if (leastCases === null || !Number.isInteger(leastCases) || leastCases < 6)
    return wrong('least-cases', values['least-cases'], 'a whole number from 6');
  const address = readAddress(values.address, env);
  if (!address.ok) return address;
  const token = env.HONE_API_TOKEN?.trim() || null;
  // The value is a secret and must not appear in the message.
  if (token !== null && !/^[\x21-\x7e]+$/.test(token))
    return fail('invalid', 'HONE_API_TOKEN has characters that no API token has. Copy the whole token again.');
  return succeed({
    experiment: experiment.value,
    baseline: baseline.value,
    metric,
    margin,
    leastCases,
    isJson: values.json === true,
    address: address.value,
    token,
  });
}

/** Returns the URL of Hone from the option or the environment, without a trailing slash. */
function readAddress(given: string | undefined, env: Record<string, string | undefined>): Result<string> {
  // CI sets variables that are not defined to an empty text.
  const address = given ?? (env.APP_URL || `http://127.0.0.1:${env.PORT || '3000'}`);
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return succeed(address.replace(/\/+$/, ''));
  if (given === undefined && !env.APP_URL)
    return fail('invalid', `PORT is ${JSON.stringify(env.PORT)}, but must be a port.`, 'address');
  return fail(
    'invalid',
    `${given === undefined ? 'APP_URL' : '--address'} is ${JSON.stringify(address)}, but must be an http:// or https:// address, such as http://127.0.0.1:3000.`,
    'address',
  );
}

function readArm(text: string | undefined, option: string): Result<ArmName> {
  const arm = text === undefined ? null : readArmName(text);
  if (arm !== null) return succeed(arm);
  return text === undefined
    ? fail('invalid', `--${option} is missing.`, option)
    : wrong(option, text, 'the id of an experiment, optionally followed by @ and a version');
}

function wrong(option: string, value: string | undefined, expected: string): Result<never> {
  return fail('invalid', `--${option} is ${JSON.stringify(value ?? '')}, but must be ${expected}.`, option);
}

function readNumber(text: string): number | null {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

/** `passed`: no regression. `regression`: worse by more than noise and more than the margin. `unclear`: not enough data. */
type GateOutcome = 'passed' | 'regression' | 'unclear';

type GateVerdict = { outcome: GateOutcome; reason: string; result: PairedVerdict | null };

const EXIT_CODES: Record<GateOutcome, number> = { passed: 0, regression: 1, unclear: 2 };

type GateReport = { exitCode: number; text: string };

/** Requests a comparison with the baseline from a running Hone and evaluates it. Never throws: errors end with exit code 2. */
export async function runGate(args: readonly string[], env: Record<string, string | undefined>): Promise<GateReport> {
  const options = readGateOptions(args, env);
  if (!options.ok) return { exitCode: EXIT_CODES.unclear, text: `${options.problem.message}\n\n${GATE_USAGE}` };
  if (options.value === 'help') return { exitCode: EXIT_CODES.passed, text: GATE_USAGE };
  const compared = await fetchComparison(options.value);
  if (compared.ok) return report(judgeGate(compared.value, options.value), options.value, compared.value);
  const { code, message } = compared.problem;
  return report(unclear(null, message), options.value, null, code !== 'unavailable');
}

const LIMIT_MS = 60_000;
const refusal = z.object({ error: z.object({ message: z.string() }) });

async function fetchComparison(options: GateOptions): Promise<Result<Comparison>> {
  const query = new URLSearchParams({ experimentIds: namesOf(options), limit: '1' });
  if (options.metric !== null) query.set('metric', options.metric);
  try {
    const response = await fetch(`${options.address}/api/v1/compare?${query}`, {
      headers: options.token === null ? {} : { authorization: `Bearer ${options.token}` },
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (response.status === 401) return fail('unauthorized', tokenProblem(options));
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) {
      const comparison = comparisonSchema.safeParse(body);
      return comparison.success
        ? succeed(comparison.data)
        : fail('unavailable', `The server at ${options.address} is not Hone, or runs another version of it.`);
    }
    const refused = refusal.safeParse(body);
    return fail(
      'invalid',
      refused.success ? refused.data.error.message : `Hone at ${options.address} responded with ${response.status}.`,
    );
  } catch {
    return fail(
      'unavailable',
      `Hone did not respond at ${options.address}. Start Hone there, or set its address with --address.`,
    );
  }
}

function tokenProblem({ address, token }: GateOptions): string {
  return token === null
    ? `Hone at ${address} is in team mode. Set HONE_API_TOKEN to a token with the scope runs:read. You can create one under Your account.`
    : `The token in HONE_API_TOKEN was refused by Hone at ${address}. It was revoked, has expired, or belongs to another installation. Create a new one with the scope runs:read under Your account.`;
}

function namesOf({ baseline, experiment }: GateOptions): string {
  return `${writeArmName(baseline)},${writeArmName(experiment)}`;
}

const TITLES: Record<GateOutcome, string> = {
  passed: 'PASSED: no regression',
  regression: 'REGRESSION',
  unclear: 'UNCLEAR',
};

/** `isReachable`: false if no Hone responded, so that the text has no link to its page. */
function report(
  verdict: GateVerdict,
  options: GateOptions,
  comparison: Comparison | null,
  isReachable = true,
): GateReport {
  const exitCode = EXIT_CODES[verdict.outcome];
  const [baseline, experiment] = comparison?.arms ?? [];
  const page = `${options.address}/compare?of=${comparison?.arms.map(({ arm }) => arm).join(',') ?? namesOf(options)}`;
  const isPractice = comparison?.arms.some(({ practice }) => practice) ?? false;
  if (options.isJson) {
    const { margin, leastCases } = options;
    const named = (arm: typeof baseline) => (arm === undefined ? null : { arm: arm.arm, name: arm.experimentName });
    const result = {
      ...verdict,
      exitCode,
      metric: comparison?.metric ?? options.metric,
      margin,
      leastCases,
      practice: isPractice,
      experiment: named(experiment),
      baseline: named(baseline),
      page,
    };
    return { exitCode, text: JSON.stringify(result, null, 2) };
  }
  const lines = [`${TITLES[verdict.outcome]}. ${verdict.reason}`];
  // A name at the start of a line could be a command to GitHub Actions, such as ::warning::.
  if (experiment && baseline)
    lines.push(
      `Compared: ${experiment.experimentName} v${experiment.version} against ${baseline.experimentName} v${baseline.version}${isPractice ? ' (practice data)' : ''}`,
    );
  if (verdict.result !== null) lines.push(verdict.result.reading);
  if (isReachable) lines.push(page);
  return { exitCode, text: lines.join('\n') };
}

/**
 * Decides if an experiment is a regression against the baseline: its loss is significant according to the comparison and larger than
 * `margin`. A gain or an insignificant loss never is. An unclear result never passes.
 */
function judgeGate(
  { arms, against, metric }: Pick<Comparison, 'arms' | 'against' | 'metric'>,
  { margin, leastCases }: { margin: number; leastCases: number },
): GateVerdict {
  const result = against[0]?.[metric] ?? null;
  const underWay = arms.reduce((sum, arm) => sum + arm.underWay, 0);
  if (underWay > 0) return unclear(result, `${count(underWay, 'run')} still in progress. Wait until they have ended.`);
  if (result === null || result.difference === null)
    return unclear(result, 'No case has a result in both experiments.');
  if (result.n < leastCases)
    return unclear(
      result,
      `${count(result.n, 'case')} ${result.n === 1 ? 'has' : 'have'} a result in both experiments, but at least ${leastCases} are required.`,
    );
  const { verdict, difference, low } = result;
  const unscored = unscoredRuns(arms);
  if (verdict !== 'worse' && unscored.areMore)
    return unclear(result, `${unscored.label} They are not compared, so they may hide a regression. Run them again.`);
  const note = unscored.label === '' ? '' : ` ${unscored.label}`;
  switch (verdict) {
    case 'too_few':
      return unclear(result, 'There are too few cases to compare.');
    case 'worse':
      if (-difference <= margin)
        return { outcome: 'passed', reason: `Worse by more than noise, but within the margin of ${margin}.`, result };
      return {
        outcome: 'regression',
        reason: `Worse than the baseline by more than noise${margin === 0 ? '' : ` and more than the margin of ${margin}`}.`,
        result,
      };
    case 'within_noise':
      return { outcome: 'passed', reason: `No loss beyond noise was found.${formatWorstLoss(low)}${note}`, result };
    case 'better':
      return { outcome: 'passed', reason: `Better than the baseline by more than noise.${note}`, result };
  }
}

/**
 * Compares the shares of runs without a score, and describes them. A change that makes outputs unscorable must not pass on the remaining
 * cases. `label`: empty if the experiment has a score for every run.
 */
function unscoredRuns([baseline, experiment]: Comparison['arms']): { areMore: boolean; label: string } {
  if (baseline === undefined || experiment === undefined || experiment.unscoredRuns === 0)
    return { areMore: false, label: '' };
  return {
    areMore: isUnscoredMoreOften(experiment, baseline),
    label: `${experiment.unscoredRuns} of ${count(experiment.runs, 'run')} of the experiment and ${baseline.unscoredRuns} of ${baseline.runs} of the baseline have no score.`,
  };
}

function unclear(result: PairedVerdict | null, reason: string): GateVerdict {
  return { outcome: 'unclear', reason, result };
}

/** Returns the largest loss that a pass does not rule out. */
function formatWorstLoss(low: number | null): string {
  return low === null || low >= 0
    ? ''
    : ` A loss of up to ${(-low).toFixed(decimalsToDistinguish(low, 0, 2))} is not ruled out.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
