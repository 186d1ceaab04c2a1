# Prints a template of this folder with passwords: {{password redis-auth}} is the value of REDIS_AUTH_PASSWORD. For bash.
set -eu
text=$(cat "$1")
while [[ $text =~ \{\{password\ ([a-z]+)-([a-z]+)\}\} ]]; do
  variable=${BASH_REMATCH[1]^^}_${BASH_REMATCH[2]^^}_PASSWORD
  text=${text//"${BASH_REMATCH[0]}"/${!variable:?}}
done
printf '%s\n' "$text"
