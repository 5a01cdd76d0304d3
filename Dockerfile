# Container image of Hone, built from the package that `npm pack` creates. Runs as an unprivileged user. Needs an external
# database (DATABASE_URL), see compose.yaml.
FROM node:24-bookworm-slim AS packed
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /

# Omits the optional packages (Node and PostgreSQL): the image already contains Node, and the database is external.
FROM node:24-bookworm-slim AS installed
WORKDIR /srv/hone
COPY --from=packed /hone-*.tgz /hone.tgz
RUN npm install --omit=optional --no-audit --no-fund /hone.tgz

FROM node:24-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HONE_MODE=team HONE_HOST=0.0.0.0 HONE_DATA_DIR=/data
ENV PATH=/srv/hone/node_modules/.bin:$PATH
WORKDIR /srv/hone
COPY --from=installed --chown=node:node /srv/hone ./
# Contains backups and, if HONE_SECRET is not set, the generated secret.
RUN mkdir -m 700 /data && chown node:node /data
USER node
# Compiles the modules ahead, so that the first start of a container is fast.
RUN node node_modules/hone/dist/lib/server/finish-build.mjs
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=8s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Started directly, not by npm, so that stop signals reach Hone.
CMD ["hone"]
