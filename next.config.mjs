/**
 * Packages that the server loads from `node_modules`. Bundling and minifying them would take longer than building everything else. The
 * packages of charts, editors and components are not listed: an installed release does not contain them.
 */
const SERVER_PACKAGES = [
  '@ai-sdk/amazon-bedrock',
  '@ai-sdk/anthropic',
  '@ai-sdk/azure',
  '@ai-sdk/google',
  '@ai-sdk/google-vertex',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@ai-sdk/provider',
  '@ai-sdk/provider-utils',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  '@opentelemetry/otlp-exporter-base',
  '@opentelemetry/otlp-transformer',
  '@opentelemetry/sdk-trace',
  '@prisma/adapter-pg',
  '@pydantic/genai-prices',
  '@secretlint/secretlint-rule-preset-recommend',
  'ai',
  'ajv',
  'aws4fetch',
  'better-auth',
  'diff',
  'fastest-levenshtein',
  'hast-util-to-html',
  'highlight.js',
  'jsonrepair',
  'lowlight',
  'papaparse',
  'pg-boss',
  'prom-client',
  'quickjs-emscripten-core',
  're2js',
  'remark-gfm',
  'remark-parse',
  'remark-rehype',
  'simple-statistics',
  'tar-stream',
  'unified',
  'yaml',
  'zod',
];

/** @type {import('next').NextConfig} */
const nextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // In development, Next logs the arguments of server actions. One of them receives an API key.
  logging: { serverFunctions: false },
  allowedDevOrigins: ['127.0.0.1'],
  // Browsers request /favicon.ico before they have read the icon that the page declares.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
  serverExternalPackages: SERVER_PACKAGES,
  // Loads the code of a page at its first request instead of all pages at startup.
  // Server source maps would be three quarters of the build, and nothing reads them. Minifying server code would be an eighth of it and
  // make no start or page faster.
  experimental: {
    preloadEntriesOnStart: false,
    // Writing this cache would add 40% to the first build, which everybody waits for at the first start.
    turbopackFileSystemCacheForBuild: false,
    turbopackMinify: { server: false, client: true },
    turbopackSourceMaps: process.env.NODE_ENV !== 'production',
    // Fits the longest output a person may write: 2,000,000 characters in escaped UTF-8. Next truncates bodies at 10 MB behind proxy.ts.
    serverActions: { bodySizeLimit: '9mb' },
  },
  // Excludes the tests, whose dependencies are not installed with NODE_ENV=production. `npm run types` checks types, so a build need not.
  typescript: { tsconfigPath: 'tsconfig.build.json', ignoreBuildErrors: true },
};

export default nextConfig;
