# Builds one service: docker build --build-arg SERVICE=gateway --tag covalence/gateway .
# SERVICE is gateway, auth, profile, search, billing, updates, or cli, which has every command.
# To update the base image, change `node` in package.json and both FROM lines. For the digest:
# docker buildx imagetools inspect node:VERSION-bookworm-slim --format '{{.Manifest.Digest}}'
ARG SERVICE
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /source
ENV CI=true
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches ./patches
# The pnpm of package.json. Only the lock file decides what is fetched, so this layer is cached until it changes.
# The version is pinned in package.json:
# hadolint ignore=DL3016
RUN npm install --global --ignore-scripts "$(node --print 'require("./package.json").packageManager')" \
  && pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline \
  && pnpm exec tsc --build gateway services/* cli
ARG SERVICE
# The install above checked the lock file against the rules for new packages, for which a check needs the registry.
# Two builds are equal without the times that pnpm notes for its next installation.
RUN pnpm --filter "@covalence/$SERVICE" deploy --prod --offline --trust-lockfile /service \
  && rm /service/node_modules/.modules.yaml /service/node_modules/.pnpm-workspace-state-v1.json

FROM build AS console
RUN pnpm --filter @covalence/console build

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS image
# A share of the memory limit, so the limit is set in one place. Images use memory outside of the heap.
ENV NODE_ENV=production \
  NODE_OPTIONS="--enable-source-maps --max-old-space-size-percentage=50" \
  HOST=0.0.0.0 \
  PORT=3000 \
  MANAGEMENT_PORT=9090 \
  SITES_FILE=/etc/covalence/sites.json
# Writable files are in volumes; a named volume takes its owner from here. Everything else is read-only.
RUN install --directory --owner=10001 --group=10001 /var/lib/covalence/photos /var/lib/covalence/mails
# `covalence` runs the commands of the image: kubectl exec deploy/search -- covalence index status
RUN printf '#!/bin/sh\nexec node /app/dist/covalence.js "$@"\n' > /usr/local/bin/covalence \
  && chmod 755 /usr/local/bin/covalence
WORKDIR /app
COPY config/sites.json /etc/covalence/sites.json
COPY --from=build /service ./
USER 10001:10001
EXPOSE 3000 9090
# node is process 1: it starts no processes and handles signals from its start.
# Collect the whole heap only after it doubled: four searches at once have a p99 of 42 ms instead of 51. NODE_OPTIONS does not
# accept this flag.
ENTRYPOINT ["node", "--heap-growing-percent=100", "--import", "@covalence/runtime/process-one"]

FROM image AS service
# For Docker; Kubernetes has its own probes. Each check starts a process, so it is small, rare, and has a long timeout.
HEALTHCHECK --interval=10s --timeout=10s --start-period=120s --start-interval=2s \
  CMD ["node", "--eval", "require('node:http').get(`http://127.0.0.1:${process.env.MANAGEMENT_PORT}/health/ready`, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["dist/main.js"]

FROM service AS gateway
COPY --from=console /source/apps/console/dist ./console
FROM service AS auth
FROM service AS profile
FROM service AS search
FROM service AS billing
FROM service AS updates

FROM image AS cli
# A command listens to nobody, and ends.
HEALTHCHECK NONE
CMD ["dist/covalence.js", "--help"]

FROM ${SERVICE}
