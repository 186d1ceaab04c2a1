# Creates the user of search and its role; a changed password replaces the old one. Safe to repeat. For sh with curl.
# ELASTICSEARCH: the address; ELASTIC_PASSWORD: of the superuser; ELASTICSEARCH_SEARCH_PASSWORD: of the user.
set -eu
put() {
  curl --silent --show-error --fail --output /dev/null --request PUT --config - \
    --header 'Content-Type: application/json' --data "$2" "$ELASTICSEARCH/_security/$1" <<EOF
user = "elastic:$ELASTIC_PASSWORD"
EOF
}
put role/covalence-search '{
  "cluster": ["monitor"],
  "indices": [{ "names": ["covalence-*"], "privileges": ["manage", "read", "write"] }]
}'
put user/search "{ \"password\": \"$ELASTICSEARCH_SEARCH_PASSWORD\", \"roles\": [\"covalence-search\"] }"
