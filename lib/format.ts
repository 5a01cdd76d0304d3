import { roundTo6 } from '#lib/core/round.ts';
import { decimalsOfInterval, decimalsToDistinguish } from '#lib/statistics/format-statistics.ts';

/** Formats numbers, money and time for display. Does not depend on the clock or locale of the machine: `now` is a parameter. */

const MINUS = '−';

/** Formats a score from 0 to 1 with two decimals, or null as "unscored". */
export function formatScore(score: number | null): string {
  return score === null ? 'unscored' : withMinus(score.toFixed(2));
}

/** Formats a score and its threshold with two decimals, or as many as needed to show which is higher: `0.796` and `0.800`. */
export function formatScoreAgainst(score: number, threshold: number): { score: string; threshold: string } {
  // Thresholds are compared at 6 decimals.
  const [one, other] = [roundTo6(score), roundTo6(threshold)];
  const decimals = decimalsToDistinguish(one, other, 2);
  return { score: one.toFixed(decimals), threshold: other.toFixed(decimals) };
}

/** Formats a difference of scores with its sign: `+0.12`, `−0.05`. Returns `= 0` if it rounds to zero. */
export function formatChange(difference: number, decimals = 2): string {
  const rounded = difference.toFixed(decimals);
  if (Number(rounded) === 0) return '= 0';
  return difference > 0 ? `+${rounded}` : withMinus(rounded);
}

/** Formats a difference of scores and the bounds of its interval, with enough decimals to show that the interval excludes 0. */
export function formatChangeInterval(difference: number, low: number, high: number): [string, string, string] {
  const decimals = decimalsOfInterval({ low, high }, 2);
  return [formatChange(difference, decimals), formatChange(low, decimals), formatChange(high, decimals)];
}

/** Formats a share as whole percent: `83%`. Only none and all read as `0%` and `100%`, shares near them as `<1%` and `>99%`. */
export function formatPercent(share: number): string {
  const [exact, percent] = [roundTo6(share), Math.round(share * 100)];
  if (percent === 0 && exact > 0) return '<1%';
  return percent === 100 && exact < 1 ? '>99%' : `${percent}%`;
}

/** Formats a share as percent, with as many decimals as needed to show that it differs from the target: `89.6%` against `90%`. */
export function formatPercentAgainst(share: number, target: number): string {
  const [one, other] = [roundTo6(share) * 100, roundTo6(target) * 100];
  const decimals = decimalsToDistinguish(one, other, 0);
  return decimals === 0 ? formatPercent(share) : `${one.toFixed(decimals)}%`;
}

/** Formats dollars, with more decimals for smaller amounts: `$0.0126`, `$0.128`, `$1.31`. */
export function formatMoney(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.0001) return '< $0.0001';
  if (usd < 0.1) return `$${usd.toFixed(4)}`;
  return `$${withThousands(usd.toFixed(usd < 1 ? 3 : 2))}`;
}

/** Formats a cost, with a note if some call had no known price. */
export function formatCost(usd: number, unpriced: boolean): string {
  if (!unpriced) return formatMoney(usd);
  return usd === 0 ? 'no price' : `${formatMoney(usd)} + unpriced`;
}

/** Joins the parts of a label with commas. Empty, false and null parts are omitted. */
export function joinParts(...parts: readonly (string | false | null)[]): string {
  return parts.filter(Boolean).join(', ');
}

const LIST_FORMAT = new Intl.ListFormat('en-GB');

/** Formats a list: `1, 2 and 4`. */
export function formatList(items: string[]): string {
  return LIST_FORMAT.format(items);
}

/** Maximum length of each of several names in a sentence. */
const MAX_NAME_LENGTH = 40;

