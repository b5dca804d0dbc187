# The service, without a Valkey of its own: it needs REDIS_URL and SECRET_KEY.
# `make image-test` builds it and plays a game on it.

FROM docker.io/library/debian:trixie-slim AS build

# Debian keeps one version of a package in a release: a pinned one is gone after its next repair.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        gcc libc6-dev python3 python3-dev python3-pip python3-setuptools python3-venv

WORKDIR /src
COPY requirements/run.txt requirements/fast.txt requirements/
# An index or an authority of one's own is told in a pip.conf that is not kept:
# docker build --secret id=pip.conf,src=pip.conf --secret id=ca.pem,src=ca.pem .
RUN --mount=type=secret,id=pip.conf,target=/etc/pip.conf \
    --mount=type=secret,id=ca.pem \
    pip wheel --no-cache-dir --no-build-isolation --require-hashes --wheel-dir /wheels \
        --requirement requirements/run.txt --requirement requirements/fast.txt

COPY pyproject.toml README.md LICENSE ./
COPY service service
# service/page is a link to it.
COPY clients/web/page clients/web/page
RUN pip wheel --no-cache-dir --no-build-isolation --no-deps --no-index --wheel-dir /wheels . \
    && python3 -m venv --without-pip /opt/oklahoma-gin \
    && pip --python /opt/oklahoma-gin/bin/python install --no-cache-dir --no-deps --no-index \
        /wheels/*.whl


FROM docker.io/library/debian:trixie-slim

# No file may give its caller more than the caller has, and what apt has read is of no use later.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates python3 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
    && find / -xdev -type f -perm /6000 -exec chmod a-s {} +

COPY --from=build /opt/oklahoma-gin /opt/oklahoma-gin

LABEL org.opencontainers.image.title="Oklahoma Gin" \
      org.opencontainers.image.description="Referees Gin Rummy and Oklahoma Gin for 2 to 4 seats over HTTP" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="docker.io/library/debian:trixie-slim"

ENV HOST=0.0.0.0 \
    PORT=8000

EXPOSE 8000
USER 10001:10001

HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["/opt/oklahoma-gin/bin/python", "-c", "import os, urllib.request as web; web.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/livez', timeout=2)"]

ENTRYPOINT ["/opt/oklahoma-gin/bin/oklahoma-gin-service"]
CMD ["serve"]
