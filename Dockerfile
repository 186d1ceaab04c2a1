# One Dockerfile for every part: docker build --build-arg PART=gateway --tag covalence/gateway .
# PART is gateway, auth, profile, search, billing or updates. docs/deploy.md says how to move the base image on.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /source
ENV CI=true
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches ./patches
# The pnpm that package.json names; the lock file alone says what is fetched, so this layer lasts until it changes.
# The version stands in package.json, where the linter does not look:
# hadolint ignore=DL3016
RUN npm install --global --ignore-scripts "$(node --print 'require("./package.json").config.pnpm')" \
  && pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline \
  && pnpm exec tsc --build gateway services/*
ARG PART
RUN test -n "$PART" \
  && pnpm --filter "@covalence/$PART" deploy --prod --offline /part

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# A share of the memory limit instead of a number, so that it is set in one place; images are worked on outside of the heap.
ENV NODE_ENV=production \
  NODE_OPTIONS="--enable-source-maps --max-old-space-size-percentage=50" \
  HOST=0.0.0.0 \
  PORT=3000 \
  MANAGEMENT_PORT=9090 \
  SITES_FILE=/etc/covalence/sites.json
# What is written lies in volumes, and a named volume takes its owner from here. The rest belongs to root and is only read.
RUN install --directory --owner=10001 --group=10001 /var/lib/covalence/photos /var/lib/covalence/mails
WORKDIR /app
COPY config/sites.json /etc/covalence/sites.json
COPY --from=build /part ./
USER 10001:10001
EXPOSE 3000 9090
# For engines that look at it; Kubernetes has probes of its own. Each look starts a process: six parts that start together on a small
# machine would wait for each other's, so it is a lean one, looks not too often, and has the time that a busy machine takes.
HEALTHCHECK --interval=10s --timeout=10s --start-period=120s --start-interval=2s \
  CMD ["node", "--eval", "require('node:http').get(`http://127.0.0.1:${process.env.MANAGEMENT_PORT}/health/ready`, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# node itself is process 1: it starts no processes, and hears signals from its first moment on.
# The heap may double before the whole of it is collected; NODE_OPTIONS does not take this one.
ENTRYPOINT ["node", "--heap-growing-percent=100", "--import", "@covalence/runtime/process-one"]
CMD ["dist/main.js"]
