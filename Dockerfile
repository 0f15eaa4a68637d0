# The image of Sachet: the first stage builds it, the second holds what it runs on and nothing else.
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /sachet
# The dependencies are a layer of their own: they change more rarely than the sources.
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
# A new volume that is mounted here belongs to the user below, as this folder does.
COPY --from=build --chown=10001:10001 /sachet/state state
# A number, so that it needs no user in the base and can be told apart from root by whoever runs the image.
USER 10001:10001
# Inside a container, localhost is the container alone.
ENV SACHET_HOST=0.0.0.0
EXPOSE 4010
# Docker asks for the first time when one interval has passed: healthy about a second after the start. A slow machine has the start period.
HEALTHCHECK --interval=1s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/sachet/dist/cli.js", "healthcheck"]
ENTRYPOINT ["node", "/sachet/dist/cli.js"]
ARG VERSION=unreleased
LABEL org.opencontainers.image.title="Sachet" \
  org.opencontainers.image.description="A high-fidelity sandbox of an Order and Fulfillment Service for personalized packs" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}"
