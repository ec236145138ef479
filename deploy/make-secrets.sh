#!/bin/sh
# Makes the secrets that compose.yaml mounts, in the folder `secrets` next to it. Keeps those that exist.
# The folder is for its owner only. The files can be read by all, since each container reads them as a user of its own.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { [ -s "$1" ] || { printf '%s\n' "$2" >"$1.new" && mv "$1.new" "$1"; }; }

keep postgres_password "$(random)"
keep valkey_password "$(random)"
keep searxng_secret "$(random)"
keep database_url "postgres://trawl:$(cat postgres_password)@postgres:5432/trawl"
keep redis_url "redis://:$(cat valkey_password)@valkey:6379"
chmod 644 ./*
