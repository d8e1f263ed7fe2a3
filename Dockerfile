# One image for every part of Kingup: `kingup web`, `worker`, `beat` or `migrate`.
FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN python -m venv /opt/kingup
COPY requirements.lock ./
RUN /opt/kingup/bin/pip install --require-hashes -r requirements.lock
COPY pyproject.toml LICENSE ./
COPY engine engine
COPY service service
COPY worker worker
RUN /opt/kingup/bin/pip install --no-deps --no-build-isolation .

FROM python:3.13-slim
RUN useradd --system --no-create-home --uid 10001 kingup
COPY --from=build /opt/kingup /opt/kingup
ENV PATH=/opt/kingup/bin:$PATH PYTHONUNBUFFERED=1
# Nothing of it is written to: what lasts is in Postgres.
WORKDIR /opt/kingup
USER kingup
EXPOSE 8000
ENTRYPOINT ["kingup"]
CMD ["web", "--bind", "0.0.0.0:8000"]
