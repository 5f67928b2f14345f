#!/bin/sh
# Runs once in an empty database server. It creates the database, its owner for migrations, and one role for each kind of
# process. These roles own nothing; the migration grants each of them only the rights that its process needs.
set -eu
: "${OWNER_PASSWORD:?}" "${API_PASSWORD:?}" "${WORKER_PASSWORD:?}" "${CLI_PASSWORD:?}"
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv api_password API_PASSWORD
\getenv worker_password WORKER_PASSWORD
\getenv cli_password CLI_PASSWORD
create role causeway_owner login password :'owner_password';
create role causeway_api login password :'api_password';
create role causeway_worker login password :'worker_password';
create role causeway_cli login password :'cli_password';
create database causeway owner causeway_owner;
revoke all on database causeway from public;
grant connect on database causeway to causeway_api, causeway_worker, causeway_cli;
SQL
