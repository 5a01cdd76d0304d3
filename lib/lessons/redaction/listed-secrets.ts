import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import type { Found, RedactedKind } from './finder.ts';

/**
 * Finds secrets by secretlint's recommended rules. They are asked without secretlint's core, whose profiler keeps a record of every
 * text for as long as the process lives; and without its filter, by which a comment in the text could switch them off.
 */
export async function findListedSecrets(text: string): Promise<Found[]> {
  const found: Found[] = [];
  const source = sourceOf(text);
  for (const { meta, create } of rules) {
    if (meta.id === FILTER) continue;
    const kind = KINDS.get(meta.id) ?? 'key';
    const context: SecretLintRuleContext = {
      sharedOptions: {},
      createTranslator: () => (messageId) => ({ message: String(messageId), messageId: String(messageId), data: {} }),
      report: ({ range: [start, end] }) =>
        void found.push({ kind, start, end: MISCOUNTED.has(meta.id) ? endOfWord(text, end) : end }),
      ignore: () => undefined,
    };
    await create(context, {}).file?.(source);
  }
  return found;
}

const FILTER = '@secretlint/secretlint-rule-filter-comments';

/** These give the length of a secret from where its name begins: the secret's end is that of the word. */
const MISCOUNTED = new Set(['@secretlint/secretlint-rule-aws', '@secretlint/secretlint-rule-npm']);

function endOfWord(text: string, end: number): number {
  return end + (/^[\w/+=:@-]{0,300}/.exec(text.slice(end, end + 300))?.[0].length ?? 0);
}

/** What the rules find that is no key. */
const KINDS = new Map<string, RedactedKind>([
  ['@secretlint/secretlint-rule-privatekey', 'private key'],
  ['@secretlint/secretlint-rule-basicauth', 'password'],
  ['@secretlint/secretlint-rule-database-connection-string', 'password'],
]);

function sourceOf(content: string): SecretLintSourceCode {
  return {
    content,
    hasBOM: false,
    contentType: 'text',
    ext: '',
    filePath: undefined,
    physicalFilePath: undefined,
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: unused,
    rangeToLocation: unused,
    positionToIndex: unused,
    indexToPosition: unused,
  };
}

function unused(): never {
  throw new Error('a rule of secretlint asks for lines and columns, which nothing here counts');
}
