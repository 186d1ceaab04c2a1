/** English lines about habits and small joys, by tone. */
export const everyday: Readonly<Record<string, string>> = {
  'daily.warm': `
    I get unreasonably happy about {smalljoy}.
    I love {smalljoy}, {smalljoy} and people who are kind when nobody is looking.
    I'm good at remembering names and bad at {fault}.
    My neighbors have my spare key, and I have theirs.
    {under45}On Sundays I call my grandmother, and she tells me who died.
    I always bring back something small from wherever I go.
    I believe most things can be mended, and I own the glue.
    When it rains I make {dish} and leave the window open.
    I'm the designated holder of other people's babies.
    I keep an emergency cake in the freezer.
    I get teary at airports, at both ends.
    There's always an extra blanket at my place.
    I say thank you to bus drivers.
    I've known my best friend since second grade, and we still pass notes.
    Happiness for me: {smalljoy} and somebody to tell about it.
    I learned to dance standing on my grandfather's shoes.
  `,
  'daily.dry': `
    Hobbies include {smalljoy} and avoiding {peeve}.
    I can {skill}, which has come up once.
    Strong feelings about {peeve}. Otherwise easygoing.
    I've been working on {fault}. No results yet.
    My plants are alive, most of them, technically.
    I have never finished a tube of lip balm.
    I once waited forty minutes in a line without knowing what it was for.
    I'm responsible for the only known fire at a salad bar.
    My signature move is leaving the party to "get some ice".
    If I were a kitchen appliance I'd be a slow cooker.
    I own eleven umbrellas, all of them elsewhere.
    I'm fluent in English and passive-aggressive email.
    I take my coffee seriously and very little else.
    My phone thinks I walk two miles a day. My phone is wrong; I pace.
    I've got a drawer for things that might be useful. It's most of the apartment.
    I've been told I snore in three-four time.
    Nobody has ever beaten me at finding the slowest checkout line.
  `,
  'daily.plain': `
    I like {smalljoy} and {smalljoy}.
    I can't stand {peeve}.
    I drink {drink} and go to bed before midnight, mostly.
    I'm good with my hands and not so good with {fault}.
    On a free day I sleep in, go to the {place}, and make {dish}.
    I listen to {band} in the car and sing along.
    I see my family every other weekend.
    I volunteer a few hours a month, because it keeps me honest.
    I've had the same group of friends since school.
    I don't watch much TV, but I won't miss {show}.
    I eat breakfast. It's non-negotiable.
    I like old things that still work.
    Most weekends there's music somewhere, and I try to be there.
    I have {smallyears} houseplants and a bicycle with a name.
    I taught myself to {skill}.
    I pay my bills on time and my library fines late.
    I play the {instrument}, not well, every day.
    {over25}I quit my last bad habit two years ago and don't miss it.
    My favorite season is {season}.
  `,
  list: `
    Yes: {like1}, {like2}, {like3}. No: {peeve}.
    In no order: {like1}, {like2}, {smalljoy}, {food}.
    Likes: {smalljoy}, {like1}, {like2}. Dislikes: {peeve}, {peeve}.
    Ask me about {like1} or {like2}. Don't ask me about {peeve}.
  `,
  'smoking.trying_to_quit': `
    I'm giving up smoking; day by day it's going better.
    Full disclosure: I'm {smallyears} weeks off cigarettes and chewing a lot of gum.
  `,
  'drinking.never': `
    I don't drink, but I make a serious lemonade.
    {over25}Sober {smallyears} years and glad of every one of them.
    I don't drink; I'll happily drive.
  `,
};
