/** English headlines, 10 to 75 characters: for anyone, by tone, by circumstance, and by interest. */
export const headlines: Readonly<Record<string, string>> = {
  'headline.warm': `
    Looking for my favorite person
    Big heart, small kitchen
    There's a second chair on my {porch|balcony}
    Kind eyes and a full cookie jar
    Come in, the kettle's on
    Soft heart, strong coffee
    I'd save you the last {dumpling|slice|cookie}
    Let's be each other's good news
    Hugs first, questions later
    Home is where the soup is
    Tell me your favorite story
    Still believes in love letters
    A good listener with a loud laugh
    I'll leave the light on
    Slow dancing in the kitchen
    Warm hands, cold nose
  `,
  'headline.dry': `
    Better in person, I'm told
    As seen at the {place}
    Low maintenance, mild assembly required
    I was told there would be cake
    Great at {fault}. No, wait
    Will {skill} for love
    Slightly used, runs great
    Please don't make me go to trivia alone
    My dog wrote this
    Overthinker seeks someone who doesn't
    Professional {jobword}, amateur human
    Batteries included
    Fully vaccinated against small talk
    {City}'s okayest {bowler|dancer|cook|singer|driver}
    Your mother will like me
    Has own ladder
    Looking for a reason to delete this
    Recovering perfectionist, almost perfect
    Insert witty headline here
    Ask me about the goat
  `,
  'headline.plain': `
    {Jobword} in {city}, looking for something real
    Easygoing, honest and curious
    Let's start with {drink}
    {incomer}New in {quarter}, show me around?
    {native}{City} born and raised
    Simple things, good company
    Looking for a partner, not a project
    {Name} from {quarter}
    Honest {man/woman}, good company
    Good conversation wanted
    Ready for the next chapter
    Steady, kind, and up for a walk
    A quiet life with the right person
    I say what I mean
    Coffee, a walk, and we'll see
    {Season} is my favorite season. Yours?
    Looking for something that lasts
    One life, well spent, room for two
    {Quarter}, two rooms, one good chair
    Let's take the long way home
  `,
  'headline.parent': `
    Parent first, dancer second
    Comes with Lego on the floor
    Pancakes for {three|four|everybody} on Sunday
    Expert in bedtime stories
    Tired, happy, free every other weekend
    My kids say I'm funny
  `,
  'headline.older': `
    Second act, good seats
    Plenty of road left
    Older, wiser, better cook
    {grandparent}Grandkids on Tuesdays, free on Wednesdays
    Not done yet
    Aged like a decent {red|cheddar}
    {retired}Retired from work, not from life
  `,
  'headline.young': `
    Figuring it out, one taco at a time
    Cheap dates, big plans
    {student}Student of life (and also a student)
    Let's try everything in {city}
    {under45}Roommates say I'm the clean one
    Will share my fries
  `,
  'headline.faith': `
    Faith, family and a good laugh
    Grateful, mostly
    Sundays are spoken for
    God, good food and long walks
  `,
  'headline.dog': `
    {Dogname} the {breed} comes too
    Dog person seeks person
    Must love {dogname}
    Two of us already: me and {dogname}
  `,
  'headline.cat': `
    {Catname} approves all applicants
    Cat person, no apologies
    {Catname} needs a second servant
  `,
  'headline.interest': `
    {Like1} and {like2}
    {Like1}, {like2}, and you?
    Mostly {like1}, some {like2}
    {Like1} by day, {like2} by night
    Talk to me about {like1}
    In it for {like1} and {like2}
    {Like1}? I'm there
    Happiest with {like1}
    {City}, {like1}, {like2}
    Looking for someone to share {like1} with
    Half {like1}, half {like2}
    {Like1} before breakfast
    Will trade {like1} for {like2}
    {Like1} first, {like2} later
  `,
};

