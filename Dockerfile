# Made by scripts/packages.py. stdio:  docker run -i --rm -v ./docs:/docs:ro -v wekadocs:/data ghcr.io/wekadocs/wekadocs-mcp serve --docs /docs
# HTTP:   docker run --rm -p 127.0.0.1:8765:8765 -e MCP_AUTH_TOKEN -v wekadocs:/data ghcr.io/wekadocs/wekadocs-mcp \
#           serve --transport http --host 0.0.0.0
FROM python:3.12-slim AS build
COPY . /src
RUN python -m venv /opt/wekadocs \
 && /opt/wekadocs/bin/pip install --no-cache-dir --disable-pip-version-check -c /src/requirements.lock \
      '/src[documents,postgres,valkey]'

FROM python:3.12-slim
LABEL io.modelcontextprotocol.server.name="io.github.wekadocs/wekadocs-mcp" \
      org.opencontainers.image.title="wekadocs-mcp" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.source="https://github.com/wekadocs/wekadocs-mcp" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --create-home --home-dir /data wekadocs
COPY --from=build /opt/wekadocs /opt/wekadocs
ENV PATH=/opt/wekadocs/bin:$PATH WEKADOCS_DATA=/data WEKADOCS_CACHE=/data/.cache PYTHONUNBUFFERED=1
USER 10001
VOLUME /data
EXPOSE 8765
ENTRYPOINT ["wekadocs-mcp"]
CMD ["serve"]
