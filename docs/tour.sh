#!/usr/bin/env bash
# A tour of the API, while `npm start` is running: registers Ada, signs Ben in, searches, likes, and makes mistakes.
cd "$(dirname "$0")/.." || exit
step() { printf '\n== %s\n' "$*"; }

# Two helpers, and the demo client of this stack.
demo() { node -p "require('./.data/demo.json').$1"; }
pick() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
BASE=$(demo base_url) ID=$(demo client_id) SECRET=$(demo client_secret) BACK=$(demo redirect_uri)

step '1. Register Ada. The response has her record and a code to exchange for tokens.'
NAME=Ada$RANDOM$RANDOM
CODE=$(curl -s $BASE/members -d client_id=$ID -d client_secret=$SECRET -d siteid=1 \
  -d gender=Female -d genderpreference=Male -d dateofbirth=04/23/1992 \
  -d username=$NAME -d password=violet-harbour-9 -d email=$NAME@mail.example \
  -d country=US -d state=Illinois -d city=Chicago -d zip=60614 -d latitude=41.92 -d longitude=-87.65 | pick code)
TOKENS=$(curl -s $BASE/token -d grant_type=authorization_code -d code=$CODE \
  -d client_id=$ID -d client_secret=$SECRET -d redirect_uri=$BACK)
ADA="Authorization: Bearer $(echo $TOKENS | pick access_token)"
curl -s $BASE/users/self -H "$ADA"; echo

step '2. Sign Ben in on the hosted pages, as his browser does.'
JAR=$(mktemp)
SIGN_IN="$BASE/authorize?client_id=$ID&redirect_uri=$BACK&response_type=code&state=tour"
PAGE=$(curl -s -L -b $JAR -c $JAR "$SIGN_IN")
# Every form of the page has these; the first one signs in by password.
ACTION=$(echo "$PAGE" | sed -n 's/.*action="\([^"]*\)".*/\1/p' | head -n 1)
CSRF=$(echo "$PAGE" | sed -n 's/.*name="csrf" value="\([^"]*\)".*/\1/p' | head -n 1)
CODE=$(curl -s -L -b $JAR -c $JAR -o /dev/null -w '%{url_effective}' "$BASE$ACTION" -d "csrf=$CSRF" \
  -d login=ben --data-urlencode "password=$(demo members[1].password)" | sed 's/.*code=\([^&]*\).*/\1/')
BEN_TOKEN=$(curl -s $BASE/token -d grant_type=authorization_code -d code=$CODE \
  -d client_id=$ID -d client_secret=$SECRET -d redirect_uri=$BACK | pick access_token)

step '3. Open a socket for Ben’s live updates.'
BEN_TOKEN=$BEN_TOKEN WS=${BASE/http/ws}/ws/updates node_modules/.bin/node -e '
  const socket = new WebSocket(process.env.WS);
  socket.onopen = () => socket.send(process.env.BEN_TOKEN);
  socket.onmessage = ({ data }) => console.log(data);' &
LISTENER=$!; sleep 1

step '4. Search as Ada. Distances under 150 miles need a subscription: 31007. The second search ranks tall non-smokers aged 28 to 42 first.'
curl -s $BASE/searches -H "$ADA" -d 'age[from]=28' -d 'age[to]=42' -d 'location[within]=50' -d pagesize=3; echo
curl -s $BASE/searches -H "$ADA" -d 'age[from]=28' -d 'age[to]=42' -d 'location[within]=150' \
  -d 'smoking[value]=10' -d 'height[from]=178' -d 'height[to]=190' -d sortby=relevance -d pagesize=3 | node -p "
  JSON.parse(require('fs').readFileSync(0)).users.map(u => [u.display_name, u.age, u.location, u.relevance, u.exactmatch].join(' · ')).join('\n')"

step '5. Open Ben’s profile: his answers in Ada’s language.'
curl -s $BASE/users/$(demo members[1].id) -H "$ADA" | node -p "
  JSON.parse(require('fs').readFileSync(0)).answers.map(g => g.label + ': ' + g.fields.map(f => f.label + ' – ' + f.text).join(', ')).join('\n')"

step '6. Like Ben. His socket prints the update.'
curl -s $BASE/like -H "$ADA" -d profileid=$(demo members[1].id); echo

step '7. Make mistakes: bad parameters have codes, a missing token is 401.'
curl -s $BASE/members/self -H "$ADA" -d favorite_dinosaur=rex -d gender=x; echo
curl -si $BASE/users/self | head -1

step '8. List the prices of memberships.'
curl -s $BASE/packages -H "$ADA" | node -p "
  JSON.parse(require('fs').readFileSync(0)).packages.map(p => p.name + ' ' + p.amount_fmt).join('\n')"
kill $LISTENER

step 'To see the hosted pages, open this in a browser. No app listens at the end: a 404 is expected.'
echo "$SIGN_IN"
