#!/usr/bin/env bash
set -euo pipefail
source deploy.env
t="$DEPLOY_USER@$DEPLOY_HOST"
rel="$DEPLOY_PATH/releases/$(date +%Y%m%d%H%M%S)"
case "${1:-}" in
  --dry-run) rsync -azn --delete --itemize-changes dist/ "$t:$DEPLOY_PATH/current/"; exit ;;
  --rollback) ssh "$t" "cd $DEPLOY_PATH && ln -sfn \$(ls -1d releases/* | tail -2 | head -1) current && sudo systemctl reload app"; exit ;;
esac
ssh "$t" "mkdir -p $rel"
rsync -az dist/ "$t:$rel/"
ssh "$t" "ln -sfn $rel $DEPLOY_PATH/current && sudo systemctl reload app && ls -1d $DEPLOY_PATH/releases/* | head -n -5 | xargs -r rm -rf"
