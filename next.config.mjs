/** @type {import('next').NextConfig} */
const nextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // In development Next prints what actions are called with, and one of them is called with a key.
  logging: { serverFunctions: false },
  allowedDevOrigins: ['127.0.0.1'],
  // A browser asks for this one where it has not yet read which one the page names.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
  // A page's code is loaded when it is first asked for, not every page's before the first answer.
  // Maps of the server's code would be three quarters of what is built, and nothing reads them.
  experimental: {
    preloadEntriesOnStart: false,
    turbopackSourceMaps: process.env.NODE_ENV !== 'production',
    // The longest output that a person may write, 2,000,000 characters, in UTF-8 and escaped; below what is cut off behind proxy.ts.
    serverActions: { bodySizeLimit: '9mb' },
  },
  // Without tests: what they need is not installed with NODE_ENV=production. `npm run types` checks the types; a start need not.
  typescript: { tsconfigPath: 'tsconfig.build.json', ignoreBuildErrors: true },
};

export default nextConfig;
