/** Words that usernames are made of: adjectives, nouns, and words by interest. */
export const usernameWords = {
  adjectives:
    `sunny quiet lucky salty merry wild gentle rusty velvet honest crooked sleepy brave paper silver cozy lazy
    early late mellow tiny giant purple golden stray humble curious northern dusty clever secret happy`.split(
      /\s+/,
    ),
  nouns:
    `otter maple comet pancake river lantern fern raven biscuit anchor meadow pickle falcon teapot harbor willow mango
    tiger bicycle cactus acorn marble trumpet sparrow pepper canyon clover robin button dune waffle kettle`.split(
      /\s+/,
    ),
  hobbies: {
    camping: ['tent', 'campfire', 'trail'],
    walking: ['walk', 'wander', 'longway'],
    running: ['run', 'slowmile', 'stride'],
    photography: ['shutter', 'film', 'photo'],
    dogs_cats: ['dog', 'paw', 'kitten'],
    gardening: ['garden', 'tomato', 'green'],
    traveling: ['roam', 'nomad', 'travel'],
    art: ['art', 'canvas'],
    painting: ['paint', 'palette'],
    drawing: ['sketch', 'ink'],
    theater: ['stage', 'curtain'],
    reading: ['book', 'reader', 'novel'],
    writing: ['words', 'pen', 'story'],
    technology: ['byte', 'robot', 'tech'],
    video_games: ['pixel', 'player'],
    board_games: ['chess', 'meeple', 'dice'],
    cars: ['motor', 'gearhead'],
    football: ['gridiron', 'blitz'],
    basketball: ['hoops', 'dunk'],
    soccer: ['goal', 'striker'],
    tennis: ['ace', 'topspin'],
    exercise: ['swim', 'lift', 'yoga'],
    barbecues: ['smoke', 'brisket', 'grill'],
    cooking: ['chef', 'garlic', 'cook'],
    food: ['taco', 'dumpling', 'foodie'],
    bars: ['trivia', 'jukebox'],
    dancing: ['salsa', 'dance', 'tango'],
    live_concerts: ['encore', 'vinyl', 'music'],
    singing: ['alto', 'sing', 'song'],
    movies: ['cinema', 'matinee', 'film'],
    astronomy: ['star', 'orbit', 'luna'],
    snowboarding: ['powder', 'snow'],
    comedy: ['pun', 'joke'],
  } as Readonly<Record<string, readonly string[]>>,
} as const;
