/** English lines about the rarer interests. */
export const furtherInterests: Readonly<Record<string, string>> = {
  'interest.electronics': `
    I repair old radios and give them away to people who'll listen.
    There's a soldering iron on my desk and a burn on my thumb.
    I once fixed a jukebox. It's still my proudest evening.
  `,
  'interest.math': `
    I do number puzzles in pen.
    I think prime numbers are beautiful, and I'll try not to bring it up.
    I tutor kids in algebra and see the moment it clicks.
  `,
  'interest.internet': `
    I fall down rabbit holes at midnight; ask me about medieval snail drawings.
    I run a tiny website about old street signs that gets nine visitors a day.
    {over35}I was on the internet when it still made that noise.
  `,
  'interest.astronomy': `
    I own a telescope and get up for eclipses.
    I know where Saturn is tonight.
    I'd drive two hours for a really dark sky.
    Meteor showers are the one thing I'll set an alarm for.
  `,
  'interest.television': `
    I'm rewatching {show} and would love company.
    {Show} is comfort food for me.
    I don't skip the opening credits.
    I talk to contestants on {show} as if they could hear me.
  `,
  'interest.card_games': `
    I learned {cardgame} from my grandfather, who cheated.
    I take {cardgame} far too seriously.
    There's a deck of cards in my coat, always.
    I'll play {cardgame} with anyone, on any train.
  `,
  'interest.antiques': `
    I collect things from {era} that nobody needs.
    Estate sales are my treasure hunts.
    My house is furnished with other people's grandmothers.
    I can't walk past a flea market, and neither can my wallet.
  `,
  'interest.children': `
    I coach my kid's team and lose with dignity.
    Weekends are zoo, library, pancakes, repeat.
    I've become an expert on dinosaurs against my will.
  `,
  'interest.bars': `
    I like bars with a dog, a jukebox and no television.
    A good bartender and a bad pun, and I'm home.
    I know where to get {drink} in {city}.
    Trivia night on {weekday}s: I cover geography and useless songs.
  `,
  'interest.dancing': `
    I dance salsa on {weekday}s and step on fewer toes each year.
    I'll dance to anything, including the dishwasher.
    Swing dancing saved my social life.
    {under45}I was the first on the floor at my own grandmother's eightieth.
    I took up tango because I wanted to learn to follow. I'm still leading.
  `,
  'interest.live_concerts': `
    The last time I lost my voice was the night I saw {band}.
    I keep every ticket stub in a jar.
    Small venue, loud band, ringing ears: happy.
    I've seen {band} {smallyears} times and would go tonight.
    I stand near the sound desk, because that's where it sounds right.
  `,
  'interest.comedy': `
    I did stand-up once. The silence was educational.
    If you can make me laugh in a waiting room, I'm yours.
    I like jokes that take a day to land.
    I'd rather see a bad comedian live than a good one on a screen.
  `,
  'interest.singing': `
    I sing in a choir, second row, left of the tall one.
    I sing while I cook and the neighbors have stopped complaining.
    Karaoke: I have one song, and it's a good one.
    I played {instrument} in a band nobody remembers, and I loved every minute.
  `,
  'interest.movies': `
    I've seen {movie} more often than is reasonable.
    I go to the movies alone and sit in the middle. I'd move over.
    {Movie} makes me cry in the same place each time.
    I don't talk during films, but I have a lot to say after.
    Old black-and-white films, popcorn for dinner, rain outside: yes.
  `,
  'interest.philosophy': `
    I read philosophy slowly and disagree with most of it.
    Big questions are best with small glasses.
    I'd like to argue about free will with someone who had no choice.
  `,
  'interest.psychology': `
    I'm fascinated by why people do what they do, me first.
    I listen to podcasts about the brain while doing something mindless.
    I ask a lot of questions. It's affection, not an interview.
  `,
  'interest.politics': `
    I follow politics more than is good for my blood pressure.
    I've knocked on a few hundred doors and met some wonderful dogs.
    I like a good argument with somebody who listens.
    I vote in everything, down to the school board.
  `,
  'interest.business_finance': `
    I read the business pages first, then the comics.
    I help friends with their taxes in return for {food}.
    I started my first business at eleven, selling lemonade to construction workers.
  `,
  'interest.stock_market': `
    I invest a little, patiently, and sleep well.
    I bought one share of a train company as a kid, and I still have it.
    I find annual reports oddly soothing.
  `,
  'interest.radio': `
    The radio is always on in my kitchen.
    I grew up on late-night radio and still fall asleep to baseball.
    I'm a licensed ham radio operator, so I've chatted with a man in Antarctica.
  `,
  'interest.community_service': `
    Saturday mornings I'm at the food pantry, sorting cans and gossip.
    I teach people to read English on {weekday} nights.
    I help build houses for people who need one; I'm allowed near the paint now.
    I give blood every eight weeks, mostly for the cookies.
  `,
  'interest.shopping': `
    I love a good thrift store and have the jackets to prove it.
    I'll help you find jeans. It's a talent.
    I never pay full price, and I'll tell you about it.
  `,
  'interest.dating': `
    I like first dates: a new person, a new story, a reason to iron a shirt.
    I'd rather meet soon than type for weeks.
  `,
  'interest.biology': `
    I keep a list of birds, and yes, I've got the hat.
    I can tell you the Latin name of the weed in your driveway.
    I turn over rocks to see who lives there.
  `,
  'interest.medicine': `
    I read medical mysteries and diagnose nobody, promise.
    I've always wanted to know how the body works; mine keeps me guessing.
    I teach first aid, so you're in good hands.
  `,
  'interest.animals': `
    I get up early to watch herons.
    I once helped to pull a cow out of a ditch, and we've stayed in touch.
    Horses were my first love, and I still ride when I can.
  `,
  'interest.school': `
    I'm taking evening classes again, for the joy of it and the cafeteria.
    I miss school supplies.
    I'm going back for my degree, one course at a time.
  `,
  'interest.sky_diving': `
    I've jumped out of a plane {bigyears} times. The door is the hard part.
    Skydiving taught me that fear is mostly waiting.
    I pack my own parachute, so I'm more careful than I sound.
  `,
  'interest.snowboarding': `
    From December on I live for snow reports.
    I snowboard like I cook: fast, loose, some bruises.
    First chair, last run, hot chocolate.
  `,
  'interest.gambling': `
    I play poker once a month with the same five people and the same forty dollars.
    I'll bet you dinner on nearly anything.
    I like a long shot.
  `,
  'interest.guns': `
    I shoot clays on weekends; my dad taught me, safety first.
    I hunt in the fall and fill the freezer.
  `,
  'interest.opera': `
    I cry at the opera, always in the second act.
    I buy the cheap seats up top, where the sound is best and the people are odd.
    My neighbors know a lot of Puccini by now.
  `,
  'interest.circus': `
    I take trapeze lessons. Everyone should hang upside down once a week.
    I can juggle three of anything, four of nothing.
  `,
  'interest.astrology': `
    I'll ask for your birthday, and not only because I like cake.
    I don't quite believe in astrology, but it believes in me.
    I read horoscopes aloud at breakfast, with commentary.
  `,
  'interest.rugs': `
    I weave rugs on a loom that fills half of my living room.
    I know more about old rugs than is socially useful.
    I brought a rug home from {visited} in my hand luggage, and that's a long story.
  `,
  'interest.religion': `
    I've read the holy books of four religions and liked parts of all of them.
    I enjoy a good conversation about faith, even with someone who has none.
    I visit old churches wherever I go.
  `,
};
