# Creates the user of search and its role, or changes its password. Safe to repeat. Needs sh and curl.
# ELASTICSEARCH: address; ELASTIC_PASSWORD: of the superuser; ELASTICSEARCH_SEARCH_PASSWORD: of the user.
set -eu
# The body and the superuser's password come from files: other users can read arguments.
put() {
  curl --silent --show-error --fail --output /dev/null --request PUT --header 'Content-Type: application/json' \
    --config /dev/fd/3 --data-binary @- "$ELASTICSEARCH/_security/$1" 3<<EOF
user = "elastic:$ELASTIC_PASSWORD"
EOF
}
# Moving aliases needs `manage`.
put role/covalence-search <<EOF
{
  "cluster": ["cluster:monitor/health"],
  "indices": [
    { "names": ["covalence-members*", "covalence-lab-*"], "privileges": ["manage", "read", "write"] }
  ]
}
EOF
put user/search <<EOF
{ "password": "$ELASTICSEARCH_SEARCH_PASSWORD", "roles": ["covalence-search"] }
EOF
