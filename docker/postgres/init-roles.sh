#!/bin/sh
# Runs once in an empty database server. It creates the database, its owner for migrations, and the role of API and
# worker, which owns nothing.
set -eu
: "${OWNER_PASSWORD:?}" "${APP_PASSWORD:?}"
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
create role causeway_owner login password :'owner_password';
create role causeway_app login password :'app_password';
create database causeway owner causeway_owner;
revoke all on database causeway from public;
grant connect on database causeway to causeway_app;
SQL
