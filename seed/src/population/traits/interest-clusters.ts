/** Things that tend to be liked together. */
export const clusters = {
  outdoors: [
    'camping',
    'walking',
    'running',
    'photography',
    'snowboarding',
    'dogs_cats',
    'gardening',
    'traveling',
  ],
  arts: ['art', 'painting', 'drawing', 'theater', 'opera', 'reading', 'writing', 'photography', 'acting'],
  tinkering: [
    'technology',
    'electronics',
    'video_games',
    'math',
    'internet',
    'astronomy',
    'board_games',
    'cars',
  ],
  sports: ['football', 'basketball', 'soccer', 'tennis', 'exercise', 'running', 'barbecues', 'television'],
  hearth: [
    'cooking',
    'gardening',
    'pets',
    'dogs_cats',
    'board_games',
    'food',
    'card_games',
    'antiques',
    'children',
  ],
  nights: ['bars', 'dancing', 'live_concerts', 'comedy', 'singing', 'food', 'traveling', 'movies'],
  thought: [
    'philosophy',
    'psychology',
    'politics',
    'reading',
    'business_finance',
    'stock_market',
    'writing',
    'radio',
  ],
  faith: ['religion', 'community_service', 'children', 'singing', 'walking', 'cooking'],
  screens: ['movies', 'television', 'comedy', 'shopping', 'card_games', 'internet', 'dating'],
  science: ['biology', 'astronomy', 'medicine', 'math', 'animals', 'school', 'camping'],
  thrills: ['sky_diving', 'snowboarding', 'gambling', 'cars', 'traveling', 'guns', 'live_concerts'],
  oddities: ['circus', 'astrology', 'rugs', 'antiques', 'opera', 'radio'],
} as const;

/** A group of interests. */
export type Cluster = keyof typeof clusters;

/** An interest by the catalogue's name without its prefix. */
export type Interest = (typeof clusters)[Cluster][number];

/** Every interest of the population. */
export const allInterests: readonly Interest[] = [...new Set(Object.values(clusters).flat())];
