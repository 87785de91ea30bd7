# One image for the server, the workers, beat and the commands; compose.yaml starts them.
FROM python:3.13-slim-bookworm AS packages
COPY requirements.txt /tmp/
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --require-hashes -r /tmp/requirements.txt

FROM python:3.13-slim-bookworm
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin app
COPY --from=packages /opt/venv /opt/venv
WORKDIR /app
COPY manage.py ./
COPY supervisor_site supervisor_site
COPY teams teams
COPY conversations conversations
COPY templates templates
COPY static static
COPY locale locale
# Nothing can be written later, so what is imported is compiled now.
RUN python -m compileall -q manage.py supervisor_site teams conversations
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=supervisor_site.settings \
    DEBUG=false \
    LOG_FORMAT=json
# The keys are for this one command; those of the site come from its environment.
RUN SECRET_KEY="$(python -c 'import secrets; print(secrets.token_hex(32))')" \
    FIELD_ENCRYPTION_KEYS="$(python -c 'from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())')" \
    DATABASE_URL=sqlite:////tmp/unused.sqlite3 \
    python manage.py collectstatic --no-input --verbosity 0
USER app
EXPOSE 8000
# A server that is to stop gives its streams three seconds and hands its runs back.
CMD ["uvicorn", "supervisor_site.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "on", "--timeout-graceful-shutdown", "5", "--no-server-header", "--log-level", "warning"]