/** Formats the first of many names, each cut at 40 characters, and the number of others: `a, b, c and 47 more`. */
export function formatNames(names: readonly string[], most = 4): string {
  const short = names.map((name) => formatTitle(name, MAX_NAME_LENGTH));
  if (short.length <= most + 1) return short.join(', ');
  return `${short.slice(0, most).join(', ')} and ${formatCount(names.length - most)} more`;
}

/** Formats a whole number with thousands separators: `7,963`. */
export function formatCount(count: number): string {
  return withThousands(String(Math.round(count)));
}

/** Formats a count with its noun: `1 run`, `24 runs`. */
export function formatNumberOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Formats a size: `840 bytes`, `5.2 kB`, `1.3 GB` (1 kB = 1,000 bytes). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return formatNumberOf(bytes, 'byte');
  const steps = ['kB', 'MB', 'GB', 'TB'];
  let size = bytes / 1000;
  while (size >= 999.95 && steps.length > 1) {
    size /= 1000;
    steps.shift();
  }
  return `${size < 99.95 ? size.toFixed(1) : formatCount(size)} ${steps[0]}`;
}

/** Formats a duration in milliseconds: `840 ms`, `5.2 s`, `1 min 50 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** Formats elapsed time: `0:07`, `12:40`, `1:02:09`. Never negative. */
export function formatElapsed(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  const seconds = String(whole % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${seconds}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`;
}

/** Formats the time since a moment: `now`, `4 min ago`, `8 h ago`, `2 days ago`, then the date. Future moments are `now`. */
export function formatAgo(moment: string, now: Date): string {
  const age = formatAge(moment, now);
  if (age === 'now') return age;
  return now.getTime() - Date.parse(moment) < 7 * 86_400_000 ? `${age} ago` : formatDay(moment);
}

/** Formats an age: `now`, `4 min`, `8 h`, `2 days`. */
export function formatAge(moment: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(moment)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return formatNumberOf(Math.floor(minutes / 1440), 'day');
}

/** Formats a stored timestamp in UTC: `20 Nov 2026, 16:42 UTC`. */
export function formatMoment(moment: string): string {
  return `${formatDay(moment)}, ${new Date(moment).toISOString().slice(11, 16)} UTC`;
}

/** Formats a timestamp in the local time zone of the process or browser: `20 Nov 2026, 17:42`. */
export function formatLocalMoment(moment: string): string {
  const date = new Date(moment);
  const time = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}, ${time}`;
}

/** Converts timestamps in a text, in the format of `formatMoment`, to a time zone. Default: the local one of the process or browser. */
export function withLocalMoments(text: string, timeZone?: string): string {
  return text.replace(
    /\b(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}), (\d\d):(\d\d) UTC/g,
    (written, day, month, year, hour, minute) => {
      const index = MONTHS.indexOf(month);
      if (index === -1) return written;
      const moment = new Date(Date.UTC(+year, index, +day, +hour, +minute));
      return timeZone === undefined ? formatLocalMoment(moment.toISOString()) : formatMomentIn(timeZone, moment);
    },
  );
}

function formatMomentIn(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(moment);
  const { day, month, year, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${day} ${MONTHS[Number(month) - 1]} ${year}, ${hour}:${minute}`;
}

/** Formats the number of a run with at least four digits: `0147`. */
export function formatRunNumber(number: number): string {
  return String(number).padStart(4, '0');
}

/** Returns the first non-blank line of a text, cut to `length` characters. */
export function formatTitle(text: string, length = 120): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const trimmed = line.trim();
  return trimmed.length > length ? `${trimmed.slice(0, length - 1).trimEnd()}…` : trimmed;
}

/** Capitalizes a message that begins with a plain word. Names of settings stay unchanged. */
export function formatSentence(message: string): string {
  return /^[a-z]+ /.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
}

export function formatDay(moment: string): string {
  const date = new Date(moment);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

function withMinus(text: string): string {
  return text.startsWith('-') ? `${MINUS}${text.slice(1)}` : text;
}

function withThousands(text: string): string {
  const [whole = '', decimals] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
