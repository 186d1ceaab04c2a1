/** English lines about interests that many share. */
export const interests: Readonly<Record<string, string>> = {
  'interest.camping': `
    Give me a tent, a stove and no signal, and I'm a better person by Sunday.
    I've slept under more tarps than roofs some summers.
    I make very decent {dish} over a campfire.
    My idea of a hotel is a flat spot with a view.
    I own three headlamps and can never find one.
    Last {season} I hiked four days with a pack that was far too heavy and a grin that was too wide.
  `,
  'interest.walking': `
    I walk everywhere, usually the long way.
    A long walk settles most arguments I have with myself.
    I've worn out two pairs of shoes on the same river path.
    Ask me to go for a walk and I won't ask how far.
    I walk to the {place} every Saturday, rain or shine.
    I like walking next to someone better than sitting across from them.
  `,
  'interest.running': `
    I run before work, slowly and with great determination.
    I've finished {smallyears} half marathons and enjoyed the last hundred yards of each.
    Running clears my head; the pancakes afterwards fill the rest.
    I'm training for a race I signed up for in a weak moment.
    {over25}You'll see me on the trail in a shirt from 2014.
  `,
  'interest.photography': `
    I still shoot film now and then, for the waiting.
    I stop in the middle of sentences to take pictures of doors.
    My camera has been to more places than my suitcase.
    I photograph strangers' dogs and my friends' weddings.
    I have a box with four thousand prints and no system.
  `,
  'interest.dogs_cats': `
    I can't pass a dog without saying hello.
    I foster kittens in {season} and cry every time one gets adopted.
    Animals were always part of the house I grew up in.
    I volunteer at the shelter, mostly as a lap.
    If your dog likes me, the rest is easy.
  `,
  'interest.gardening': `
    I grow {plant} and give most of them away.
    My garden is half plan, half surrender.
    I talk to the {plant}. They don't mind.
    Dirt under my fingernails means it was a good Saturday.
    I've got a plot in the community garden and a feud with one rabbit.
    This year it's {plant}; last year it was mostly slugs.
  `,
  'interest.traveling': `
    My last big trip was {visited}, and I'm still talking about it.
    I'd rather spend two weeks in one town than one day in fourteen.
    Next on the list: {visited}. I've already bought the phrase book.
    I travel light, eat on the street, and send postcards.
    I got wonderfully lost in {visited} once.
    A good trip starts with a bad map.
    Someday I want to take the slow train through {visited}.
  `,
  'interest.art': `
    I can spend an hour in front of one painting, and I'll need a bench.
    First Thursdays I go from gallery to gallery and judge the cheese.
    I like art I don't understand right away.
    There's a small print over my bed that cost more than the bed.
    Museums make me hungry and hopeful.
  `,
  'interest.painting': `
    I paint watercolors, mostly skies, mostly wrong, very happily.
    My kitchen table is covered in oil paint and unpaid bills.
    I took a painting class after a bad winter and never stopped.
    I paint houses in the literal sense and birds in the other.
  `,
  'interest.drawing': `
    I draw people on the train. If you see me staring, that's why.
    There's always a sketchbook in my bag.
    I doodle in meetings; the good ones end up on my fridge.
    I've drawn one small picture every day for {smallyears} years.
  `,
  'interest.theater': `
    I usher at the little theater downtown so I can see everything twice.
    Give me a small stage and a loud family drama.
    I've got two season tickets, and the second seat has mostly held my coat.
    I sing show tunes in the car with full choreography.
  `,
  'interest.reading': `
    I read {genre}, usually three at once.
    {Author} got me through last winter.
    I judge people by their bookshelves and forgive them for mine.
    I'm on my second reading of {author}.
    My nightstand is a small, unstable tower of {genre}.
    Reading in the bath has ruined half of my library.
    I'd like someone to read next to.
  `,
  'interest.writing': `
    I write short stories nobody has asked for.
    I keep a diary; you'd be in it.
    I've been working on the same novel for {smallyears} years. The first sentence is excellent.
    I write letters by hand and expect nothing back, but I like it when it happens.
  `,
  'interest.acting': `
    I'm in a community theater group, currently as a murderer.
    I took improv to get over my shyness, and now nobody can stop me.
    I've died on stage eleven times.
    I do voices when I read aloud. All of them.
  `,
  'interest.technology': `
    I build little gadgets that turn on lights I could reach by hand.
    I like technology best when it gets out of the way.
    {over35}My first computer had a tape drive. We've both come far.
    I'm the family help desk, open on Sundays.
  `,
  'interest.video_games': `
    I play {videogame} on rainy evenings and I'm not sorry.
    I'll teach you {videogame} if you promise not to win right away.
    Yes, I play video games. Yes, I also do the dishes.
    I finished {videogame} three times, once with my eyes half open.
  `,
  'interest.board_games': `
    I own too many board games and am always short one player.
    I'm merciless at {boardgame} and lovely otherwise.
    Tuesday is {boardgame} night, and there's usually soup.
    I've been known to read the rule book for fun.
    You bring snacks, I'll bring {boardgame}.
  `,
  'interest.cars': `
    I'm restoring an old pickup, one bolt and one curse at a time.
    I can tell you what's wrong with your car from the next lane.
    Long empty roads and a good engine: that'll do.
    I've got a weakness for ugly cars from the seventies.
  `,
  'interest.football': `
    Fall Sundays are for football, chili and yelling at a screen.
    {over25}I coached pee-wee football for {smallyears} seasons, and we won twice.
    I've been loyal to a losing team since childhood, which says something good about me.
    I'll explain the offside rule of American football as soon as I understand it.
  `,
  'interest.basketball': `
    I play pickup basketball on {weekday}s, mostly from the outside these days.
    I keep a ball in the trunk, just in case.
    Ask me about my hook shot. Ask nobody else.
    I've watched every March Madness since I was six.
  `,
  'interest.soccer': `
    I play on a Sunday team that celebrates every corner kick.
    I get up at odd hours for a good match.
    My knees say no, but my heart says left wing.
    I learned half my swear words on the sidelines.
  `,
  'interest.tennis': `
    I've got a decent serve and no backhand.
    Tennis on Saturday mornings, then breakfast: winner pays.
    I'm looking for a doubles partner in more ways than one.
    I still play with my father's racket.
  `,
  'interest.exercise': `
    I lift heavy things so I can carry all the groceries in one go.
    The gym at six in the morning is my church of bad music.
    I swim laps until I've solved something.
    I do yoga for my back and go for the nap at the end.
    I try to sweat every day and to enjoy it every other.
  `,
  'interest.barbecues': `
    My brisket takes fourteen hours, and I don't leave its side.
    I guard the grill and ask people about their lives.
    Summer means smoke in my hair and half the block in the yard.
    Charcoal, never gas. It's my only hard rule.
  `,
  'interest.cooking': `
    I cook to relax; {dish} is what I make to impress.
    On Sundays I make {dish} for whoever turns up.
    I've been perfecting {dish} for years and need a second opinion.
    I own one good knife and use it for everything.
    You'd never go hungry with me: I make {dish} and {bake}.
    I bake {bake} when I can't sleep.
    People have stopped arguing over my {dish}.
  `,
  'interest.food': `
    I'd cross town for good {food}.
    I keep a list of every place in {city} that serves {food}.
    I plan trips around meals and call it culture.
    {Food}, then a walk: that's my perfect first date.
    I can be bribed with {food}.
  `,
  'interest.pets': `
    There's an aquarium in my living room, and everyone in it has a name.
    I had a parrot once who could do my mother's ringtone.
    My house has always had more legs than people.
  `,
};
