import { parseArgs } from 'node:util';
import { type ArmName, readArmName } from '#lib/compare/schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { COMPARED_METRICS, type ComparedMetric } from '#lib/statistics/paired-verdict.ts';

/** What a gate is asked to hold against what, and how strictly. */
export type GateOptions = {
  experiment: ArmName;
  baseline: ArmName;
  /** null: the one that says more. */
  metric: ComparedMetric | null;
  /** A loss up to this is let through: of the score or of the share solved, from 0 to below 1. */
  margin: number;
  /** With fewer cases that both ran the gate can't tell. */
  leastCases: number;
  isJson: boolean;
  /** Of a running Hone, without a slash at the end. */
  address: string;
};

/** Below this many cases only very large losses show. */
const LEAST_CASES = 20;

export const GATE_USAGE = `Usage: npm run gate -- --experiment <id[@version]> --baseline <id[@version]> [options]

Holds an experiment against a baseline, case by case, and ends with
  0  no regression: not worse than the baseline by more than noise and the margin
  1  a regression
  2  can't tell: too few cases, runs under way, Hone not reached, or wrong options

Options
  --metric <score|solved>   what is compared: the mean best score or the share of cases solved;
                            without it the one that says more
  --margin <0 to 1>         a loss up to this is let through, such as 0.02 (default 0)
  --least-cases <number>    cases that both must have run, at least 6 (default ${LEAST_CASES})
  --address <url>           where Hone runs (default: APP_URL, else http://127.0.0.1:<PORT or 3000>)
  --json                    the outcome as JSON
  --help                    this text`;

/** Reads the command line of the gate; \`help\` where it was asked for. */
export function readGateOptions(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Result<GateOptions | 'help'> {
  const given = parse(args);
  if (!given.ok) return given;
  const values = given.value;
  if (values.help === true) return succeed('help');
  const experiment = readArm(values.experiment, 'experiment');
  if (!experiment.ok) return experiment;
  const baseline = readArm(values.baseline, 'baseline');
  if (!baseline.ok) return baseline;
  const metric = COMPARED_METRICS.find((known) => known === values.metric) ?? null;
  if (values.metric !== undefined && metric === null) return wrong('metric', values.metric, 'score or solved');
  const margin = readNumber(values.margin ?? '0');
  if (margin === null || margin < 0 || margin >= 1)
    return wrong('margin', values.margin, 'a number from 0 to below 1, such as 0.02');
  const leastCases = readNumber(values['least-cases'] ?? String(LEAST_CASES));
  if (leastCases === null || !Number.isInteger(leastCases) || leastCases < 6)
    return wrong('least-cases', values['least-cases'], 'a whole number from 6');
  const named = values.address ?? env.APP_URL ?? `http://127.0.0.1:${env.PORT ?? '3000'}`;
  if (!/^https?:\/\//.test(named) || !URL.canParse(named))
    return wrong('address', named, 'an http:// or https:// address, such as http://127.0.0.1:3000');
  const address = named.replace(/\/+$/, '');
  return succeed({
    experiment: experiment.value,
    baseline: baseline.value,
    metric,
    margin,
    leastCases,
    isJson: values.json === true,
    address,
  });
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        experiment: { type: 'string' },
        baseline: { type: 'string' },
        metric: { type: 'string' },
        margin: { type: 'string' },
        'least-cases': { type: 'string' },
        address: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    return succeed(values);
  } catch (error) {
    return fail('invalid', error instanceof Error ? error.message : String(error));
  }
}

function readArm(text: string | undefined, option: string): Result<ArmName> {
  const arm = text === undefined ? null : readArmName(text);
  if (arm !== null) return succeed(arm);
  return text === undefined
    ? fail('invalid', `--${option} is missing.`, option)
    : wrong(option, text, 'the id of an experiment, with @ and a version where not the latest is meant');
}

function wrong(option: string, value: string | undefined, expected: string): Result<never> {
  return fail('invalid', `--${option} is ${JSON.stringify(value ?? '')}, but must be ${expected}.`, option);
}

function readNumber(text: string): number | null {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
