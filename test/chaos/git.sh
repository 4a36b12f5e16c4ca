#!/bin/sh
# Stands for git on ralph's PATH: counts the calls and follows a plan, "<what> <number of the call>".
# before, after: ralph is killed then. during: while git works. cut: git with it, as in a power cut. fail, hang: git does.
records=$CHAOS_RECORDS
read -r count 2>/dev/null < "$records/git-calls" || count=0
count=$((count + 1))
echo "$count" > "$records/git-calls"
what= at=
read -r what at 2>/dev/null < "$records/git-plan"
[ "$count" = "$at" ] || exec "$CHAOS_GIT" "$@"
echo "$what $count: git $*" >> "$records/git-log"
case $what in
  before) kill -9 "$PPID"; exec "$CHAOS_GIT" "$@" ;;
  after) "$CHAOS_GIT" "$@"; code=$?; kill -9 "$PPID"; exit $code ;;
  during) (kill -9 "$PPID") & exec "$CHAOS_GIT" "$@" ;;
  cut) (kill -9 "$PPID" $$) & exec "$CHAOS_GIT" "$@" ;;
  fail) echo "fatal: out of luck" >&2; exit 128 ;;
  hang) exec sleep 300 ;;
esac
