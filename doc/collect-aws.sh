#!/bin/sh
# Collects what precedent check reads of one account and region of AWS: answers of
# describe-* and list-* calls, each in a file of the folder that is named. Nothing is
# changed. The account, region and rights are those of your `aws`; the rights that it
# takes are in collect-aws-policy.json.
#
#   sh collect-aws.sh aws/ && precedent check aws/ deploy/
#
# Task definitions hold the values of environment variables, which may be secrets where
# somebody wrote them there: the files can be read by you alone.
set -u
out=${1:?usage: sh collect-aws.sh FOLDER}
umask 077
mkdir -p "$out" || exit 1
if test -n "$(ls -A "$out")"; then
  echo "$out is not empty, and would mix answers of two times: name another folder" >&2
  exit 2
fi
missed=$out/missed.txt

miss() {
  echo "not collected: aws $*" >&2
  echo "aws $*" >>"$missed"
}

# keep FILE SERVICE COMMAND [ARGUMENT...] writes an answer to a file.
keep() {
  file=$out/$1
  shift
  if aws "$@" --output json >"$file.new" </dev/null; then
    mv "$file.new" "$file"
  else
    rm -f "$file.new"
    miss "$@"
  fi
}

# names QUERY SERVICE COMMAND [ARGUMENT...] prints names of an answer, one a line.
names() {
  query=$1
  shift
  if text=$(aws "$@" --query "$query" --output text </dev/null); then
    printf '%s\n' "$text" | tr '\t' '\n' | grep -v -e '^None$' -e '^$' | sort -u
  else
    miss "$@"
  fi
}

# The proxies, with what they let through, and what stands behind them.
keep db-proxies.json rds describe-db-proxies
names 'DBProxies[].DBProxyName' rds describe-db-proxies | while read -r proxy; do
  keep "db-proxy-target-groups.$proxy.json" rds describe-db-proxy-target-groups --db-proxy-name "$proxy"
  keep "db-proxy-targets.$proxy.json" rds describe-db-proxy-targets --db-proxy-name "$proxy"
done

# The databases, and their parameters, in files with the name of the group.
keep db-clusters.json rds describe-db-clusters
keep db-instances.json rds describe-db-instances
names 'DBClusters[].DBClusterParameterGroup' rds describe-db-clusters | while read -r group; do
  keep "db-parameters.$group.json" rds describe-db-cluster-parameters --db-cluster-parameter-group-name "$group"
done
names 'DBInstances[].DBParameterGroups[].DBParameterGroupName' rds describe-db-instances | while read -r group; do
  same=
  if test -e "$out/db-parameters.$group.json"; then same=.instance; fi # a group of clusters of this name
  keep "db-parameters.$group$same.json" rds describe-db-parameters --db-parameter-group-name "$group"
done

# The task definitions that services run, and where their logs go by default.
keep ecs-account-settings.json ecs list-account-settings --effective-settings --name defaultLogDriverMode
names 'clusterArns[]' ecs list-clusters | while read -r cluster; do
  names 'serviceArns[]' ecs list-services --cluster "$cluster" | xargs -n 10 echo | while read -r services; do
    test -n "$services" || continue
    # shellcheck disable=SC2086 # names of services, with spaces between them
    names 'services[].taskDefinition' ecs describe-services --cluster "$cluster" --services $services
  done
done | sort -u | while read -r task; do
  keep "task-definition.$(printf '%s' "${task##*/}" | tr ':' '-').json" ecs describe-task-definition --task-definition "$task"
done

# How private subnets reach the internet, and what replaces nodes.
keep nat-gateways.json ec2 describe-nat-gateways
keep route-tables.json ec2 describe-route-tables
keep subnets.json ec2 describe-subnets
keep auto-scaling-groups.json autoscaling describe-auto-scaling-groups

if test -e "$missed"; then
  echo "what was not collected stands in $missed" >&2
  exit 1
fi
