import { roundTo6 } from '#lib/core/text-values.ts';
import { decimalsApart } from '#lib/statistics/write-chance.ts';

/** Numbers, money and time for people. Nothing here asks the clock or the machine's language: `now` comes in. */

const MINUS = '−';

/** A score from 0 to 1 with two decimals; a missing one is said in words. */
export function formatScore(score: number | null): string {
  return score === null ? 'unscored' : withMinus(score.toFixed(2));
}

/** A score and the threshold it is held against, with two decimals or as many as tell which is higher: `0.796` and `0.800`. */
export function formatScoreAgainst(score: number, threshold: number): { score: string; threshold: string } {
  // What counts is compared at 6 decimals.
  const [one, other] = [roundTo6(score), roundTo6(threshold)];
  const decimals = decimalsApart(one, other, 2);
  return { score: one.toFixed(decimals), threshold: other.toFixed(decimals) };
}

/** A difference of scores with its sign: `+0.12`, `−0.05`, and `= 0` for what rounds to nothing. */
export function formatChange(difference: number): string {
  const rounded = difference.toFixed(2);
  if (Number(rounded) === 0) return '= 0';
  return difference > 0 ? `+${rounded}` : withMinus(rounded);
}

/** A share from 0 to 1 in whole percent: `83%`. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Dollars, with more decimals the smaller they are: `$0.0126`, `$0.128`, `$1.31`. */
export function formatMoney(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.0001) return '< $0.0001';
  if (usd < 0.1) return `$${usd.toFixed(4)}`;
  return `$${withThousands(usd.toFixed(usd < 1 ? 3 : 2))}`;
}

/** What something cost; where some call had no known price, the sum says so. */
export function formatCost(usd: number, unpriced: boolean): string {
  if (!unpriced) return formatMoney(usd);
  return usd === 0 ? 'no price' : `${formatMoney(usd)} + unpriced`;
}

/** Things one after another: `1, 2 and 4`. */
export function formatList(items: string[]): string {
  const [last = '', ...before] = items.toReversed();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
}

/** Characters of each of several names in a sentence. */
const LONGEST_OF_NAMES = 40;

/** The first of many names, each cut at 40 characters, and how many follow: `a, b, c and 47 more`. */
export function formatNames(names: readonly string[], most = 4): string {
  const short = names.map((name) => formatTitle(name, LONGEST_OF_NAMES));
  if (short.length <= most + 1) return short.join(', ');
  return `${short.slice(0, most).join(', ')} and ${formatCount(names.length - most)} more`;
}

/** A whole number with thousands separated: `7,963`. */
export function formatCount(count: number): string {
  return withThousands(String(Math.round(count)));
}

/** A count with its noun: `1 run`, `24 runs`. */
export function formatNumberOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** A size: `840 bytes`, `5.2 kB`, `1.3 GB` (1 kB = 1,000 bytes). */
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

/** A time span in milliseconds: `840 ms`, `5.2 s`, `1 min 50 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** A running clock: `0:07`, `12:40`, `1:02:09`. Never negative. */
export function formatElapsed(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  const seconds = String(whole % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${seconds}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`;
}

/** How long ago a moment was: `now`, `4 min ago`, `8 h ago`, `2 days ago`, then the date. A moment to come is `now`. */
export function formatAgo(moment: string, now: Date): string {
  const age = formatAge(moment, now);
  if (age === 'now') return age;
  return now.getTime() - Date.parse(moment) < 7 * 86_400_000 ? `${age} ago` : formatDay(moment);
}

/** The age of something: `now`, `4 min`, `8 h`, `2 days`. */
export function formatAge(moment: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(moment)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return formatNumberOf(Math.floor(minutes / 1440), 'day');
}

/** A moment as stored, in UTC: `20 Nov 2026, 16:42 UTC`. */
export function formatMoment(moment: string): string {
  return `${formatDay(moment)}, ${new Date(moment).toISOString().slice(11, 16)} UTC`;
}

/** A moment in the time zone of whoever runs this, the browser's in a browser: `20 Nov 2026, 17:42`. */
export function formatLocalMoment(moment: string): string {
  const date = new Date(moment);
  const time = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}, ${time}`;
}

/** A text whose moments, as `formatMoment` writes them, are in a time zone; without one, in that of whoever runs this. */
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

/** The number of a run, four digits or more: `0147`. */
export function formatRunNumber(number: number): string {
  return String(number).padStart(4, '0');
}

/** The first line of a text that says something, cut to `length` characters. */
export function formatTitle(text: string, length = 120): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const trimmed = line.trim();
  return trimmed.length > length ? `${trimmed.slice(0, length - 1).trimEnd()}…` : trimmed;
}

/** A message that begins with a plain word, with its first letter capital; names of settings stay as they are written. */
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
