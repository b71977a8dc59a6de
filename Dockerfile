# Builds a small image that runs as an unprivileged user and writes to /data only. A container must be reachable from
# outside, so toastd does not start in it without an access file, which the second command makes.
#
#   docker build --tag toastd .
#   docker run --rm --volume toastd:/data toastd key create --name admin --scopes publish,subscribe,respond,manage
#   docker run --read-only --tmpfs /tmp --publish 127.0.0.1:8080:8080 --volume toastd:/data toastd

# Tags change over time. For reproducible builds name digests: docs/operations.md#container
ARG SWIFT_IMAGE=docker.io/library/swift:6.3-bookworm
ARG DEBIAN_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS build
# The security archive removes old versions, so versions cannot be pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        esbuild libcurl4-openssl-dev libmicrohttpd-dev libnats-dev libsqlite3-dev libwslay-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# Dependencies first: they change less often than the sources.
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
# Not built, but the manifest names these folders.
COPY Tests Tests
RUN swift build --configuration release --product toastd --static-swift-stdlib \
    && mkdir -p /staging/data \
    && install --strip "$(swift build --configuration release --show-bin-path)/toastd" /staging/toastd
COPY public public
COPY scripts/dist scripts/dist
RUN scripts/dist public /staging/public

FROM ${DEBIAN_IMAGE}
LABEL org.opencontainers.image.title="toastd" \
      org.opencontainers.image.description="Toasts, scheduled by the server and shown the same on every screen" \
      org.opencontainers.image.licenses="MIT"
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates libcurl4 libmicrohttpd12 libnats3.4 libsqlite3-0 libstdc++6 libwslay1 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /staging/toastd /usr/local/bin/toastd
COPY --from=build --chown=65532:65532 /staging/data /data
COPY --from=build /staging/public /usr/local/share/toastd/public
COPY openapi.yaml LICENSE THIRD-PARTY-NOTICES.md /usr/local/share/toastd/
WORKDIR /usr/local/share/toastd
ENV TOASTD_LISTEN=0.0.0.0:8080 \
    TOASTD_STORE=sqlite:/data/toastd.db \
    TOASTD_ACCESS=/data/access.json \
    TOASTD_PUBLIC=/usr/local/share/toastd/public \
    GLIBC_TUNABLES=glibc.malloc.tcache_count=200
USER 65532:65532
EXPOSE 8080
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/usr/local/bin/toastd", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/toastd"]
CMD ["serve"]
