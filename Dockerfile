# The image of Sachet. The first stage builds it; the second contains only the files that it needs at run time.
ARG BASE=node:24-slim

# The build is the same for every platform, so it runs on the one of the builder.
FROM --platform=$BUILDPLATFORM ${BASE} AS build
WORKDIR /sachet
# The dependencies are a separate layer, because they change less often than the sources.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && mkdir state

FROM ${BASE}
WORKDIR /sachet
COPY --from=build /sachet/dist dist
COPY fixtures fixtures
COPY scenarios scenarios
COPY package.json LICENSE ./
# A new volume that is mounted here gets this folder's owner, the user below.
COPY --from=build --chown=10001:10001 /sachet/state state
# A numeric user needs no entry in the base image, and Kubernetes can verify that it is not root.
USER 10001:10001
# Inside a container, localhost is reachable only from that container.
ENV SACHET_HOST=0.0.0.0
EXPOSE 4010
# Docker runs the first check after one interval, so the container is healthy about a second after the start. The start period is for
# slow machines.
HEALTHCHECK --interval=1s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/sachet/dist/cli.js", "healthcheck"]
ENTRYPOINT ["node", "/sachet/dist/cli.js"]
ARG VERSION=unreleased
LABEL org.opencontainers.image.title="Sachet" \
  org.opencontainers.image.description="A high-fidelity sandbox of an Order and Fulfillment Service for personalized packs" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}"
