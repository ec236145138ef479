# The container image of trawl. Only the build stage runs programs, and on the machine's own processor, so an image for
# another one needs no emulation: docker buildx build --platform linux/amd64,linux/arm64 .

# needs Node.js 24, and npm for the build
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM --platform=$BUILDPLATFORM ${BASE} AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci \
  && npm run --silent build -w @trawl/cli
# the processor that the image is for; from here on each has its own layers
ARG TARGETARCH
# the packed command, and the packages that it needs in the versions of the lock file
RUN --mount=type=cache,target=/root/.npm mkdir -p /image/data \
  && cp -R packages/cli/dist /image/app \
  && cp package-lock.json /image/app/ \
  && cd /image/app \
  && npm install --omit=dev --ignore-scripts --os=linux --cpu="$(test "$TARGETARCH" = amd64 && echo x64 || echo "$TARGETARCH")" \
  && rm package-lock.json \
  && cd node_modules/@photostructure/sqlite && rm -rf src prebuilds/darwin-* prebuilds/win32-* && cd - \
  && ln -s trawl.cjs bin/trawl

FROM ${BASE}
ARG VERSION=unknown
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="trawl" \
      org.opencontainers.image.description="Self-hostable web search and page fetch router" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    PATH=/app/bin:$PATH
COPY --from=build /image/app /app
# the only folder that is written to; a number, since Kubernetes must see that the user is not root
COPY --from=build --chown=10001:10001 /image/data /data
VOLUME /data
# DATA_DIR is ./data: set, it would be reported as idle with a DATABASE_URL
WORKDIR /
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# no shell in between: a SIGTERM must reach the program
ENTRYPOINT ["node", "--no-memory-reducer", "/app/bin/trawl.cjs"]
CMD ["serve"]
