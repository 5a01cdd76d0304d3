/** @type {import('next').NextConfig} */
const nextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // In development, Next logs the arguments of server actions. One of them receives an API key.
  logging: { serverFunctions: false },
  allowedDevOrigins: ['127.0.0.1'],
  // Browsers request /favicon.ico before they have read the icon that the page declares.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
  // Loads the code of a page at its first request instead of all pages at startup.
  // Server source maps would be three quarters of the build, and nothing reads them.
  experimental: {
    preloadEntriesOnStart: false,
    turbopackSourceMaps: process.env.NODE_ENV !== 'production',
    // Fits the longest output a person may write: 2,000,000 characters in escaped UTF-8. Next truncates bodies at 10 MB behind proxy.ts.
    serverActions: { bodySizeLimit: '9mb' },
  },
  // Excludes the tests, whose dependencies are not installed with NODE_ENV=production. `npm run types` checks types, so a build need not.
  typescript: { tsconfigPath: 'tsconfig.build.json', ignoreBuildErrors: true },
};

export default nextConfig;
