# Functions of docs/deploy.md and README.md; source it: `. k8s/jobs.sh`. Both fail if a job fails.

# `run up 2` and `run finish 2` start the jobs of this step of the migrations and wait for them.
run() {
  [ "$1" = finish ] && suffix=-finish || suffix=
  for service in auth billing profile search; do kubectl -n covalence create job "$1-$service-$2" --from="cronjob/migrate-$service$suffix" || return; done
  for service in auth billing profile search; do
    kubectl -n covalence wait --for=jsonpath='{.status.conditions[0].type}' --timeout=1h "job/$1-$service-$2" &&
      kubectl -n covalence wait --for=condition=complete --timeout=30s "job/$1-$service-$2" || return
  done
}

# `job list-1 '"backup","list"'` runs a command with the Secret of a restore and prints its log.
job() {
  kubectl -n covalence create job "$1" --from=cronjob/restore --dry-run=client -o yaml |
    kubectl patch --local -f - -o yaml --type=json -p "[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/args\",\"value\":[\"dist/covalence.js\",$2]}]" |
    kubectl -n covalence create -f - && kubectl -n covalence wait --for=jsonpath='{.status.conditions[0].type}' --timeout=24h "job/$1" &&
    kubectl -n covalence logs "job/$1" && kubectl -n covalence wait --for=condition=complete --timeout=30s "job/$1"
}
