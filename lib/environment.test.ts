import { describe, expect, test } from 'vitest';
import { parseEnvironment } from '#lib/environment.ts';

describe('parseEnvironment', () => {
  test('fills in every default', () => {
    expect(parseEnvironment({ HOME: '/root', PORT: ' ', DATABASE_URL: '' })).toEqual({
      ok: true,
      value: {
        port: 3000,
        host: '127.0.0.1',
        dataFolder: './data',
        databaseUrl: null,
        mode: 'local',
        secret: null,
        appUrl: null,
        sessionDays: 30,
        startToken: false,
        workerSlots: 4,
        drainSeconds: 20,
        shutdownDelaySeconds: 0,
        allowedPrivateHosts: [],
        mcpCommands: {},
        trustedProxies: ['127.0.0.0/8', '::1/128'],
        rateLimits: {
          ...{ requests: 30_000, start: 6_000, read: 6_000, import: 6_000 },
          ...{ test: 600, backup: 600, password: 1_200, streams: 2_000 },
        },
        log: 'plain',
        environmentKeys: {},
      },
    });
  });

  test.each([['127.0.0.1'], ['0.0.0.0'], ['::'], ['[fd00::7]'], ['workshop.local'], ['192.168.1.4']])(
    'accepts team mode with host %s',
    (host) => {
      const env = {
        HONE_MODE: 'team',
        HONE_SECRET: 'x'.repeat(32),
        APP_URL: 'https://hone.example',
        HONE_HOST: host,
      };
      expect(parseEnvironment(env)).toMatchObject({
        ok: true,
        value: {
          mode: 'team',
          host: host.replace(/[[\]]/g, ''),
          secret: 'x'.repeat(32),
          appUrl: 'https://hone.example',
        },
      });
    },
  );

  test.each([
    ['a port', { PORT: '8080' }, { port: 8080 }],
    ['the lowest port', { PORT: '2' }, { port: 2 }],
    ['the highest port', { PORT: '65535' }, { port: 65_535 }],
    ['another loopback address', { HONE_HOST: '::1' }, { host: '::1' }],
    ['a host name in upper case', { HONE_HOST: 'LOCALHOST' }, { host: 'localhost' }],
    ['a data directory with a space', { HONE_DATA_DIR: '/my data' }, { dataFolder: '/my data' }],
    ['a database URL', { DATABASE_URL: 'postgres://a:b@h/d' }, { databaseUrl: 'postgres://a:b@h/d' }],
    ['an app URL with a trailing slash', { APP_URL: 'https://hone.example/' }, { appUrl: 'https://hone.example' }],
    ['a session duration', { HONE_SESSION_DAYS: '7' }, { sessionDays: 7 }],
    ['a start token', { HONE_START_TOKEN: '1' }, { startToken: true }],
    ['a number of slots', { HONE_WORKER_SLOTS: '64' }, { workerSlots: 64 }],
    ['zero slots', { HONE_WORKER_SLOTS: '0' }, { workerSlots: 0 }],
    ['a JSON log', { HONE_LOG: 'json' }, { log: 'json' }],
    [
      'team mode, which logs JSON by default',
      { HONE_MODE: 'team', HONE_SECRET: 'x'.repeat(32), APP_URL: 'https://hone.example' },
      { log: 'json' },
    ],
    ['a drain delay for a proxy', { HONE_SHUTDOWN_DELAY_SECONDS: '12' }, { shutdownDelaySeconds: 12 }],
    ['a drain delay with other processes', { DATABASE_URL: 'postgres://a:b@h/d' }, { shutdownDelaySeconds: 5 }],
    ['a drain timeout', { HONE_DRAIN_SECONDS: '0' }, { drainSeconds: 0 }],
    [
      'private hosts',
      { HONE_ALLOWED_PRIVATE_HOSTS: ' Box:8000, 10.0.0.7 ,' },
      { allowedPrivateHosts: ['box:8000', '10.0.0.7'] },
    ],
    [
      'the highest and lowest ports of private hosts',
      { HONE_ALLOWED_PRIVATE_HOSTS: '[fd00::1]:65535,box:1' },
      { allowedPrivateHosts: ['[fd00::1]:65535', 'box:1'] },
    ],
    [
      'trusted proxies',
      { HONE_TRUSTED_PROXIES: ' 10.0.0.7, FD00::/8,' },
      { trustedProxies: ['10.0.0.7/32', 'fd00::/8'] },
    ],
    [
      'rate limits for a team',
      { HONE_MODE: 'team', HONE_SECRET: 'x'.repeat(32), APP_URL: 'https://hone.example' },
      { rateLimits: { requests: 3_000, start: 600, read: 600, test: 60, streams: 200 } },
    ],
    [
      'some rate limits, with defaults for the others',
      { HONE_RATE_LIMITS: ' Requests = 9000, start=0,' },
      { rateLimits: { requests: 9_000, start: 0, read: 6_000 } },
    ],
    [
      'disabled rate limits',
      { HONE_RATE_LIMITS: 'off' },
      { rateLimits: { requests: 0, start: 0, password: 0, streams: 0 } },
    ],
    ['no trusted proxy', { HONE_TRUSTED_PROXIES: 'none' }, { trustedProxies: [] }],
    ['a number of trusted proxies', { HONE_TRUSTED_PROXIES: '2' }, { trustedProxies: 2 }],
    [
      'MCP commands',
      { HONE_MCP_COMMANDS: '{"files": ["npx", "-y", "server"], "git-2": ["git-mcp"]}' },
      { mcpCommands: { files: ['npx', '-y', 'server'], 'git-2': ['git-mcp'] } },
    ],
    [
      'API keys by provider kind',
      { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a', GOOGLE_GENERATIVE_AI_API_KEY: 'g' },
      { environmentKeys: { openai: 'o', anthropic: 'a', google: 'g' } },
    ],
  ])('accepts %s', (_name, env, expected) => {
    expect(parseEnvironment(env)).toMatchObject({ ok: true, value: expected });
  });

  test.each([
    ['a value that is not a number', { PORT: 'web' }, ['PORT is "web"', '1 to 65535', 'What to do']],
    [
      'MCP commands that are not JSON',
      { HONE_MCP_COMMANDS: 'npx sk-secret' },
      ['HONE_MCP_COMMANDS is 13 characters long'],
    ],
    ['an MCP command without a name', { HONE_MCP_COMMANDS: '{"": ["a"]}' }, ['HONE_MCP_COMMANDS', 'What to do']],
    ['an empty MCP command', { HONE_MCP_COMMANDS: '{"files": []}' }, ['HONE_MCP_COMMANDS']],
    ['an MCP command as one string', { HONE_MCP_COMMANDS: '{"files": "npx server"}' }, ['HONE_MCP_COMMANDS']],
    ['port 0', { PORT: '0' }, ['PORT is "0"']],
    ['a port that browsers block', { PORT: '5060' }, ['PORT is "5060"', 'that browsers open', 'What to do']],
    ['a port that is too high', { PORT: '65536' }, ['PORT is "65536"']],
    ['a fractional number', { PORT: '80.5' }, ['PORT is "80.5"']],
    ['the unspecified address', { HONE_HOST: '0.0.0.0' }, ['HONE_HOST is "0.0.0.0"', 'loopback']],
    ['another machine’s address', { HONE_HOST: '192.168.1.4' }, ['HONE_HOST is "192.168.1.4"']],
    ['a host name with the prefix of loopback', { HONE_HOST: '127.0.0.1.example.com' }, ['HONE_HOST']],
    ['an unknown mode', { HONE_MODE: 'crowd' }, ['HONE_MODE is "crowd"', '"local" or "team"']],
    [
      'team mode without its required variables',
      { HONE_MODE: 'team' },
      ['HONE_SECRET is not set', 'at least 32', 'APP_URL is not set', 'What to do'],
    ],
    [
      'team mode with a short secret',
      { HONE_MODE: 'team', HONE_SECRET: 'x'.repeat(31), APP_URL: 'https://hone.example' },
      ['HONE_SECRET is 31 characters long', 'at least 32'],
    ],
    ['team mode without an app URL', { HONE_MODE: 'team', HONE_SECRET: 'x'.repeat(32) }, ['APP_URL is not set']],
    [
      'team mode with an invalid host',
      { HONE_MODE: 'team', HONE_SECRET: 'x'.repeat(32), APP_URL: 'https://hone.example', HONE_HOST: 'a/b' },
      ['HONE_HOST is "a/b"'],
    ],
    ['a start token that is not a boolean', { HONE_START_TOKEN: 'secret' }, ['HONE_START_TOKEN', 'What to do']],
    [
      'a start token in team mode',
      { HONE_MODE: 'team', HONE_SECRET: 'x'.repeat(32), APP_URL: 'https://hone.example', HONE_START_TOKEN: '1' },
      ['HONE_START_TOKEN is "1"', 'team mode'],
    ],
    ['another database type', { DATABASE_URL: 'mysql://a:b@h/d' }, ['DATABASE_URL', 'postgresql://']],
    ['a negative number of slots', { HONE_WORKER_SLOTS: '-1' }, ['HONE_WORKER_SLOTS is "-1"', '0 to 64']],
    ['too many slots', { HONE_WORKER_SLOTS: '65' }, ['HONE_WORKER_SLOTS is "65"']],
    ['an app URL with a path', { APP_URL: 'http://a/b' }, ['APP_URL is "http://a/b"']],
    ['an app URL with a fragment', { APP_URL: 'http://a/#b' }, ['APP_URL is "http://a/#b"']],
    ['an invalid loopback address', { HONE_HOST: '127.999.1.1' }, ['HONE_HOST is "127.999.1.1"']],
    ['an app URL with another scheme', { APP_URL: 'ftp://a' }, ['APP_URL is "ftp://a"']],
    [
      'a private host with a port that is too high',
      { HONE_ALLOWED_PRIVATE_HOSTS: 'box:8000,10.0.0.7:65536' },
      ['HONE_ALLOWED_PRIVATE_HOSTS is "box:8000,10.0.0.7:65536"', 'port from 1 to 65535', 'What to do'],
    ],
    ['a private host with port 0', { HONE_ALLOWED_PRIVATE_HOSTS: 'box:0' }, ['HONE_ALLOWED_PRIVATE_HOSTS is "box:0"']],
    ['an unknown rate limit', { HONE_RATE_LIMITS: 'calls=5' }, ['HONE_RATE_LIMITS is "calls=5"', 'requests, start']],
    ['a rate limit without a number', { HONE_RATE_LIMITS: 'requests' }, ['HONE_RATE_LIMITS', 'What to do']],
    ['a negative rate limit', { HONE_RATE_LIMITS: 'requests=-1' }, ['HONE_RATE_LIMITS']],
    ['a proxy given by name', { HONE_TRUSTED_PROXIES: 'proxy.example' }, ['HONE_TRUSTED_PROXIES is "proxy.example"']],
    [
      'a network with too long a prefix',
      { HONE_TRUSTED_PROXIES: '10.0.0.0/33' },
      ['HONE_TRUSTED_PROXIES', 'What to do'],
    ],
    ['too many proxies', { HONE_TRUSTED_PROXIES: '11' }, ['HONE_TRUSTED_PROXIES is "11"']],
    ['a private host with a path', { HONE_ALLOWED_PRIVATE_HOSTS: 'a/b' }, ['HONE_ALLOWED_PRIVATE_HOSTS is "a/b"']],
    ['a short secret', { HONE_SECRET: 'tooshort' }, ['HONE_SECRET is 8 characters long', 'at least 16']],
  ])('rejects %s', (_name, env, words) => {
    const result = parseEnvironment(env);
    expect(result.ok).toBe(false);
    for (const word of words) expect(result.ok ? '' : result.problem.message).toContain(word);
  });

  test('reports all invalid variables at once', () => {
    const result = parseEnvironment({ PORT: 'x', HONE_MODE: 'y' });
    expect(result).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(/PORT[\s\S]*\n.*HONE_MODE/) },
    });
  });

  test.each([
    'mysql://me:hidden@h/d',
    'postgres://me:hid/den@h:5432/d',
    'me:hidden@h:5432/d',
    'mysql://me:a@hidden@h/d',
    'postgres://me@h:port/d?password=hidden',
  ])('reveals no database password and no secret: %s', (address) => {
    const result = parseEnvironment({ DATABASE_URL: address, HONE_SECRET: 'hidden2', APP_URL: 'https://a:hidden@b' });
    const message = result.ok ? '' : result.problem.message;
    expect(message).toMatch(/DATABASE_URL is \d+ characters long/);
    expect(message).toMatch(/APP_URL is \d+ characters long/);
    expect(message).toContain('write / as %2F');
    expect(message).not.toMatch(/hid/);
  });
});