/** Short English names of interests, for headlines and lists. */
export const likes: Readonly<Record<string, string>> = {
  camping: 'campfires, sleeping outside, tents in the rain, long hikes',
  walking: 'long walks, city walks, walking nowhere in particular, river paths',
  running: 'morning runs, slow miles, trail running, muddy races',
  photography: 'old cameras, good light, black-and-white film, street photos',
  dogs_cats: "other people's dogs, shelter dogs, stray cats, four-legged company",
  gardening: 'tomato plants, muddy boots, seed catalogs, a wild garden',
  traveling: 'night trains, window seats, bad maps, new stamps in the passport, foreign supermarkets',
  art: 'small galleries, museum benches, strange sculptures, big canvases',
  painting: 'watercolors, oil paint, wet brushes, painted skies',
  drawing: 'sketchbooks, charcoal, bad portraits, train doodles',
  theater: 'small stages, opening nights, show tunes, front-row seats',
  reading: 'library books, used bookstores, thick novels, reading in bed, paperbacks',
  writing: 'short stories, long letters, fountain pens, unfinished novels',
  acting: 'improv, curtain calls, community theater, silly voices',
  technology: 'gadgets, tiny robots, clever machines, open source',
  electronics: 'old radios, solder smoke, tangled cables',
  video_games: 'co-op games, retro games, one more level, pixel art',
  math: 'number puzzles, prime numbers, crosswords in pen',
  internet: 'rabbit holes, odd facts, late-night reading',
  astronomy: 'dark skies, meteor showers, telescopes, Saturn',
  board_games: 'board games, game nights, chess in the park, good-natured revenge',
  cars: 'old pickups, road trips, engine grease, empty highways',
  football: 'tailgates, fourth quarters, lost causes in football',
  basketball: 'pickup games, buzzer beaters, corner threes',
  soccer: 'Sunday league, late winners, five-a-side',
  tennis: 'long rallies, clay courts, doubles',
  exercise: 'early swims, deadlifts, yoga mats, sweat',
  barbecues: 'brisket, charcoal smoke, backyard dinners',
  television: 'reruns, cooking shows, couch evenings',
  cooking: 'slow Sunday cooking, garlic, homemade pasta, one good knife, soup',
  food: 'tacos, dumplings, street food, breakfast for dinner, good bread',
  pets: 'aquariums, parrots, furry roommates',
  card_games: 'gin rummy, card tricks, poker for pennies',
  antiques: 'flea markets, old clocks, estate sales, brass lamps',
  children: 'school plays, blanket forts, playground diplomacy',
  bars: 'dive bars, trivia nights, jukeboxes, happy hour',
  dancing: 'salsa, kitchen dancing, swing nights, two left feet',
  live_concerts: 'loud bands, small venues, front rows, vinyl',
  comedy: 'bad puns, stand-up, dry humor, improv nights',
  singing: 'choir practice, karaoke, harmonies, shower arias',
  movies: 'matinees, old movies, popcorn for dinner, subtitles',
  philosophy: 'big questions, free will, slow thinking',
  psychology: 'people watching, podcasts, good questions',
  politics: 'town meetings, honest debate, voting early',
  business_finance: 'side projects, spreadsheets, new ventures',
  stock_market: 'patient investing, index funds, long horizons',
  radio: 'late-night radio, baseball on AM, crackling speakers',
  religion: 'Sunday mornings, old hymns, quiet prayer',
  community_service: 'food pantries, volunteering, helping out',
  shopping: 'thrift stores, vintage jackets, bargains',
  dating: 'first dates, butterflies',
  biology: 'bird lists, tide pools, mushrooms in the woods',
  medicine: 'medical mysteries, first aid',
  animals: 'horses, herons, barn smells',
  school: 'evening classes, new pencils',
  sky_diving: 'jumping out of planes, open doors at altitude',
  snowboarding: 'powder days, first chair, cold noses',
  gambling: 'poker nights, long shots',
  guns: 'clay shooting, early mornings in the blind',
  opera: 'cheap seats at the opera, Puccini, third acts',
  circus: 'juggling, trapeze lessons',
  astrology: 'birth charts, full moons',
  rugs: 'old rugs, looms and wool',
};
