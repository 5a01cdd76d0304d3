# Hone in a container, from the package that `npm pack` makes. It runs as a user of its own. The database is another one's
# (DATABASE_URL): see compose.yaml.
FROM node:24-bookworm-slim AS packed
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /

# The image has its own Node, and PostgreSQL runs elsewhere: what npm would install beside the package stays out.
FROM node:24-bookworm-slim AS installed
WORKDIR /srv/hone
COPY --from=packed /hone-*.tgz /hone.tgz
RUN npm install --omit=optional --no-audit --no-fund /hone.tgz

FROM node:24-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HONE_MODE=team HONE_HOST=0.0.0.0 HONE_DATA_DIR=/data
ENV PATH=/srv/hone/node_modules/.bin:$PATH
WORKDIR /srv/hone
COPY --from=installed --chown=node:node /srv/hone ./
# Backups; without HONE_SECRET also the secret.
RUN mkdir -m 700 /data && chown node:node /data
USER node
# So that every start of a container is as fast as a second one.
RUN node node_modules/hone/dist/lib/server/compile-ahead.mjs
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=8s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not by npm: the signal to stop reaches Hone itself.
CMD ["hone"]
